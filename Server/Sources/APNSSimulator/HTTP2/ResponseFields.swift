import HTTP2Frames

/// The header block of an answer as bytes (RFC 7541). The client's table stays empty: what differs from answer to answer would only push
/// out what does not.
enum ResponseFields {
    /// The statuses of HPACK's fixed table.
    private static let fixed: [Int: UInt8] = [200: 8, 204: 9, 206: 10, 304: 11, 400: 12, 404: 13, 500: 14]
    /// The entry of the fixed table whose name is `:status`.
    private static let statusName = 8

    /// - Parameter isFirst: the first block of a connection says that the table is empty, which holds whatever size the client offers.
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
