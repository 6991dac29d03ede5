/// Sixteen hexadecimal digits that identify the content of a card without revealing it.
///
/// Phone and server compute the same digits for the same state in any notation. Members are taken in the order of their
/// names. Members that are `null` are left out like missing optionals, and a number counts by its value.
public struct StateDigest: Sendable, Hashable {
    /// The digits, in lower case.
    public let text: String

    /// Computes the digest of a state.
    public init(of state: JSONValue) {
        var hash = Hash()
        hash.take(state)
        let digits = String(hash.value, radix: 16)
        text = String(repeating: "0", count: 16 - digits.count) + digits
    }

    /// Nil if the text is not a digest.
    public init?(text: String) {
        let isHexadecimal = text.utf8.allSatisfy { (48...57).contains($0) || (97...102).contains($0) }
        guard text.utf8.count == 16, isHexadecimal else { return nil }
        self.text = text
    }
}

/// The FNV-1a hash with 64 bits. It detects differences and keeps no secrets.
private struct Hash {
    private(set) var value: UInt64 = 0xcbf2_9ce4_8422_2325

    mutating func take(_ json: JSONValue) {
        switch json {
        case .null: take(mark: "n")
        case .bool(let bool): take(mark: bool ? "t" : "f")
        case .number(let literal):
            take(mark: "#")
            // Whole numbers that a double cannot hold keep their digits.
            take(json.integer.map(String.init) ?? json.double.map { "\($0)" } ?? literal)
        case .string(let text):
            take(mark: "\"")
            take(text)
        case .array(let elements):
            take(mark: "[")
            for element in elements { take(element) }
            take(mark: "]")
        case .object(let object):
            take(mark: "{")
            for member in object.members.filter({ $0.value != .null }).sorted(by: { $0.name < $1.name }) {
                take(member.name)
                take(member.value)
            }
            take(mark: "}")
        }
    }

    private mutating func take(_ text: String) {
        for byte in text.utf8 { take(byte: byte) }
        take(byte: 0)
    }

    private mutating func take(mark: Unicode.Scalar) { take(byte: UInt8(truncatingIfNeeded: mark.value)) }

    private mutating func take(byte: UInt8) { value = (value ^ UInt64(byte)) &* 0x100_0000_01b3 }
}
