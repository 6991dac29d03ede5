import EyotContract
import Foundation
import PhoneSimulator

extension ControlRoutes {
    /// The most phones that one call adds.
    static let phonesPerCall = 1_000

    func addPhones(_ body: JSONValue) async throws -> ControlAnswer {
        var fields = try JSONFields(body)
        let count = try fields.integer("count") ?? 1
        guard (1...Self.phonesPerCall).contains(count) else {
            throw fields.invalid("count", "must lie between 1 and \(Self.phonesPerCall)")
        }
        var options = lab.configuration.phoneOptions
        options.user = try fields.optionalIdentifier("user") ?? options.user
        options.tags = try fields.strings("tags") ?? options.tags
        options.isLaunched = try fields.bool("launch") ?? options.isLaunched
        options.os = try fields.system("os") ?? options.os
        if let name = try fields.string("environment") {
            guard let environment = PushEnvironment(rawValue: name) else {
                throw fields.invalid("environment", "must be sandbox or production")
            }
            options.environment = environment
        }
        if var settings = try fields.fields("settings") { try options.settings.read(&settings) }
        if let switches = try fields.object("rules") {
            var rules = options.rules ?? lab.configuration.phoneRules
            try rules.change(switches, at: "rules")
            options.rules = rules
        }
        try options.build.read(&fields, types: lab.configuration.types)
        try fields.finish()
        let phones = try await lab.addPhones(count, options)
        return ControlAnswer(status: 201, ["phones": .array(phones.map(\.json))])
    }

    /// Performs an action on a phone, and answers the phone's new state.
    func act(on phone: LabPhone, _ action: String, _ body: JSONValue) async throws -> ControlAnswer {
        var fields = try JSONFields(body)
        switch action {
        case "start": return try start(on: phone, &fields)
        case "dismiss":
            let choice = try fields.cardChoice()
            try fields.finish()
            try phone.dismiss(choice)
        case "rotate":
            let startToken = try fields.bool("startToken") ?? false
            let choice = try fields.cardChoice()
            try fields.finish()
            if startToken { phone.rotateStartToken() } else { try phone.rotateToken(choice) }
        case "identify":
            let user = try fields.identifier("user")
            try fields.finish()
            try phone.identify(user)
        case "settings":
            var settings = phone.state.settings
            try settings.read(&fields)
            phone.changeSettings { $0 = settings }
        case "rules":
            var rules = phone.phone.rules
            try rules.change(body)
            phone.changeRules(rules)
        case "install":
            var build = phone.build
            try build.read(&fields, types: lab.configuration.types)
            try fields.finish()
            phone.install(build, types: lab.configuration.types)
        case "updateSystem":
            let os = try fields.required("os", fields.system("os"))
            try fields.finish()
            try phone.updateSystem(to: os)
        case "update": try await update(on: phone, &fields)
        case "end": try await end(on: phone, &fields)
        default:
            try fields.finish()
            try actPlainly(on: phone, action)
        }
        return ControlAnswer(phone.json)
    }

    private func actPlainly(on phone: LabPhone, _ action: String) throws {
        switch action {
        case "allow":
            guard phone.pressAllow() else {
                throw ControlProblem(
                    409, "neverAllows", "whoever owns \(phone.id) never presses Allow; change settings")
            }
        case "quit": phone.forceQuit()
        case "relaunch": phone.launch()
        case "reboot": phone.reboot()
        case "reinstall": phone.reinstall()
        case "background": phone.moveToBackground()
        case "lock": phone.lock()
        case "offline": phone.goOffline()
        case "online": phone.goOnline()
        case "logout": try phone.logout()
        default: throw ControlProblem(404, "routeUnknown", "a phone cannot be told \(action)")
        }
    }

    private func start(on phone: LabPhone, _ fields: inout JSONFields) throws -> ControlAnswer {
        var start = LocalStart(
            type: try fields.identifier("type"),
            attributes: try fields.object("attributes") ?? [:],
            contentState: try fields.required("contentState", fields.object("contentState")),
            name: try fields.optionalIdentifier("name"))
        start.staleDate = try fields.date("staleDate")
        start.relevanceScore = try fields.double("relevanceScore") ?? 0
        try fields.finish()
        let card = try phone.start(start)
        return ControlAnswer(status: 201, ["card": .string(card), "phone": phone.json])
    }
}

