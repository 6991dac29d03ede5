import APNSWire
import EyotContract
import EyotDomain

/// The body of a declaration, as a caller wrote it. Each member has the right kind and belongs to the call. Times are
/// not checked yet.
///
/// Members are Apple's keys in camelCase, and Eyot's own. ``DeclarationMember/all`` describes them. What needs no more
/// than reading stands in the request already, and a body has the request's properties as its own.
@dynamicMemberLookup
package struct DeclarationBody: Sendable, Hashable {
    /// What the body asks for, without what depends on the moment of its acceptance.
    var written: DeclarationRequest
    /// For every card.
    package var alert: JSONValue?
    /// Seconds for which the alert is worth giving.
    package var alertLifetime: Double?
    package var staleDate: Instant?
    /// Seconds after which the state is stale, counted from when it is shown.
    package var staleAfter: Double?
    package var dismissalDate: Instant?
    /// The limit of cards that the open audience starts. Nil means that the audience does not stay open.
    package var liveLimit: Int?
    private var audienceJSON: JSONValue?
    /// If `asOf` is absent, the moment of acceptance counts as `asOf`.
    package var isOfNow = false
    /// If the state is absent, an update repeats the newest state.
    package var repeatsState = false
    /// The caller named the planned end. A vendor's plane has its own words for it.
    package var namesItsEnd = false
    /// Phones that could not decode the state are left out. Otherwise the call is refused.
    package var leavesOut = false

    package subscript<Value>(dynamicMember property: WritableKeyPath<DeclarationRequest, Value>) -> Value {
        get { written[keyPath: property] }
        set { written[keyPath: property] = newValue }
    }

    /// A body for a vendor's call. Its members are set one by one, and ``check()`` checks them.
    package init(verb: DeclarationRequest.Verb, name: String) {
        written = DeclarationRequest(verb: verb, name: name, content: Content())
    }

    /// The declaration limited to phones of one environment. A declaration for all cards of the activity becomes one
    /// for the cards of that environment.
    package func limited(to environment: PushEnvironment) -> DeclarationBody {
        let own = Audience.environment(environment)
        let (audience, scope) = (self.audience, self.scope)
        var body = self
        body.audience = audience.map { .and([$0, own]) }
        body.audienceJSON = audienceJSON.map { ["and": [$0, ["environment": .string(environment.rawValue)]]] }
        switch self.verb {
        case .update, .end: body.scope = .and([scope ?? .all, own])
        case .start, .put: body.scope = scope.map { .and([$0, own]) }
        }
        return body
    }

    /// The greatest relevance score, positive or negative. Larger scores are mistakes: scores are relative within the
    /// app, and 0 to 100 is usual.
    package static let relevanceLimit = 1e9
    /// The longest lifetime of an alert, in seconds.
    package static let alertLifetimeLimit = 86_400.0

    /// Reads a call's body.
    ///
    /// - Throws: ``EyotError`` that names the member.
    package init(json: JSONValue, verb: DeclarationRequest.Verb, name: String) throws(EyotError) {
        self.init(verb: verb, name: name)
        try FieldRule.name.check(name, field: "name")
        try checkCalls(of: json)
        do throws(JSONFieldError) {
            var fields = try JSONFields(json)
            try read(&fields)
            try fields.finish()
        } catch {
            throw EyotError(error)
        }
        self.audience = try fields(json, "audience")
        audienceJSON = json.object?["audience"]
        self.scope = try fields(json, "scope")
        try checkCompany(json)
        try checkNeeds()
    }

    /// Checks that members of a declaration are of the right kind, if the kind does not depend on the call.
    ///
    /// - Throws: ``EyotError`` that names the member.
    static func check(members json: JSONValue) throws(EyotError) {
        var body = DeclarationBody(verb: .put, name: "")
        do throws(JSONFieldError) {
            var fields = try JSONFields(json)
            try body.read(&fields)
            try fields.finish()
        } catch {
            throw EyotError(error)
        }
        try body.checkParts()
    }

    private mutating func read(_ fields: inout JSONFields) throws(JSONFieldError) {
        for member in DeclarationMember.all { try member.read?(&self, &fields, member.name) }
        namesItsEnd = self.endsAt != nil
        if staleAfter != nil, staleDate != nil {
            throw fields.invalid("staleAfter", "cannot be combined with staleDate")
        }
        self.removed = removedMembers(fields)
    }

    /// The sticky members that are present and null.
    private func removedMembers(_ fields: JSONFields) -> Set<Content.StickyMember> {
        var removed: Set<Content.StickyMember> = []
        if fields.has("staleDate") || fields.has("staleAfter"), staleDate == nil, staleAfter == nil {
            removed.insert(.stale)
        }
        if fields.has("relevanceScore"), self.content.relevanceScore == nil { removed.insert(.relevanceScore) }
        return removed
    }

    /// The terms on which the audience stays open, or nil if it does not.
    var live: LiveAudience.Terms? {
        guard let liveLimit, let audienceJSON else { return nil }
        return LiveAudience.Terms(audience: audienceJSON, limit: liveLimit)
    }

    private func fields(_ json: JSONValue, _ name: String) throws(EyotError) -> Audience? {
        guard let value = json.object?[name], value != .null else { return nil }
        return try Audience(json: value, at: name)
    }
}

