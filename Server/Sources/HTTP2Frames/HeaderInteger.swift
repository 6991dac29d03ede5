/// Integers of header blocks (RFC 7541, section 5.1).
package enum HeaderInteger {
    /// Writes an integer that shares its first byte with a pattern.
    package static func write(_ value: Int, prefix: Int, _ pattern: UInt8, to block: inout [UInt8]) {
        let most = 1 << prefix - 1
        guard value >= most else { return block.append(pattern | UInt8(value)) }
        block.append(pattern | UInt8(most))
        var rest = value - most
        while rest >= 128 {
            block.append(UInt8(rest & 127) | 128)
            rest >>= 7
        }
        block.append(UInt8(rest))
    }
}
