/// The numbers of one place, which are stored as one text.
///
/// An update of one card adds to half a dozen numbers. One row for all of them costs a page of the file where a row for
/// each would cost several, with their index. There are few enough for a search from the first to the last.
package struct SpanNumbers: Sendable, Hashable {
    package struct Entry: Sendable, Hashable {
        package var counter: KeptCounter
        package var detail: String
        package var value: Int
    }

    /// In no order.
    package private(set) var entries: [Entry] = []

    package init() {}

    package var isEmpty: Bool { entries.isEmpty }

    /// Adds to a number, which begins at 0; a maximum is raised.
    package mutating func add(_ value: Int, to counter: KeptCounter, _ detail: String) {
        guard let index = index(of: counter, detail) else {
            entries.append(Entry(counter: counter, detail: Self.writable(detail), value: value))
            return
        }
        entries[index].value = counter.adding(value, to: entries[index].value)
    }

    package mutating func merge(_ other: SpanNumbers) {
        guard !isEmpty else {
            self = other
            return
        }
        for entry in other.entries { add(entry.value, to: entry.counter, entry.detail) }
    }

    package mutating func remove(_ counter: KeptCounter, _ detail: String) {
        if let index = index(of: counter, detail) { entries.remove(at: index) }
    }

    package subscript(counter: KeptCounter, detail: String) -> Int? {
        index(of: counter, detail).map { entries[$0].value }
    }

    /// The numbers at a place, in the order of their keys.
    package func counts(at place: CountPlace) -> [KeptCount] {
        entries.map { KeptCount(place.key($0.counter, $0.detail), $0.value) }.sorted { $0.key < $1.key }
    }

    private func index(of counter: KeptCounter, _ detail: String) -> Int? {
        if let index = entries.firstIndex(where: { $0.counter == counter && $0.detail == detail }) { return index }
        let written = Self.writable(detail)
        return written == detail ? nil : index(of: counter, written)
    }
}

// MARK: - As a text

extension SpanNumbers {
    private static let betweenEntries = UInt8(ascii: "\n")
    private static let betweenFields = UInt8(ascii: "\t")

    /// A detail without the characters that divide the text.
    private static func writable(_ detail: String) -> String {
        guard detail.utf8.contains(where: { $0 == betweenEntries || $0 == betweenFields }) else { return detail }
        let bytes = detail.utf8.map { $0 == betweenEntries || $0 == betweenFields ? UInt8(ascii: " ") : $0 }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// A line for each number: counter, detail and value, with tabs between.
    package var text: String {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(32 * entries.count)
        for entry in entries {
            if !bytes.isEmpty { bytes.append(Self.betweenEntries) }
            bytes += entry.counter.name.utf8
            bytes.append(Self.betweenFields)
            bytes += entry.detail.utf8
            bytes.append(Self.betweenFields)
            bytes += String(entry.value).utf8
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Reads ``text``; nil if it is none.
    package init?(text: String) {
        for line in text.utf8.split(separator: Self.betweenEntries) {
            let fields = line.split(separator: Self.betweenFields, omittingEmptySubsequences: false)
            guard fields.count == 3, let value = Int(Substring(fields[2])) else { return nil }
            entries.append(
                Entry(
                    counter: KeptCounter(stored: String(Substring(fields[0]))), detail: String(Substring(fields[1])),
                    value: value))
        }
    }
}
