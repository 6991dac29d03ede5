import EyotContract
import EyotDomain

extension FormFields {
    /// Reads a field with JSON.
    ///
    /// - Throws: `fieldMissing`, and `fieldInvalid` with what is wrong and where.
    func json(_ name: String) throws -> JSONValue {
        let text = try required(name)
        do {
            return try JSONValue(parsing: text)
        } catch {
            throw EyotError(.fieldInvalid, "\(name) is not JSON: \(error)", field: name)
        }
    }

    /// A field with a number, as the API takes it; the text itself if it is none, so that the API says what is wrong.
    func number(_ name: String) -> JSONValue? {
        guard let text = self[name]?.trimmed, !text.isEmpty else { return nil }
        guard let json = try? JSONValue(parsing: text), case .number = json else { return .string(text) }
        return json
    }
}
