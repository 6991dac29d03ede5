/// Hexadecimal text, the only form in which tokens and ids are written.
public enum HexBytes {
    /// Returns lower-case digits, two for each byte.
    public static func text(of bytes: some Sequence<UInt8>) -> String {
        var digits: [UInt8] = []
        for byte in bytes { digits += Self.digits(of: byte) }
        return String(decoding: digits, as: UTF8.self)
    }

    /// Returns the bytes of a text with an even number of digits in either case; nil for any other text.
    public static func bytes(of text: some StringProtocol) -> [UInt8]? {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(text.utf8.count / 2)
        var high: UInt8?
        for digit in text.utf8 {
            guard let nibble = nibble(of: digit) else { return nil }
            if let first = high {
                bytes.append(first << 4 | nibble)
                high = nil
            } else {
                high = nibble
            }
        }
        return high == nil ? bytes : nil
    }

    /// Returns the lower-case digit of four bits, 0 to 15, as an ASCII byte.
    @inlinable
    public static func digit(_ nibble: UInt8) -> UInt8 {
        nibble < 10 ? UInt8(ascii: "0") + nibble : UInt8(ascii: "a") + nibble - 10
    }

    static func digits(of byte: UInt8) -> [UInt8] { [digit(byte >> 4), digit(byte & 15)] }

    /// Returns the four bits of a digit in either case; nil for any other byte.
    package static func nibble(of digit: UInt8) -> UInt8? {
        switch digit {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): digit - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): digit - UInt8(ascii: "a") + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): digit - UInt8(ascii: "A") + 10
        default: nil
        }
    }
}
