import EyotContract
import EyotDomain

/// The rules for texts that callers choose.
package enum FieldRule {
    /// The name of an activity, an app or a key. People read it, so it has no control characters.
    case name
    /// A user's id or a tag: any identifier.
    case identifier

    /// - Throws: `fieldInvalid` with the field.
    package func check(_ text: String, field: String) throws(EyotError) {
        guard DeviceLimits.isIdentifier(text) else {
            throw EyotError(
                .fieldInvalid, "\(field) must have 1 to \(DeviceLimits.identifierBytes) bytes and no NUL",
                field: field)
        }
        guard self != .name || !text.unicodeScalars.contains(where: { $0.properties.generalCategory == .control })
        else { throw EyotError(.fieldInvalid, "\(field) must have no control characters", field: field) }
    }

    static func isLetterOrDigit(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"):
            true
        default: false
        }
    }
}

extension EyotError {
    /// The error for one member of a body.
    package init(_ error: JSONFieldError) {
        let code: Code =
            switch error.problem {
            case .missing: .fieldMissing
            case .unknown: .fieldUnknown
            case .mistyped: .fieldMistyped
            case .invalid: .fieldInvalid
            }
        self.init(code, error.description, field: error.path.isEmpty ? nil : error.path)
    }
}
