import HTTP2Frames

/// What the peer's HPACK table holds of our header fields (RFC 7541), and how a field is written because of it.
///
/// Strings are never Huffman coded: what a connection says often stands in the table after the first time, and a token's
/// digits would not get much shorter.
struct HeaderTable {
    /// What becomes of a field.
    enum Keeping {
        /// It goes into the table, and is one byte from then on.
        case whole
        /// Its value differs; the first one goes into the table for the sake of its name.
        case name
    }

    private struct Entry {
        let name: String
        let value: String
        var size: Int { name.utf8.count + value.utf8.count + 32 }

        /// Byte by byte: texts that look alike are not the same on the wire.
        func has(_ name: String, _ value: String) -> Bool {
            value.utf8.elementsEqual(self.value.utf8) && name.utf8.elementsEqual(self.name.utf8)
        }
    }

    /// The largest table that we use, whatever the peer offers. What both sides begin with.
    private static let most = 4_096
    /// Fields of the fixed table that we write.
    private static let fixed = [":authority": 1, ":path": 4, "authorization": 23]
    private static let fixedCount = 61

    /// Newest last.
    private var entries: [Entry] = []
    private var size = 0
    private var limit = most
    /// The smallest limit since the last block, where it was changed: the next block begins with it.
    private var unsaid: Int?
    /// Grows with each change, so that whoever keeps bytes knows whether they still hold.
    private(set) var changes = 0

    /// The peer has said how large its table is.
    mutating func limit(to bytes: Int) {
        let new = min(bytes, Self.most)
        guard new != limit else { return }
        limit = new
        unsaid = min(unsaid ?? new, new)
        changes += 1
        shrink(to: unsaid ?? new)
    }

    /// Begins a block of header fields.
    mutating func begin(_ block: inout [UInt8]) {
        guard let smallest = unsaid else { return }
        HeaderInteger.write(smallest, prefix: 5, 0x20, to: &block)
        if limit != smallest { HeaderInteger.write(limit, prefix: 5, 0x20, to: &block) }
        unsaid = nil
        changes += 1
    }

    /// Writes a field.
    mutating func write(_ name: String, _ value: String, _ keeping: Keeping = .whole, to block: inout [UInt8]) {
        if let index = entries.lastIndex(where: { $0.has(name, value) }) {
            return HeaderInteger.write(number(of: index), prefix: 7, 0x80, to: &block)
        }
        let entry = Entry(name: name, value: value)
        let isNameKnown = entries.contains { $0.name == name }
        let isKept = entry.size <= limit && (keeping == .whole || !isNameKnown)
        if isKept {
            writeName(name, prefix: 6, 0x40, to: &block)
            keep(entry)
        } else {
            writeName(name, prefix: 4, 0, to: &block)
        }
        HeaderInteger.write(value.utf8.count, prefix: 7, 0, to: &block)
        block += value.utf8
    }

    /// Writes the name of a field whose value follows each time, with its length, and is never kept.
    func writeName(_ name: String, to block: inout [UInt8]) { writeName(name, prefix: 4, 0, to: &block) }

    private func writeName(_ name: String, prefix: Int, _ pattern: UInt8, to block: inout [UInt8]) {
        let known = Self.fixed[name] ?? entries.lastIndex { $0.name == name }.map(number)
        HeaderInteger.write(known ?? 0, prefix: prefix, pattern, to: &block)
        guard known == nil else { return }
        HeaderInteger.write(name.utf8.count, prefix: 7, 0, to: &block)
        block += name.utf8
    }

    /// An entry's number on the wire: the newest is the first behind the fixed ones.
    private func number(of index: Int) -> Int { Self.fixedCount + entries.count - index }

    private mutating func keep(_ entry: Entry) {
        shrink(to: limit - entry.size)
        entries.append(entry)
        size += entry.size
        changes += 1
    }

    private mutating func shrink(to bytes: Int) {
        while size > bytes, !entries.isEmpty { size -= entries.removeFirst().size }
    }
}
