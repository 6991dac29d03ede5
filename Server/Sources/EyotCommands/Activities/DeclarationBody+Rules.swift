import APNSWire
import EyotContract
import EyotDomain

extension DeclarationBody {
    /// The members that Apple's dictionary of an alert may hold. Whether the keys of localised alerts work for Live
    /// Activities is not documented. They are passed on.
    private static let alertMembers: Set<String> = [
        "title", "subtitle", "body", "sound", "launch-image", "title-loc-key", "title-loc-args", "subtitle-loc-key",
        "subtitle-loc-args", "loc-key", "loc-args",
    ]

    /// Checks the rules of alerts and of further members of `aps`, which are the same in each call.
    func checkParts() throws(EyotError) {
        if let alert { try check(alert: alert, at: "alert", isStart: false) }
        if let start = self.content.startAlert { try check(alert: start.body, at: "start.alert", isStart: true) }
        try checkFurther(isStart: true)
    }

    /// Refuses members that are not for this call.
    func checkCalls(of json: JSONValue) throws(EyotError) {
        let verb = self.verb
        for member in DeclarationMember.all where !member.isTaken(by: verb) {
            guard let value = json.object?[member.name], value != .null else { continue }
            throw EyotError(
                .fieldInvalid, "\(member.name) is not for \(verb.rawValue): \(member.reason)", field: member.name)
        }
    }

    /// Refuses members that exclude each other, or that need another one.
    func checkCompany(_ json: JSONValue) throws(EyotError) {
        if self.startsAt != nil, self.audience == nil {
            throw EyotError(.fieldInvalid, "startsAt plans a start, which needs audience", field: "startsAt")
        }
        if self.content.startAlert != nil, self.audience == nil {
            throw EyotError(
                .fieldInvalid, "start applies to the cards that a call starts, which needs audience", field: "start")
        }
        if liveLimit != nil, self.audience == nil || self.canary != nil {
            throw EyotError(
                .fieldInvalid, "live needs audience, and cannot be combined with canary", field: "live")
        }
        if self.scope != nil, self.audience != nil {
            throw EyotError(
                .fieldInvalid,
                "scope cannot be combined with audience: scope selects running cards, audience starts new ones",
                field: "scope")
        }
        if self.scope != nil, self.endsAt != nil {
            throw EyotError(
                .fieldInvalid,
                "endsAt ends the whole activity, so it cannot be combined with scope: end those cards with an end",
                field: "endsAt")
        }
        if self.scope != nil, self.canary != nil {
            throw EyotError(
                .fieldInvalid, "canary cannot be combined with scope, because a canary tries a state for all cards",
                field: "canary")
        }
        if alert == nil, let value = json.object?["alertLifetime"], value != .null {
            throw EyotError(
                .fieldInvalid, "alertLifetime needs alert, which is missing", field: "alertLifetime")
        }
    }

    /// Checks members that were set one by one.
    ///
    /// - Throws: ``EyotError`` that names the member in Eyot's words.
    package func check() throws(EyotError) {
        try FieldRule.name.check(self.name, field: "name")
        if let type = self.type { try FieldRule.identifier.check(type, field: "type") }
        let relevance = -Self.relevanceLimit...Self.relevanceLimit
        if let score = self.content.relevanceScore, !relevance.contains(score) {
            throw EyotError(
                .fieldInvalid,
                "relevanceScore must lie between \(Int(relevance.lowerBound)) and \(Int(relevance.upperBound))",
                field: "relevanceScore")
        }
        try checkNeeds()
    }

    /// Checks what Apple's table requires for each event.
    func checkNeeds() throws(EyotError) {
        let starts = self.verb == .start || self.audience != nil
        if starts, self.type == nil { throw missing("type", "a start names the attributes type") }
        if starts, self.attributes == nil { throw missing("attributes", "a start needs attributes, {} for none") }
        if self.verb != .end, self.content.state == nil, !repeatsState {
            throw missing("contentState", "a card needs a state to show")
        }
        try checkAlerts(isStart: starts)
        try checkFurther(isStart: starts)
        if self.verb == .start, self.audience == nil {
            throw EyotError(.audienceMissing, "audience is missing: a start needs one", field: "audience")
        }
    }

    private func missing(_ field: String, _ reason: String) -> EyotError {
        EyotError(.fieldMissing, "\(field) is missing: \(reason)", field: field)
    }

