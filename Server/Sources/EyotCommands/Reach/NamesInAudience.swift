import EyotContract
import EyotDomain

/// The search for names in an audience that no device has, and for similar names.
///
/// It runs when a call reaches fewer devices than it names. Each look reads a bounded number of rows.
struct NamesInAudience: UseCase {
    let transaction: Transaction
    let app: AppID

    /// Selectors of one audience that are looked up.
    private static let selectorLimit = 8
    /// Users and devices of a list that are looked up.
    private static let listLimit = 200
    /// Devices that are searched for similar tags and types.
    static let sampleSize = 50
    /// Names in one sentence.
    private static let namesShown = 5

    /// Why an audience matches no device: one sentence for each selector that alone matches none.
    func causes(of audience: Audience) throws -> [String] {
        guard try !ledger.deviceIDs(in: .all, of: app, limit: 1).isEmpty else {
            return ["No phone has registered with the app."]
        }
        return try selectors(of: audience).compactMap { selector in
            let resolved = try ResolveAudience(transaction, app: app)(selector)
            guard try ledger.deviceIDs(in: resolved, of: app, limit: 1).isEmpty else { return nil }
            let said = try ResolveAudience(transaction, app: app, believesAll: true)(selector)
            guard try said == resolved || ledger.deviceIDs(in: said, of: app, limit: 1).isEmpty else {
                return Self.disbelieved(selector)
            }
            return try cause(selector)
        }
    }

    /// The sentence for a selector that matches only phones that are not believed.
    private static func disbelieved(_ selector: Audience) -> String {
        switch selector {
        case .tag(let tag, _, _):
            "Only phones report the tag \(tag), and their reports do not count. Add it to openNames, or prove users."
        case .attribute(let rule):
            "Only phones report such an attribute \(rule.name), and their reports do not count. Add it to openNames, "
                + "or prove users."
        default: "Only phones with an unproven user match a part of the audience, so they are not reached."
        }
    }

    /// The sentences for names in an audience that phones said of themselves before the backend used them. Phones are
    /// no longer believed about these names.
    ///
    /// - Parameter open: The names about which phones are believed.
    func takenFromPhones(in audience: Audience, open: Set<TraitName>) throws -> [String] {
        try selectors(of: audience).compactMap { selector in
            let name: TraitName
            switch selector {
            case .tag(let tag, group: nil, of: nil): name = .tag(tag)
            case .attribute(let rule) where rule.owner == nil: name = .attribute(rule.name)
            default: return nil
            }
            guard !open.contains(name), try ledger.backendName(name, in: app)?.wasPhones == true else { return nil }
            let words =
                switch name {
                case .tag(let tag): "the tag \(tag)"
                case .attribute(let attribute): "the attribute \(attribute)"
                }
            return "Phones report \(words), but the backend uses it too, so their reports do not count. "
                + "Add it to openNames to reach these phones."
        }
    }

    /// The sentences for listed users and devices that do not exist, in an audience that does match some devices.
    func missing(of audience: Audience) throws -> [String] {
        var users: [String] = []
        var devices: [DeviceID] = []
        func collect(_ audience: Audience) {
            guard users.count + devices.count <= Self.listLimit else { return }
            switch audience {
            case .or(let parts): for part in parts { collect(part) }
            case .user(let user): users.append(user)
            case .users(let list): users += list
            case .device(let id): devices.append(id)
            case .devices(let list): devices += list
            default: break
            }
        }
        collect(audience)
        // A single name is one that matches.
        guard users.count + devices.count > 1 else { return [] }
        return [users.isEmpty ? nil : try missing(users), devices.isEmpty ? nil : try missing(devices)]
            .compactMap(\.self)
    }

    /// The warning about a type that no phone of an audience has registered, with a similar type.
    ///
    /// - Returns: An empty list if a phone of the sample has the type.
    func typeWarning(_ type: String, in audience: Audience) throws -> [String] {
        let resolved = try ResolveAudience(transaction, app: app)(audience)
        let types = try types(in: resolved)
        guard !types.contains(type) else { return [] }
        return ["No phone in the audience has registered the type \(type)" + Self.question(type, types)]
    }

    /// The selectors that widen an audience. A selector below a `not` narrows it.
    private func selectors(of audience: Audience) -> [Audience] {
        var found: [Audience] = []
        func collect(_ audience: Audience) {
            guard found.count < Self.selectorLimit else { return }
            switch audience {
            case .and(let parts), .or(let parts): for part in parts { collect(part) }
            case .not, .all: break
            default: found.append(audience)
            }
        }
        collect(audience)
        return found
    }