extension JSONFields {
    /// Reads a member that is one of Apple's priorities for Live Activities, 5 or 10.
    package mutating func applePriority(_ name: String) throws(JSONFieldError) -> APNSPriority? {
        guard let number = try integer(name) else { return nil }
        guard [5, 10].contains(number), let priority = APNSPriority(rawValue: number) else {
            throw invalid(name, "must be 5 or 10")
        }
        return priority
    }

    /// Reads a member that is RFC 3339 text.
    package mutating func moment(_ name: String) throws(JSONFieldError) -> Instant? {
        guard let text = try string(name) else { return nil }
        guard let moment = Instant(rfc3339: text) else {
            throw invalid(name, "must be RFC 3339 text with a zone, such as 2022-12-18T15:00:00Z")
        }
        return moment
    }

    /// Reads a member that is RFC 3339 text, or `never`. An absent member leaves a planned end as it is, so only
    /// `never` lifts it.
    mutating func plannedEnd(_ name: String) throws(JSONFieldError) -> PlannedEnd? {
        if case .string("never")? = value(name) { return .never }
        return try moment(name).map(PlannedEnd.at)
    }

    /// Reads whether phones that could not decode the state are left out.
    mutating func leavesOut(_ name: String) throws(JSONFieldError) -> Bool {
        switch try string(name) {
        case nil, "refuse": return false
        case "leaveOut": return true
        default: throw invalid(name, "must be refuse or leaveOut")
        }
    }

    /// Reads the alert inside `start`.
    mutating func startAlert(_ name: String) throws(JSONFieldError) -> JSONValue? {
        guard var fields = try fields(name) else { return nil }
        let alert = try fields.required("alert", fields.object("alert"))
        try fields.finish()
        return alert
    }

    /// Reads `true`, or the limit in an object.
    mutating func liveLimit(_ name: String) throws(JSONFieldError) -> Int? {
        guard value(name)?.object != nil else {
            return try bool(name) == true ? LiveAudience.Terms.standardLimit : nil
        }
        guard var fields = try fields(name) else { return nil }
        let limit = try fields.required("limit", fields.integer("limit"))
        guard (1...LiveAudience.Terms.greatestLimit).contains(limit) else {
            throw fields.invalid("limit", "must lie between 1 and \(LiveAudience.Terms.greatestLimit)")
        }
        try fields.finish()
        return limit
    }

    /// Reads the terms of a canary.
    mutating func canary(_ name: String) throws(JSONFieldError) -> Canary.Terms? {
        guard var fields = try fields(name) else { return nil }
        let percent = try fields.number("percent", within: Canary.Terms.percentRange)
        var terms = Canary.Terms(percent: try fields.required("percent", percent))
        terms.maximumRefusals =
            try fields.number("maximumRefusals", within: Canary.Terms.refusalRange) ?? terms.maximumRefusals
        terms.waitSeconds = try fields.number("waitSeconds", within: Canary.Terms.waitRange) ?? terms.waitSeconds
        try fields.finish()
        return terms
    }

    /// Reads a number within a range. A literal that no `Double` can hold is out of every range.
    mutating func number(
        _ name: String, within range: ClosedRange<Double>
    ) throws(JSONFieldError) -> Double? {
        guard case .number(let literal)? = value(name) else { return try double(name) }
        guard let number = Double(literal), range.contains(number) else {
            throw invalid(name, "must lie between \(range.lowerBound) and \(range.upperBound)")
        }
        return number
    }
}