// MARK: - What the app does with its cards

extension ControlRoutes {
    private func update(on phone: LabPhone, _ fields: inout JSONFields) async throws {
        let choice = try fields.cardChoice()
        let change = LocalChange(
            contentState: try fields.required("contentState", fields.object("contentState")),
            staleDate: try fields.date("staleDate"), relevanceScore: try fields.double("relevanceScore") ?? 0,
            alerts: try fields.bool("alert") ?? false)
        try fields.finish()
        try await phone.change(choice, change)
    }

    private func end(on phone: LabPhone, _ fields: inout JSONFields) async throws {
        let choice = try fields.cardChoice()
        let state = try fields.object("contentState")
        let word = try fields.string("dismissal")
        try fields.finish()
        let dismissal: LocalChange.Dismissal
        switch word {
        case nil, "default": dismissal = .standard
        case "immediate": dismissal = .immediate
        case let text?:
            guard let date = RFC3339.date(from: text) else {
                throw fields.invalid("dismissal", "must be default, immediate, or a time such as 2022-12-18T15:00:00Z")
            }
            dismissal = .after(date)
        }
        try await phone.change(choice, LocalChange(contentState: state, end: dismissal))
    }
}

extension PhoneBuild {
    /// Reads `appVersion` and `schemas`.
    fileprivate mutating func read(
        _ fields: inout JSONFields, types: [LabType]
    ) throws(JSONFieldError) {
        if let version = try fields.optionalIdentifier("appVersion") { self.version = version }
        guard let schemas = try fields.object("schemas")?.object else { return }
        self.schemas = [:]
        for member in schemas.members {
            let place = "schemas.\(member.name)"
            guard types.contains(where: { $0.name == member.name }) else {
                throw JSONFieldError(path: place, .invalid("is no type of the phones' app; give it with --type"))
            }
            do {
                _ = try ActivitySchema(json: member.value, type: member.name)
            } catch {
                throw JSONFieldError(path: place, .invalid("is no schema: \(error)"))
            }
            self.schemas[member.name] = member.value.text
        }
    }
}

extension JSONFields {
    fileprivate mutating func date(_ name: String) throws(JSONFieldError) -> Date? {
        guard let text = try string(name) else { return nil }
        guard let date = RFC3339.date(from: text) else {
            throw invalid(name, "must be a time such as 2022-12-18T15:00:00Z")
        }
        return date
    }

    fileprivate mutating func system(_ name: String) throws(JSONFieldError) -> IOSVersion? {
        guard let text = try string(name) else { return nil }
        guard let version = IOSVersion(text) else { throw invalid(name, "must be a version such as 18.1") }
        return version
    }

    /// Reads `card` or `name`, or neither if the phone has only one card.
    fileprivate mutating func cardChoice() throws(JSONFieldError) -> LabPhone.CardChoice {
        let (card, name) = (try string("card"), try string("name"))
        if card != nil, name != nil { throw invalid("name", "cannot stand beside card") }
        return card.map(LabPhone.CardChoice.id) ?? name.map(LabPhone.CardChoice.name) ?? .only
    }
}

extension PhoneSettings {
    /// Reads the given settings, and refuses unknown members.
    fileprivate mutating func read(_ fields: inout JSONFields) throws(JSONFieldError) {
        activitiesEnabled = try fields.bool("activitiesEnabled") ?? activitiesEnabled
        frequentPushesEnabled = try fields.bool("frequentPushesEnabled") ?? frequentPushesEnabled
        lowPowerMode = try fields.bool("lowPowerMode") ?? lowPowerMode
        if let name = try fields.string("allowed") {
            guard let answer = Answer(rawValue: name) else {
                let all = Answer.allCases.map(\.rawValue).joined(separator: ", ")
                throw fields.invalid("allowed", "must be one of \(all)")
            }
            allowed = answer
        }
        if let skew = try fields.double("clockSkew") {
            guard abs(skew) <= Self.skewLimit else {
                throw fields.invalid("clockSkew", "must lie within a year of 0, in seconds")
            }
            clockSkew = skew
        }
        try fields.finish()
    }

    private static let skewLimit = 366 * 86_400.0
}
