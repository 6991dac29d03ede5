import EyotContract
import EyotDomain

/// Airship's selector by an attribute.
enum AirshipAttribute {
    static func audience(_ value: JSONValue, at path: String) throws(JSONFieldError) -> Audience {
        var fields = try JSONFields(value, at: path)
        let name = try AirshipAudience.text(
            try fields.required("attribute", fields.value("attribute")), at: fields.path(of: "attribute"))
        let comparison = try fields.required("operator", fields.string("operator"))
        _ = try fields.string("precision")
        let audience = try audience(name, comparison, &fields)
        if fields.value("where") != nil {
            throw fields.invalid("where", "is not known here: give the member an attribute of its own")
        }
        try fields.finish()
        return audience
    }

    private static func audience(
        _ name: String, _ comparison: String, _ fields: inout JSONFields
    ) throws(JSONFieldError) -> Audience {
        func rule(_ test: AttributeRule.Test) -> Audience { .attribute(AttributeRule(name, test)) }
        switch comparison {
        case "is_empty":
            _ = fields.value("value")
            return .not(rule(.exists))
        case "equals": return rule(.equals(try fields.requiredScalar("value")))
        case "contains": return rule(.contains(try fields.requiredPart("value")))
        case "less": return rule(.below(try fields.required("value", fields.double("value"))))
        case "greater": return rule(.above(try fields.required("value", fields.double("value"))))
        case "before": return rule(.before(try moment(&fields)))
        case "after": return rule(.after(try moment(&fields)))
        case "range":
            var range = try fields.required("value", fields.fields("value"))
            let after = try range.required("after", range.vendorDate("after"))
            let before = try range.required("before", range.vendorDate("before"))
            try range.finish()
            return .and([rule(.after(.at(after))), rule(.before(.at(before)))])
        default: throw fields.invalid("operator", "is none of Airship's: \(comparison)")
        }
    }

    private static func moment(_ fields: inout JSONFields) throws(JSONFieldError) -> AudienceTime {
        .at(try fields.required("value", fields.vendorDate("value")))
    }
}
