import HTTP2Frames
import NIOCore
import NIOHPACK

/// Reads the status out of the header blocks of answers.
///
/// That is all that is asked of them, thousands of times a second, so a block is only walked over where that is enough: where
/// it begins with one of the statuses of HPACK's fixed table and changes nothing in the decoder's own table. All others are
/// decoded. We ask the peer for no table at all (``SettingKey/headerTableSize`` of 0); one that keeps a table all the same is
/// understood.
struct ResponseStatus {
    /// What both sides begin with. Decoding needs it until the peer says that it is smaller.
    private static let tableSize = 4_096
    /// Longer lists of fields are refused.
    static let longestList = 16_384
    /// The statuses of the fixed table, from its eighth entry on.
    private static let fixed = [200, 204, 206, 304, 400, 404, 500]

    private var decoder = HPACKDecoder(
        allocator: ByteBufferAllocator(), maxDynamicTableSize: tableSize, maxHeaderListSize: longestList)

    /// The status in a block, nil where it has none, as trailers have not.
    ///
    /// - Throws: ``HTTP2Violation`` where it cannot be decoded; then no later one can be, either.
    mutating func read(_ block: ByteBuffer) throws(HTTP2Violation) -> Int? {
        if let status = statusByWalking(block.readableBytesUInt8Span) { return status }
        var block = block
        do {
            return try decoder.decodeHeaders(from: &block).first(name: ":status").flatMap { Int($0) }
        } catch {
            throw HTTP2Violation(.compression, "a header block cannot be decoded: \(error)")
        }
    }

    private func statusByWalking(_ block: Span<UInt8>) -> Int? {
        guard !block.isEmpty, (0x88...0x8E).contains(block[0]) else { return nil }
        let mayInsert = decoder.allowedDynamicTableLength == 0
        var at = 1
        while at < block.count {
            let first = block[at]
            if first & 0x80 != 0 {  // a field of a table
                guard Self.skipInteger(block, &at, prefix: 7) != nil else { return nil }
                continue
            }
            let isInserted = first & 0x40 != 0
            // What would be inserted changes the table, unless there is none; and so does a change of its size.
            guard isInserted ? mayInsert : first & 0x20 == 0,
                let name = Self.skipInteger(block, &at, prefix: isInserted ? 6 : 4),
                name != 0 || Self.skipString(block, &at), Self.skipString(block, &at)
            else { return nil }
        }
        return Self.fixed[Int(block[0] - 0x88)]
    }

    private static func skipString(_ block: Span<UInt8>, _ at: inout Int) -> Bool {
        guard let length = skipInteger(block, &at, prefix: 7), length <= block.count - at else { return false }
        at += length
        return true
    }

    /// Nil where it does not end, or where no string could be so long.
    private static func skipInteger(_ block: Span<UInt8>, _ at: inout Int, prefix: Int) -> Int? {
        guard at < block.count else { return nil }
        let most = 1 << prefix - 1
        var value = Int(block[at]) & most
        at += 1
        guard value == most else { return value }
        for shift in stride(from: 0, through: 14, by: 7) {
            guard at < block.count else { return nil }
            let byte = block[at]
            at += 1
            value += Int(byte & 127) << shift
            if byte & 128 == 0 { return value }
        }
        return nil
    }
}
