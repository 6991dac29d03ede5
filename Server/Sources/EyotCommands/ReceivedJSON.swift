import EyotContract
import EyotDomain

/// JSON as a caller sent it: a body, or one line of a body.
///
/// Every text from outside passes here, so this type enforces the rules for all texts.
package enum ReceivedJSON {
    /// Parses a body or a line. `subject` names it in errors.
    ///
    /// - Throws: `jsonInvalid`, or `fieldInvalid` with the member that has a NUL character.
    package static func value(_ bytes: [UInt8], of subject: String) throws(EyotError) -> JSONValue {
        let value: JSONValue
        do throws(JSONSyntaxError) {
            value = try JSONValue(parsing: bytes)
        } catch {
            throw EyotError(.jsonInvalid, "\(subject) is not valid JSON: \(error)")
        }
        // The parser refuses a NUL byte, so only its escape can bring one. Most bodies have no such escape, and are not
        // searched.
        guard hasEscapedNUL(bytes), let path = value.pathOfNUL(at: "") else { return value }
        var error = EyotError(
            .fieldInvalid, "\(path.isEmpty ? subject : path) has a NUL character, which Eyot cannot store",
            field: path.isEmpty ? nil : path)
        error.isInCallersWords = true
        throw error
    }

    private static let escape = Array(#"\u0000"#.utf8)

    private static func hasEscapedNUL(_ bytes: [UInt8]) -> Bool {
        var rest = bytes[...]
        while let start = rest.firstIndex(of: escape[0]) {
            guard !rest[start...].starts(with: escape) else { return true }
            rest = rest[(start + 1)...]
        }
        return false
    }
}

extension JSONValue {
    /// The path of the first text or member name with a NUL character, or nil if there is none.
    fileprivate func pathOfNUL(at path: String) -> String? {
        switch self {
        case .null, .bool, .number: return nil
        case .string(let text): return text.utf8.contains(0) ? path : nil
        case .array(let elements):
            for (index, element) in elements.enumerated() {
                if let found = element.pathOfNUL(at: "\(path)[\(index)]") { return found }
            }
            return nil
        case .object(let object):
            for member in object.members {
                // A name with a NUL character cannot be part of an error, so the error names its object.
                guard !member.name.utf8.contains(0) else { return path }
                let below = path.isEmpty ? member.name : "\(path).\(member.name)"
                if let found = member.value.pathOfNUL(at: below) { return found }
            }
            return nil
        }
    }
}
