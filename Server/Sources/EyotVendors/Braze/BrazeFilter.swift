import EyotCommands
import EyotContract
import EyotDomain

/// One filter of a connected audience.
struct BrazeFilter {
    var audience: Audience

    init(_ name: String, _ fields: inout JSONFields, at path: String) throws(JSONFieldError) {
        switch name {
        case "custom_attribute": audience = try Self.attribute(&fields)
        case "push_subscription_status": audience = try Self.subscription(&fields)
        case "last_used_app": audience = try Self.lastUsed(&fields)
        case "email_subscription_status": audience = try Self.emailSubscription(&fields)
        default: throw JSONFieldError(path: path, .unknown)
        }
    }

    private static func attribute(_ fields: inout JSONFields) throws(JSONFieldError) -> Audience {
        let name = try fields.required("custom_attribute_name", fields.string("custom_attribute_name"))
        guard DeviceLimits.isIdentifier(name) else {
            throw fields.invalid("custom_attribute_name", "must have 1 to \(DeviceLimits.identifierBytes) bytes")
        }
        let comparison = try fields.required("comparison", fields.string("comparison"))
        func rule(_ test: AttributeRule.Test) -> Audience { .attribute(AttributeRule(name, test)) }
        /// Returns the opposite of a test, as Braze defines it: a missing attribute fails both the test and its
        /// opposite.
        func other(_ test: AttributeRule.Test) -> Audience { .and([rule(.exists), .not(rule(test))]) }
        switch comparison {
        case "exists": return rule(.exists)
        case "does_not_exist": return .not(rule(.exists))
        case "equals": return rule(.equals(try fields.requiredScalar("value")))
        case "not_equal", "does_not_equal": return other(.equals(try fields.requiredScalar("value")))
        case "includes_value": return rule(.contains(try fields.requiredPart("value")))
        case "does_not_include_value": return other(.contains(try fields.requiredPart("value")))
        case "greater_than": return rule(.above(try number(&fields)))
        case "greater_than_or_equal_to": return rule(.atLeast(try number(&fields)))
        case "less_than": return rule(.below(try number(&fields)))
        case "less_than_or_equal_to": return rule(.atMost(try number(&fields)))
        case "before": return rule(.before(try moment(&fields)))
        case "after": return rule(.after(try moment(&fields)))
        // A date in the future is not days ago, and a past date is not in the future.
        case "less_than_x_days_ago":
            return .and([rule(.after(.daysAgo(try days(&fields)))), .not(rule(.after(.daysAgo(0))))])
        case "greater_than_x_days_ago": return rule(.before(.daysAgo(try days(&fields))))
        case "less_than_x_days_in_the_future":
            return .and([rule(.before(.daysAgo(-(try days(&fields))))), .not(rule(.before(.daysAgo(0))))])
        case "greater_than_x_days_in_the_future": return rule(.after(.daysAgo(-(try days(&fields)))))
        case "matches_regex":
            return try BrazePattern(&fields).audience(rule)
        case "does_not_match_regex":
            return .and([rule(.exists), .not(try BrazePattern(&fields).audience(rule))])
        default: throw fields.invalid("comparison", "is none of Braze's comparisons: \(comparison)")
        }
    }

    private static func number(_ fields: inout JSONFields) throws(JSONFieldError) -> Double {
        try fields.required("value", fields.double("value"))
    }

    private static func days(_ fields: inout JSONFields) throws(JSONFieldError) -> Double {
        let days = try number(&fields)
        guard (0...AudienceTime.daysLimit).contains(days) else {
            throw fields.invalid("value", "must lie between 0 and \(Int(AudienceTime.daysLimit)) days")
        }
        return days
    }

    private static func moment(_ fields: inout JSONFields) throws(JSONFieldError) -> AudienceTime {
        .at(try fields.required("value", fields.vendorDate("value")))
    }

    /// Translates the push subscription. Every device counts as subscribed, because one without pushes gets no card
    /// anyway.
    private static func subscription(_ fields: inout JSONFields) throws(JSONFieldError) -> Audience {
        let isWanted: Bool
        switch try fields.required("comparison", fields.string("comparison")) {
        case "is": isWanted = true
        case "is_not": isWanted = false
        default: throw fields.invalid("comparison", "must be is or is_not")
        }
        switch try fields.required("value", fields.string("value")) {
        case "opted_in", "subscribed": return isWanted ? .all : .not(.all)
        case "unsubscribed": return isWanted ? .not(.all) : .all
        default: throw fields.invalid("value", "must be opted_in, subscribed or unsubscribed")
        }
    }

    /// Reads an attribute of that name. Eyot keeps no e-mail addresses, so only imported values are known.
    private static func emailSubscription(_ fields: inout JSONFields) throws(JSONFieldError) -> Audience {
        let comparison = try fields.required("comparison", fields.string("comparison"))
        let value = try fields.required("value", fields.string("value"))
        guard ["opted_in", "subscribed", "unsubscribed"].contains(value) else {
            throw fields.invalid("value", "must be opted_in, subscribed or unsubscribed")
        }
        let rule = Audience.attribute(AttributeRule("email_subscription_status", .equals(.text(value))))
        switch comparison {
        case "is": return rule
        case "is_not": return .not(rule)
        default: throw fields.invalid("comparison", "must be is or is_not")
        }
    }

    private static func lastUsed(_ fields: inout JSONFields) throws(JSONFieldError) -> Audience {
        let comparison = try fields.required("comparison", fields.string("comparison"))
        let moment = try moment(&fields)
        switch comparison {
        case "after": return .seenAfter(moment)
        case "before": return .seenBefore(moment)
        default: throw fields.invalid("comparison", "must be after or before")
        }
    }
}
