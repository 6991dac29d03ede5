/// Open streams by their ids: one flat table with the entries next to where their ids point.
///
/// Ids only grow, so that nearly every entry stands just there; a dictionary would mix each id anew, for each push twice.
struct StreamTable<Stream> {
    /// 0 where there is nothing; that is the connection's own id, and no stream's.
    private var ids: [UInt32]
    private var streams: [Stream?]
    private(set) var count = 0

    init() {
        ids = Array(repeating: 0, count: 64)
        streams = Array(repeating: nil, count: 64)
    }

    var isEmpty: Bool { count == 0 }

    /// - Precondition: nothing has this id.
    mutating func insert(_ stream: Stream, _ id: UInt32) {
        if count * 2 >= ids.count { grow() }
        let place = place(of: id)
        assert(ids[place] == 0, "a stream's id is given once")
        ids[place] = id
        streams[place] = stream
        count += 1
    }

    mutating func remove(_ id: UInt32) -> Stream? {
        let place = place(of: id)
        guard id != 0, ids[place] == id else { return nil }
        let stream = streams[place]
        close(place)
        count -= 1
        return stream
    }

    /// Changes a stream where it stands; nil where there is none.
    @discardableResult
    mutating func change<Result>(_ id: UInt32, _ body: (inout Stream) -> Result) -> Result? {
        let place = place(of: id)
        guard id != 0, ids[place] == id else { return nil }
        return streams[place].map { stream in
            var stream = stream
            streams[place] = nil  // so that what it holds is not copied
            defer { streams[place] = stream }
            return body(&stream)
        }
    }

    func contains(where isMeant: (UInt32, Stream) -> Bool) -> Bool {
        ids.indices.contains { place in
            guard ids[place] != 0, let stream = streams[place] else { return false }
            return isMeant(ids[place], stream)
        }
    }

    /// The ids of streams, in the order in which they were opened.
    func ids(where isMeant: (UInt32, Stream) -> Bool) -> [UInt32] {
        ids.indices.compactMap { place in
            guard ids[place] != 0, let stream = streams[place], isMeant(ids[place], stream) else { return nil }
            return ids[place]
        }.sorted()
    }

    private var mask: Int { ids.count - 1 }

    /// Where an id points. Streams of a client have odd ids.
    private func home(_ id: UInt32) -> Int { Int(id >> 1) & mask }

    /// Where an id stands, or where it would.
    private func place(of id: UInt32) -> Int {
        var place = home(id)
        while ids[place] != 0, ids[place] != id { place = (place + 1) & mask }
        return place
    }

    /// Frees a place, and moves up whoever stands behind it because of it.
    private mutating func close(_ freed: Int) {
        var (gap, next) = (freed, (freed + 1) & mask)
        while ids[next] != 0 {
            // Moves into the gap where its own place is not behind the gap.
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

    private mutating func grow() {
        let former = (ids, streams)
        ids = Array(repeating: 0, count: former.0.count * 2)
        streams = Array(repeating: nil, count: former.0.count * 2)
        count = 0
        for (id, stream) in zip(former.0, former.1) where id != 0 {
            if let stream { insert(stream, id) }
        }
    }
}