    // MARK: Sentences

    private func cause(_ selector: Audience) throws -> String? {
        switch selector {
        case .user(let user):
            "No device has the user \(user)" + (try sameUser(as: user).map { "; did you mean \($0)?" } ?? ".")
        case .users(let users): try missing(users)
        case .device(let id): "There is no device \(id.rawValue)."
        case .devices(let ids): try missing(ids)
        case .installation(let name): "No device has the installation \(name)."
        case .alias(let alias): "No device has a user with the alias \(alias.name) under \(alias.label)."
        case .tag(let tag, let group, _):
            "No device has the tag \(tag)\(group.map { " of the group \($0)" } ?? "")"
                + Self.question(tag, try tags(in: group))
        case .type(let type): "No phone has registered the type \(type)" + Self.question(type, try types(in: .all))
        case .segment(let name): "The segment \(name) matches no device."
        case .appVersion(let version):
            "No device has the version \(version) of the app"
                + Self.question(version, Set(try sample(.all).map(\.appVersion)))
        case .attribute(let rule): "No device has an attribute \(rule.name) that the audience selects."
        case .environment(let environment): "No device is in the environment \(environment.rawValue)."
        case .osAtLeast, .osBelow: "No device has a version of iOS that the audience selects."
        case .appVersionAtLeast, .appVersionBelow: "No device has a version of the app that the audience selects."
        case .hasUser: "No device has proven its user."
        case .seenAfter, .seenBefore, .testDevice, .and, .or, .not, .all: nil
        }
    }

    private static func question(_ name: String, _ known: Set<String>) -> String {
        NearMiss.of(name, among: known.sorted()).map { "; did you mean \($0)?" } ?? "."
    }

    private func missing(_ users: [String]) throws -> String? {
        let named = Array(Set(users).sorted().prefix(Self.listLimit))
        let devices = try ledger.devices(
            in: .users(named), of: app, after: DeviceID(rawValue: 0), limit: Self.listLimit * 5)
        // The devices of the other users may be among those that were not read.
        guard devices.count < Self.listLimit * 5 else { return nil }
        let known = Set(devices.compactMap(\.user))
        return Self.missing(named.filter { !known.contains($0) }, of: named.count, "users")
    }

    private func missing(_ ids: [DeviceID]) throws -> String? {
        let named = Array(Set(ids.map(\.rawValue)).sorted().prefix(Self.listLimit))
        let known = Set(
            try ledger.deviceIDs(in: .devices(named.map(DeviceID.init(rawValue:))), of: app, limit: named.count)
                .map(\.rawValue))
        return Self.missing(named.filter { !known.contains($0) }.map(String.init), of: named.count, "devices")
    }

    private static func missing(_ names: [String], of count: Int, _ kind: String) -> String? {
        guard !names.isEmpty else { return nil }
        let shown = names.prefix(namesShown).joined(separator: ", ")
        let list = names.count > namesShown ? "\(shown) and \(names.count - namesShown) more" : shown
        let lack = kind == "users" ? "no device" : "no registration"
        return "\(names.count) of \(count) \(kind) named \(names.count == 1 ? "has" : "have") \(lack): \(list)."
    }

    // MARK: Names that exist

    private func sample(_ audience: Audience) throws -> [Device] {
        try ledger.devices(in: audience, of: app, after: DeviceID(rawValue: 0), limit: Self.sampleSize)
    }

    private func types(in audience: Audience) throws -> Set<String> {
        Set(try sample(audience).flatMap { try ledger.startTokens(of: $0.id).map(\.type) })
    }

    private func tags(in group: String?) throws -> Set<String> {
        var tags: Set<String> = []
        for device in try sample(.all) {
            var traits = [try ledger.deviceTraits(of: device.id)]
            if let user = try device.user.flatMap({ try ledger.user($0, in: app) }) { traits.append(user.traits) }
            for traits in traits { tags.formUnion(group.map { traits.tagGroups[$0] ?? [] } ?? traits.tags) }
        }
        return tags
    }

    /// A user with an id that differs only in case. Other similarity is not used, because ids from machines are similar
    /// to each other.
    private func sameUser(as user: String) throws -> String? {
        let wanted = user.lowercased()
        return try sample(.all).compactMap(\.user).first { $0.lowercased() == wanted }
    }
}