    /// Checks the alerts. A `PUT` may start no cards, and then it needs no alert. ``Declare`` checks that.
    private func checkAlerts(isStart: Bool) throws(EyotError) {
        let start = self.content.startAlert
        if let alert { try check(alert: alert, at: "alert", isStart: isStart && start == nil) }
        if let start = self.content.startAlert { try check(alert: start.body, at: "start.alert", isStart: true) }
        if self.verb == .start, alert == nil, start == nil { throw Self.alertMissing }
    }

    static let alertMissing = EyotError(.alertIncomplete, "alert is missing: a start needs one", field: "alert")

    private func check(alert: JSONValue, at place: String, isStart: Bool) throws(EyotError) {
        guard let alert = alert.object else {
            throw EyotError(.fieldMistyped, "\(place) must be an object, not \(alert.kind)", field: place)
        }
        for member in alert.members {
            let path = "\(place).\(member.name)"
            if member.name == AlertText.localizationsMember {
                try checkLanguages(member.value, at: path)
            } else {
                try checkText(member, at: path)
            }
        }
        for name in ["title", "body"] where !Self.says(alert[name]) {
            guard isStart || !["title", "body"].contains(where: { Self.says(alert[$0]) }) else { continue }
            let need = isStart ? "a start's alert needs title and body" : "an alert needs title or body"
            let isEmpty = alert[name]?.string?.isEmpty == true
            throw EyotError(
                .alertIncomplete, isEmpty ? "\(place).\(name) is empty, and \(need)" : need,
                field: "\(place).\(name)")
        }
    }

    private func checkText(_ member: JSONObject.Member, at path: String) throws(EyotError) {
        guard Self.alertMembers.contains(member.name) else {
            throw EyotError(.fieldUnknown, "\(path) is not one of Apple's keys", field: path)
        }
        try checkKind(of: member, at: path)
    }

    /// Checks the texts by language. Each replaces the text for all other languages.
    private func checkLanguages(_ value: JSONValue, at path: String) throws(EyotError) {
        guard let languages = value.object?.members else {
            throw EyotError(.fieldMistyped, "\(path) must be an object, not \(value.kind)", field: path)
        }
        guard languages.count <= AlertText.languageLimit else {
            throw EyotError(
                .fieldInvalid, "\(path) must have at most \(AlertText.languageLimit) languages", field: path)
        }
        for language in languages {
            let path = "\(path).\(language.name)"
            guard LanguageTag.isValid(language.name) else {
                throw EyotError(
                    .fieldInvalid, "\(path) must be a BCP 47 language tag such as pt-BR", field: path)
            }
            guard let texts = language.value.object else {
                throw EyotError(.fieldMistyped, "\(path) must be an object, not \(language.value.kind)", field: path)
            }
            for text in texts.members { try checkText(text, at: "\(path).\(text.name)") }
        }
    }

    /// Refuses further members of `aps` that Eyot writes itself.
    private func checkFurther(isStart: Bool) throws(EyotError) {
        for member in self.content.aps?.object?.members ?? [] {
            let path = "aps.\(member.name)"
            guard !member.name.isEmpty, !LiveActivityKey.owned.contains(member.name) else {
                throw EyotError(
                    .fieldInvalid, "\(path) is written by Eyot, from other members of the call", field: path)
            }
            if member.name == LiveActivityKey.inputPushToken, !isStart {
                throw EyotError(.fieldInvalid, "\(path) is allowed only in starts", field: path)
            }
        }
    }

    private func checkKind(of member: JSONObject.Member, at path: String) throws(EyotError) {
        let isRight: Bool
        let expected: String
        switch member.name {
        case "title", "subtitle", "body":
            isRight = member.value.string != nil || member.value.object?["loc-key"]?.string != nil
            expected = "a string, or an object with loc-key"
        case "title-loc-args", "subtitle-loc-args", "loc-args":
            isRight = member.value.array?.allSatisfy { $0.string != nil } == true
            expected = "an array of strings"
        default:
            isRight = member.value.string != nil
            expected = "a string"
        }
        guard isRight || member.value == .null else {
            throw EyotError(.fieldMistyped, "\(path) must be \(expected), not \(member.value.kind)", field: path)
        }
    }

    /// Whether a title or body is not empty.
    private static func says(_ value: JSONValue?) -> Bool {
        switch value {
        case .string(let text): !text.isEmpty
        case .object: true
        default: false
        }
    }
}
