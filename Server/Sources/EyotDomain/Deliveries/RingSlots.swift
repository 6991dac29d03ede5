/// Some ordinals of one page.
package struct RingSlots: Sendable, Hashable {
    private var words = [UInt64](repeating: 0, count: (RingPage.capacity + 63) / 64)

    package init() {}

    package mutating func insert(_ ordinal: Int) {
        let (word, bit) = Self.place(of: ordinal)
        words[word] |= bit
    }

    package func contains(_ ordinal: Int) -> Bool {
        let (word, bit) = Self.place(of: ordinal)
        return words[word] & bit != 0
    }

    package mutating func formUnion(_ other: RingSlots) {
        for index in words.indices { words[index] |= other.words[index] }
    }

    package func subtracting(_ other: RingSlots) -> RingSlots {
        var rest = self
        for index in words.indices { rest.words[index] &= ~other.words[index] }
        return rest
    }

    /// The ordinals in their order, on the page that they are from.
    package func ordinals(onPage page: Int) -> [Int] {
        let first = RingPage.first(onPage: page)
        return (first..<first + RingPage.capacity).filter(contains)
    }

    package var isEmpty: Bool { words.allSatisfy { $0 == 0 } }

    package var count: Int { words.reduce(0) { $0 + $1.nonzeroBitCount } }

    private static func place(of ordinal: Int) -> (word: Int, bit: UInt64) {
        let place = (ordinal - 1) % RingPage.capacity
        return (place / 64, 1 << UInt64(place % 64))
    }
}

// MARK: - As bytes

extension RingSlots {
    private static let mapBytes = (RingPage.capacity + 63) / 64 * 8

    /// Runs of ordinals, four bytes each, or a bit for each ordinal, whichever is shorter.
    ///
    /// A run is its first place on the page and its length, two bytes each, low byte first.
    package var bytes: [UInt8] {
        let runs = runs
        guard runs.count * 4 < Self.mapBytes else {
            return words.flatMap { word in (0..<8).map { UInt8(truncatingIfNeeded: word >> (8 * $0)) } }
        }
        return runs.flatMap { [UInt16($0.lowerBound), UInt16($0.count)] }
            .flatMap { [UInt8(truncatingIfNeeded: $0), UInt8($0 >> 8)] }
    }

    /// Reads ``bytes``; nil if they are none.
    package init?(bytes: [UInt8]) {
        guard bytes.count <= Self.mapBytes, bytes.count % 4 == 0 else { return nil }
        self.init()
        guard bytes.count < Self.mapBytes else {
            for (index, byte) in bytes.enumerated() { words[index / 8] |= UInt64(byte) << UInt64(index % 8 * 8) }
            return
        }
        for index in stride(from: 0, to: bytes.count, by: 4) {
            let first = Int(bytes[index]) | Int(bytes[index + 1]) << 8
            let count = Int(bytes[index + 2]) | Int(bytes[index + 3]) << 8
            guard first + count <= RingPage.capacity else { return nil }
            for place in first..<first + count { insert(place + 1) }
        }
    }

    private var runs: [Range<Int>] {
        var runs: [Range<Int>] = []
        for place in 0..<RingPage.capacity where contains(place + 1) {
            if let last = runs.last, last.upperBound == place {
                runs[runs.count - 1] = last.lowerBound..<place + 1
            } else {
                runs.append(place..<place + 1)
            }
        }
        return runs
    }
}
