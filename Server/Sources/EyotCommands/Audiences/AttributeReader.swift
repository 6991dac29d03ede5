import EyotContract
import EyotDomain

/// The reader of attributes and times in an audience.
enum AttributeReader {
    /// Reads tests like `{"name": "city", "of": "user", "is": "Ankara"}`, all of which must hold.
    static func tests(in value: JSONValue, at path: String) throws(EyotError) -> [Audience] {
        try read(value, at: path) { fields throws(JSONFieldError) in
            let name = try fields.identifier("name")
            let owner = try owner(&fields)
            func rule(_ test: AttributeRule.Test) -> Audience { .attribute(AttributeRule(name, of: owner, test)) }
            var tests: [Audience] = []
            if let exists = try fields.bool("exists") { tests.append(exists ? rule(.exists) : .not(rule(.exists))) }
            if let value = try scalar("is", &fields) { tests.append(rule(.equals(value))) }
            if let value = try scalar("isNot", &fields) { tests.append(.not(rule(.equals(value)))) }
            if let part = try fields.string("contains") {
                guard !part.isEmpty, AttributeValue.text(part).isValid else {
                    throw fields.invalid("contains", "must have 1 to \(DeviceLimits.attributeBytes) bytes and no NUL")
                }
                tests.append(rule(.contains(part)))
            }
            if let bound = try fields.double("atLeast") { tests.append(rule(.atLeast(bound))) }
            if let bound = try fields.double("above") { tests.append(rule(.above(bound))) }
            if let bound = try fields.double("atMost") { tests.append(rule(.atMost(bound))) }
            if let bound = try fields.double("below") { tests.append(rule(.below(bound))) }
            if let time = try time("before", &fields) { tests.append(rule(.before(time))) }
            if let time = try time("after", &fields) { tests.append(rule(.after(time))) }
            guard !tests.isEmpty else {
                let words = "exists, is, isNot, contains, atLeast, above, atMost, below, before or after"
                throw fields.invalid("is", "or another test is missing: send one of \(words)")
            }
            return tests
        }
    }

    static func owner(_ fields: inout JSONFields) throws(JSONFieldError) -> TraitOwner? {
        guard let word = try fields.string("of") else { return nil }
        guard let owner = TraitOwner(rawValue: word) else {
            throw fields.invalid("of", "must be user, device or backend")
        }
        return owner
    }

    /// Reads tests like `{"after": "…"}`, `{"before": {"daysAgo": 30}}` and `{"withinDays": 7}`, all of which must
    /// hold.
    static func seen(in value: JSONValue, at path: String) throws(EyotError) -> [Audience] {
        try read(value, at: path) { fields throws(JSONFieldError) in
            var tests: [Audience] = []
            if let time = try time("after", &fields) { tests.append(.seenAfter(time)) }
            if let time = try time("before", &fields) { tests.append(.seenBefore(time)) }
            if let days = try days("withinDays", &fields) { tests.append(.seenAfter(.daysAgo(days))) }
            guard !tests.isEmpty else { throw fields.invalid("after", "is missing, and so are before and withinDays") }
            return tests
        }
    }

    private static func read(
        _ value: JSONValue, at path: String, _ body: (inout JSONFields) throws(JSONFieldError) -> [Audience]
    ) throws(EyotError) -> [Audience] {
        do throws(JSONFieldError) {
            var fields = try JSONFields(value, at: path)
            let tests = try body(&fields)
            try fields.finish()
            return tests
        } catch {
            throw EyotError(error)
        }
    }

    private static func scalar(_ name: String, _ fields: inout JSONFields) throws(JSONFieldError) -> AttributeValue? {
        guard let json = fields.value(name) else { return nil }
        guard json.array == nil, let value = AttributeValue(json: json), value.isValid else {
            throw fields.invalid(
                name, "must be a number, true, false or a text of at most \(DeviceLimits.attributeBytes) bytes")
        }
        return value
    }

    /// Reads RFC 3339 text, or a number of days ago. Days below 0 lie ahead.
    private static func time(_ name: String, _ fields: inout JSONFields) throws(JSONFieldError) -> AudienceTime? {
        guard let value = fields.value(name) else { return nil }
        if value.object != nil {
            guard var inner = try fields.fields(name) else { return nil }
            let days = try inner.required("daysAgo", days("daysAgo", &inner, below: true))
            try inner.finish()
            return .daysAgo(days)
        }
        guard let text = try fields.string(name), let moment = Instant(rfc3339: text) else {
            throw fields.invalid(name, "must be RFC 3339 text with a zone, or {\"daysAgo\": days}")
        }
        return .at(moment)
    }

    private static func days(
        _ name: String, _ fields: inout JSONFields, below: Bool = false
    ) throws(JSONFieldError) -> Double? {
        guard let days = try fields.double(name) else { return nil }
        let least = below ? -AudienceTime.daysLimit : 0
        guard (least...AudienceTime.daysLimit).contains(days) else {
            throw fields.invalid(name, "must lie between \(Int(least)) and \(Int(AudienceTime.daysLimit))")
        }
        return days
    }
}

extension Audience {
    fileprivate static func read(
        _ value: JSONValue, at path: String, _ body: (inout JSONFields) throws(JSONFieldError) -> Audience
    ) throws(EyotError) -> Audience {
        do throws(JSONFieldError) {
            var fields = try JSONFields(value, at: path)
            let audience = try body(&fields)
            try fields.finish()
            return audience
        } catch {
            throw EyotError(error)
        }
    }

    /// Reads `{"name": "fans", "group": "sport", "of": "backend"}`.
    static func tag(in value: JSONValue, at path: String) throws(EyotError) -> Audience {
        try read(value, at: path) { fields throws(JSONFieldError) in
            .tag(
                try fields.identifier("name"), group: try fields.optionalIdentifier("group"),
                of: try AttributeReader.owner(&fields))
        }
    }

    static func alias(in value: JSONValue, at path: String) throws(EyotError) -> Audience {
        try read(value, at: path) { fields throws(JSONFieldError) in
            .alias(UserAlias(label: try fields.identifier("label"), name: try fields.identifier("name")))
        }
    }
}
