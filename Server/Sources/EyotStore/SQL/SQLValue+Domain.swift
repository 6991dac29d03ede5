import EyotContract
import EyotDomain

/// How values of the domain are written in columns. ``SQLColumns`` reads them back.
extension SQLValue {
    init(_ number: Int) { self = .integer(Int64(number)) }
    init(_ number: Int?) { self.init(number.map(Int64.init)) }
    init(_ number: Int64?) { self = number.map(SQLValue.integer) ?? .null(.integer) }
    init(_ flag: Bool) { self = .integer(flag ? 1 : 0) }
    init(_ text: String) { self = .text(text) }
    init(_ text: String?) { self = text.map(SQLValue.text) ?? .null(.text) }
    /// A `LIKE` pattern that finds a text in a column with a JSON list of texts. A backslash escapes the wildcards.
    init(listing text: String) {
        let written = JSONValue.string(text).text.map { "\\%_".contains($0) ? "\\\($0)" : String($0) }.joined()
        self = .text("%\(written)%")
    }
    init(_ bytes: [UInt8]?) { self = bytes.map(SQLValue.blob) ?? .null(.blob) }
    /// Microseconds since 1970.
    init(_ moment: Instant) { self = .integer(moment.microseconds) }
    init(_ moment: Instant?) { self.init(moment?.microseconds) }
    /// JSON is opaque to the database, which keeps the order of members and the literals of numbers.
    init(_ json: JSONValue?) { self = json.map { .text($0.text) } ?? .null(.text) }
    init(_ id: AppID) { self = .integer(id.rawValue) }
    init(_ id: AppID?) { self.init(id?.rawValue) }
    init(_ id: DeviceID) { self = .integer(id.rawValue) }
    init(_ id: DeviceID?) { self.init(id?.rawValue) }
    init(_ id: ActivityID) { self = .integer(id.rawValue) }
    init(_ id: ActivityID?) { self.init(id?.rawValue) }
    init(_ hash: SecretHash) { self = .blob(hash.bytes) }
    init(_ environment: PushEnvironment) { self = .text(environment.rawValue) }
}
