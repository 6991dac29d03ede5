import EyotDomain
import EyotHTTP

/// The fields of a form that a browser sent.
struct FormFields {
    /// The most bytes of a form, unless its route says otherwise.
    static let bodyBytes = 256 * 1_024
    /// The most fields of a form.
    private static let limit = 2_000

    private var values: [String: String] = [:]

    /// - Throws: `fieldInvalid` if the body is no form, or has a field twice.
    init(_ body: [UInt8]) throws(EyotError) {
        let pairs = body.split(separator: UInt8(ascii: "&"), maxSplits: Self.limit)
        guard pairs.count <= Self.limit else { throw EyotError(.bodyTooLarge, "the form has too many fields") }
        for pair in pairs {
            let parts = pair.split(separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false)
            let texts = parts.map {
                PercentEncoding.decoded(String(decoding: $0, as: UTF8.self).replacing("+", with: " "))
            }
            guard let name = texts[0], let value = texts.count > 1 ? texts[1] : "" else {
                throw EyotError(.fieldInvalid, "the form is not percent-encoded UTF-8 without NUL")
            }
            guard values.updateValue(value, forKey: name) == nil else {
                throw EyotError(.fieldInvalid, "\(name) is given more than once", field: name)
            }
        }
    }

    /// The text of a field; nil if it is missing or empty.
    subscript(name: String) -> String? { values[name].flatMap { $0.isEmpty ? nil : $0 } }

    /// The fields with names that begin with a text, by their names without it.
    func fields(under prefix: String) -> [String: String] {
        var found: [String: String] = [:]
        for (name, value) in values where name.hasPrefix(prefix) { found[String(name.dropFirst(prefix.count))] = value }
        return found
    }

    /// - Throws: `fieldMissing`.
    func required(_ name: String) throws(EyotError) -> String {
        guard let value = self[name] else { throw EyotError(.fieldMissing, "\(name) is missing", field: name) }
        return value
    }

    /// Checks that the member typed the name of what is about to be changed for good. A name with hidden characters is
    /// typed as the page shows it.
    ///
    /// - Throws: `fieldInvalid`.
    func requireTyped(_ name: String) throws(EyotError) {
        let shown = Shown.text(name)
        guard let typed = self["typed"], typed == name || typed == shown else {
            throw EyotError(.fieldInvalid, "type \(shown) to confirm, exactly as it is written", field: "typed")
        }
    }
}
