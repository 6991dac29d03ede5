import HTTP2Frames
import NIOCore
import NIOHPACK

/// A reader of the status in the header blocks of answers.
///
/// The reader needs only the status, thousands of times a second. So a block is only walked over if it begins with a
/// status of HPACK's fixed table and changes nothing in the decoder's table. All other blocks are decoded. The client
/// asks the peer for no table (``SettingKey/headerTableSize`` of 0). A peer that keeps one anyway is supported.
struct ResponseStatus {
    /// The initial table size on both sides. Decoding needs it until the peer announces a smaller one.
    private static let tableSize = 4_096
    /// The longest list of fields that is accepted, in bytes.
    static let longestList = 16_384
    /// The statuses of the fixed table, from its eighth entry on.
    private static let fixed = [200, 204, 206, 304, 400, 404, 500]

    private var decoder = HPACKDecoder(
        allocator: ByteBufferAllocator(), maxDynamicTableSize: tableSize, maxHeaderListSize: longestList)

    /// Returns the status in a block; nil if it has none, for example in trailers.
    ///
    /// - Throws: ``HTTP2Violation`` if the block cannot be decoded. No later block can be decoded then either.
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
            // An insertion changes the table unless its size is 0. A change of its size does too.
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

    /// Returns nil if the integer does not end, or is too long for any string.
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
