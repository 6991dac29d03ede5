import EyotContract
import HTTP2Frames
import NIOCore

/// The header block of a push as bytes, except the parts that differ from push to push: the recipient and the id.
///
/// It is valid for one connection while the connection's header table does not change.
struct RequestStencil {
    /// The form in which the recipient is written.
    enum Recipient {
        /// A token, as digits in the path.
        case token(pathPrefix: [UInt8])
        /// The text of a channel's id.
        case channel
    }

    /// The length of an id: a UUID's text.
    private static let idLength = 36

    private let recipient: Recipient
    /// The bytes up to the recipient, which follows with its length.
    private let before: [UInt8]
    /// The bytes from the recipient to the id.
    private let between: [UInt8]
    /// The table's count of changes when the stencil was made. Nil if making it changed the table, so that another
    /// stencil is needed next time.
    private let holdsAt: Int?

    /// Makes a stencil.
    ///
    /// - Parameters:
    ///   - before: writes the fields up to the recipient, and the name of its field.
    ///   - between: writes the fields up to the id, and the name of its field.
    init(
        _ recipient: Recipient, for table: inout HeaderTable, before: (inout HeaderTable, inout [UInt8]) -> Void,
        between: (inout HeaderTable, inout [UInt8]) -> Void
    ) {
        let changes = table.changes
        var (first, second): ([UInt8], [UInt8]) = ([], [])
        table.begin(&first)
        before(&table, &first)
        between(&table, &second)
        HeaderInteger.write(Self.idLength, prefix: 7, 0, to: &second)
        self.recipient = recipient
        self.before = first
        self.between = second
        holdsAt = table.changes == changes ? changes : nil
    }

    func holds(for table: HeaderTable) -> Bool { holdsAt == table.changes }

    /// Returns the length of the block with a recipient of this many bytes.
    func length(withRecipientOf bytes: Int) -> Int {
        let text = textLength(bytes)
        return before.count + Self.lengthOfLength(text) + text + between.count + Self.idLength
    }

    func write(_ bytes: ArraySlice<UInt8>, _ id: (high: UInt64, low: UInt64), to output: inout ByteBuffer) {
        output.writeBytes(before)
        let text = textLength(bytes.count)
        output.writeWithOutputRawSpan(minimumWritableBytes: 4 + text + between.count + Self.idLength) { span in
            Self.writeLength(text, to: &span)
            switch recipient {
            case .token(let prefix):
                for byte in prefix { span.append(byte) }
                for byte in bytes { Self.writeDigits(of: byte, to: &span) }
            case .channel:
                for byte in bytes { span.append(byte) }
            }
            for byte in between { span.append(byte) }
            Self.write(id, to: &span)
        }
    }

    private func textLength(_ bytes: Int) -> Int {
        switch recipient {
        case .token(let prefix): prefix.count + 2 * bytes
        case .channel: bytes
        }
    }

    // MARK: Bytes

    /// Returns the length of an integer with a prefix of seven bits: one byte up to 126, two up to 254, otherwise
    /// three.
    private static func lengthOfLength(_ length: Int) -> Int { length < 127 ? 1 : length < 255 ? 2 : 3 }

    private static func writeLength(_ length: Int, to span: inout OutputRawSpan) {
        guard length >= 127 else { return span.append(UInt8(length)) }
        let rest = length - 127
        span.append(127)
        if rest >= 128 { span.append(UInt8(rest & 127) | 128) }
        span.append(UInt8(rest < 128 ? rest : rest >> 7))
    }

    private static func write(_ id: (high: UInt64, low: UInt64), to span: inout OutputRawSpan) {
        for index in 0..<16 {
            if index == 4 || index == 6 || index == 8 || index == 10 { span.append(UInt8(ascii: "-")) }
            let word = index < 8 ? id.high : id.low
            writeDigits(of: UInt8(truncatingIfNeeded: word >> (56 - 8 * UInt64(index % 8))), to: &span)
        }
    }

    private static func writeDigits(of byte: UInt8, to span: inout OutputRawSpan) {
        span.append(HexBytes.digit(byte >> 4))
        span.append(HexBytes.digit(byte & 15))
    }
}
