import EyotContract

extension AttributeValue {
    /// Makes a value from a string, a number, true or false; nil for anything else.
    init?(scalar value: JSONValue) {
        switch value {
        case .string(let text): self = .text(text)
        case .bool(let flag): self = .flag(flag)
        default:
            guard let number = value.double else { return nil }
            self = .number(number)
        }
    }
}

extension JSONFields {
    /// Reads a required member that is a string, a number, true or false.
    mutating func requiredScalar(_ name: String) throws(JSONFieldError) -> AttributeValue {
        guard let value = AttributeValue(scalar: try required(name, value(name))), value.isValid else {
            throw invalid(name, "must be a string that is not too long and has no NUL, a number, true or false")
        }
        return value
    }

    /// Reads a required text that can be part of an attribute.
    mutating func requiredPart(_ name: String) throws(JSONFieldError) -> String {
        let text = try required(name, string(name))
        guard !text.isEmpty, AttributeValue.text(text).isValid else {
            throw invalid(name, "must be a string that is not empty, not too long, and has no NUL")
        }
        return text
    }
}
