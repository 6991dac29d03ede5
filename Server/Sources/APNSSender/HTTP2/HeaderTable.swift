import HTTP2Frames

/// A model of the peer's HPACK table for our header fields (RFC 7541). It decides how a field is written.
///
/// Strings are never Huffman coded. Repeated fields are in the table after the first time, and a token's digits would
/// hardly get shorter.
struct HeaderTable {
    /// The way in which a field is kept.
    enum Keeping {
        /// The field enters the table and takes one byte from then on.
        case whole
        /// The value differs each time. The first field enters the table because of its name.
        case name
    }

    private struct Entry {
        let name: String
        let value: String
        var size: Int { name.utf8.count + value.utf8.count + 32 }

        /// Whether the entry equals a field byte by byte. Texts that look alike may differ on the wire.
        func has(_ name: String, _ value: String) -> Bool {
            value.utf8.elementsEqual(self.value.utf8) && name.utf8.elementsEqual(self.name.utf8)
        }
    }

    /// The largest table that is used, even if the peer offers more. It is the initial size on both sides.
    private static let most = 4_096
    /// The fields of the fixed table that are written.
    private static let fixed = [":authority": 1, ":path": 4, "authorization": 23]
    private static let fixedCount = 61

    /// The entries, newest last.
    private var entries: [Entry] = []
    private var size = 0
    private var limit = most
    /// The smallest limit since the last block if it changed; otherwise nil. The next block begins with it.
    private var unsaid: Int?
    /// A count of changes. A holder of encoded bytes compares it to see whether they are still valid.
    private(set) var changes = 0

    /// Sets the size of the peer's table.
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

    /// Writes the name of a field that is never kept. The value follows each time with its length.
    func writeName(_ name: String, to block: inout [UInt8]) { writeName(name, prefix: 4, 0, to: &block) }

    private func writeName(_ name: String, prefix: Int, _ pattern: UInt8, to block: inout [UInt8]) {
        let known = Self.fixed[name] ?? entries.lastIndex { $0.name == name }.map(number)
        HeaderInteger.write(known ?? 0, prefix: prefix, pattern, to: &block)
        guard known == nil else { return }
        HeaderInteger.write(name.utf8.count, prefix: 7, 0, to: &block)
        block += name.utf8
    }

    /// Returns the number of an entry on the wire. The newest is the first after the fixed table.
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
