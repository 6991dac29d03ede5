import HTTP2Frames

/// The header block of an answer as bytes (RFC 7541). The client's table stays empty, because fields that differ
/// between answers would evict those that do not.
enum ResponseFields {
    /// The statuses of HPACK's fixed table.
    private static let fixed: [Int: UInt8] = [200: 8, 204: 9, 206: 10, 304: 11, 400: 12, 404: 13, 500: 14]
    /// The entry of the fixed table with the name `:status`.
    private static let statusName = 8

    /// - Parameter isFirst: whether this is the connection's first block. That block sets the table's size to 0, which
    ///   is valid for every size that the client offers.
    static func block(status: Int, _ fields: [(name: String, value: String)], isFirst: Bool) -> [UInt8] {
        var block: [UInt8] = []
        block.reserveCapacity(64)
        if isFirst { HeaderInteger.write(0, prefix: 5, 0x20, to: &block) }
        if let entry = fixed[status] {
            block.append(0x80 | entry)
        } else {
            HeaderInteger.write(statusName, prefix: 4, 0, to: &block)
            write("\(status)", to: &block)
        }
        for (name, value) in fields {
            block.append(0)
            write(name, to: &block)
            write(value, to: &block)
        }
        return block
    }

    private static func write(_ text: String, to block: inout [UInt8]) {
        HeaderInteger.write(text.utf8.count, prefix: 7, 0, to: &block)
        block += text.utf8
    }
}
