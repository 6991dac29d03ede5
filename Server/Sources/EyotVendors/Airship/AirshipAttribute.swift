import EyotContract
import EyotDomain

/// Translates Airship's selector by an attribute.
enum AirshipAttribute {
    static func audience(_ value: JSONValue, at path: String) throws(JSONFieldError) -> Audience {
        var fields = try JSONFields(value, at: path)
        let name = try AirshipAudience.text(
            try fields.required("attribute", fields.value("attribute")), at: fields.path(of: "attribute"))
        let comparison = try fields.required("operator", fields.string("operator"))
        let audience = try audience(name, comparison, try precision(&fields), &fields)
        if fields.value("where") != nil {
            throw fields.invalid("where", "is not known here: give the member an attribute of its own")
        }
        try fields.finish()
        return audience
    }

    /// - Parameter precision: nil compares exact moments.
    private static func audience(
        _ name: String, _ comparison: String, _ precision: AirshipPrecision?, _ fields: inout JSONFields
    ) throws(JSONFieldError) -> Audience {
        func rule(_ test: AttributeRule.Test) -> Audience { .attribute(AttributeRule(name, test)) }
        switch comparison {
        case "is_empty":
            _ = fields.value("value")
            return .not(rule(.exists))
        case "equals":
            let span = try span(&fields, precision)
            let isWithin = span.map { Audience.and([rule(.after($0.after)), rule(.before($0.before))]) }
            if let isWithin, precision != nil { return isWithin }
            // Without a precision the value may be a text that looks like a date.
            let isEqual = rule(.equals(try fields.requiredScalar("value")))
            return isWithin.map { .or([isEqual, $0]) } ?? isEqual
        case "contains": return rule(.contains(try fields.requiredPart("value")))
        case "less": return rule(.below(try fields.required("value", fields.double("value"))))
        case "greater": return rule(.above(try fields.required("value", fields.double("value"))))
        case "before": return rule(.before(before(try moment("value", &fields), precision)))
        case "after": return rule(.after(after(try moment("value", &fields), precision)))
        case "range":
            let range = try range(&fields, precision)
            return .and([rule(.after(range.after)), rule(.before(range.before))])
        default: throw fields.invalid("operator", "is none of Airship's: \(comparison)")
        }
    }

    // MARK: Dates

    private static func precision(_ fields: inout JSONFields) throws(JSONFieldError) -> AirshipPrecision? {
        guard let word = try fields.string("precision") else { return nil }
        guard let precision = AirshipPrecision(rawValue: word) else {
            let words = AirshipPrecision.allCases.map(\.rawValue).joined(separator: ", ")
            throw fields.invalid("precision", "must be one of \(words)")
        }
        return precision
    }

    /// Parses a date. Airship's clients write it without a zone, which means UTC.
    private static func moment(_ text: String, at path: String) throws(JSONFieldError) -> Instant {
        guard let moment = Instant(dateText: text) else {
            throw JSONFieldError(
                path: path,
                .invalid("must be a date in UTC, such as 2021-11-03 12:00:00, or an ISO 8601 date with a zone"))
        }
        return moment
    }

    private static func moment(_ name: String, _ fields: inout JSONFields) throws(JSONFieldError) -> Instant {
        try moment(try fields.required(name, fields.string(name)), at: fields.path(of: name))
    }

    /// Returns the time before the year, month or day of a moment.
    private static func before(_ moment: Instant, _ precision: AirshipPrecision?) -> AudienceTime {
        .at(precision?.interval(of: moment).beginning ?? moment)
    }

    private static func after(_ moment: Instant, _ precision: AirshipPrecision?) -> AudienceTime {
        .at(precision.map { justBefore($0.interval(of: moment).end) } ?? moment)
    }

    private static func justBefore(_ moment: Instant) -> Instant { Instant(microseconds: moment.microseconds - 1) }
    private static func justAfter(_ moment: Instant) -> Instant { Instant(microseconds: moment.microseconds + 1) }

    private typealias Span = (after: AudienceTime, before: AudienceTime)

    /// Returns the span between two moments, with the whole year, month or day of both.
    private static func span(_ from: Instant, _ to: Instant, _ precision: AirshipPrecision?) -> Span {
        let beginning = precision?.interval(of: from).beginning ?? from
        return (.at(justBefore(beginning)), .at(precision?.interval(of: to).end ?? justAfter(to)))
    }

    /// Returns the span of times that equal the value; nil if the value is not a date.
    private static func span(
        _ fields: inout JSONFields, _ precision: AirshipPrecision?
    ) throws(JSONFieldError) -> Span? {
        if precision != nil {
            let value = try moment("value", &fields)
            return span(value, value, precision)
        }
        guard let value = fields.value("value")?.string.flatMap(Instant.init(dateText:)) else { return nil }
        return span(value, value, nil)
    }

    /// Reads two dates, the first and the last, or an object with `after` and `before`.
    private static func range(
        _ fields: inout JSONFields, _ precision: AirshipPrecision?
    ) throws(JSONFieldError) -> Span {
        if fields.value("value")?.array != nil {
            let dates = try fields.required("value", fields.strings("value"))
            guard dates.count == 2 else { throw fields.invalid("value", "must have two dates, the first and the last") }
            let path = fields.path(of: "value")
            return span(
                try moment(dates[0], at: "\(path)[0]"), try moment(dates[1], at: "\(path)[1]"), precision)
        }
        var range = try fields.required("value", fields.fields("value"))
        let span = (
            after: after(try moment("after", &range), precision),
            before: before(try moment("before", &range), precision)
        )
        try range.finish()
        return span
    }
}
