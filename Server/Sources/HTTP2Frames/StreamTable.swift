/// Open streams by their ids: one flat table with each entry at or near its preferred slot.
///
/// Eight consecutive ids are adjacent, for the processor's cache, and far from the next eight. If all ids were in
/// order, a thousand streams would form one row. A removal would then search that row for an entry to move up. A
/// dictionary would hash each id more thoroughly than necessary, twice for each push.
///
/// The type is public and inlinable, so that the compiler specializes it for a connection's streams. It leaves
/// `package` types generic, whatever their other attributes, and then the table is the most expensive part of a push.
public struct StreamTable<Stream> {
    /// 0 is an empty slot, because 0 is the id of the connection itself.
    @usableFromInline var ids: [UInt32]
    @usableFromInline var streams: [Stream?]
    @usableFromInline var entries = 0
    /// The shift that reduces 32 mixed bits to an index of a group of eight slots.
    @usableFromInline var shift: UInt32 = 29

    /// An empty table.
    @inlinable
    public init() {
        ids = Array(repeating: 0, count: 64)
        streams = Array(repeating: nil, count: 64)
    }

    /// How many streams there are.
    @inlinable public var count: Int { entries }
    /// Whether there are no streams.
    @inlinable public var isEmpty: Bool { entries == 0 }

    /// The stream with this id.
    @inlinable
    public subscript(id: UInt32) -> Stream? {
        let place = place(of: id)
        return id != 0 && ids[place] == id ? streams[place] : nil
    }

    /// Adds a stream.
    ///
    /// - Precondition: nothing has this id.
    @inlinable
    public mutating func insert(_ stream: Stream, _ id: UInt32) {
        if entries * 2 >= ids.count { grow() }
        let place = place(of: id)
        assert(ids[place] == 0, "a stream's id is given once")
        ids[place] = id
        streams[place] = stream
        entries += 1
    }

    /// Removes a stream and returns it; nil if there is none.
    @inlinable
    public mutating func remove(_ id: UInt32) -> Stream? {
        let place = place(of: id)
        guard id != 0, ids[place] == id else { return nil }
        let stream = streams[place]
        close(place)
        entries -= 1
        return stream
    }

    /// Changes a stream in place; nil if there is none.
    @discardableResult @inlinable
    public mutating func change<Result>(_ id: UInt32, _ body: (inout Stream) -> Result) -> Result? {
        let place = place(of: id)
        guard id != 0, ids[place] == id else { return nil }
        return streams[place].map { stream in
            var stream = stream
            streams[place] = nil  // so that what it holds is not copied
            defer { streams[place] = stream }
            return body(&stream)
        }
    }

    /// The ids of streams, in the order in which they were opened.
    @inlinable
    public func ids(where isMeant: (UInt32, Stream) -> Bool) -> [UInt32] {
        ids.indices.compactMap { place in
            guard ids[place] != 0, let stream = streams[place], isMeant(ids[place], stream) else { return nil }
            return ids[place]
        }.sorted()
    }

    @inlinable
    var mask: Int { ids.count - 1 }

    /// The preferred slot of an id. Clients have the odd ids. The golden ratio (Knuth's multiplicative hashing) spreads
    /// consecutive groups.
    @inlinable
    func home(_ id: UInt32) -> Int { Int((((id >> 4) &* 0x9E37_79B1) >> shift) << 3 | (id >> 1) & 7) }

    /// The slot of an id, or the slot that it would get.
    @inlinable
    func place(of id: UInt32) -> Int {
        var place = home(id)
        while ids[place] != 0, ids[place] != id { place = (place + 1) & mask }
        return place
    }

    /// Frees a slot, and moves up the entries that stand behind it because of it.
    @inlinable
    mutating func close(_ freed: Int) {
        var (gap, next) = (freed, (freed + 1) & mask)
        while ids[next] != 0 {
            // Moves an entry into the gap unless its preferred slot lies behind the gap.
            if (next - home(ids[next])) & mask >= (next - gap) & mask {
                ids[gap] = ids[next]
                streams[gap] = streams[next]
                gap = next
            }
            next = (next + 1) & mask
        }
        ids[gap] = 0
        streams[gap] = nil
    }

    @inlinable
    mutating func grow() {
        let former = (ids, streams)
        ids = Array(repeating: 0, count: former.0.count * 2)
        streams = Array(repeating: nil, count: former.0.count * 2)
        (entries, shift) = (0, shift - 1)
        for (id, stream) in zip(former.0, former.1) where id != 0 {
            if let stream { insert(stream, id) }
        }
    }
}
