import Synchronization

/// The open pages of a wall, each with a bounded stream of messages.
final class WallViewers: Sendable {
    /// How many pages may be open at once.
    static let limit = 50
    /// How many looks a viewer may be behind. It is dropped then; a page comes again by itself.
    static let patience = 64

    private struct Viewer {
        var stream: AsyncStream<[UInt8]>.Continuation
        /// Whether it has got nothing yet.
        var isNew = true
    }

    private struct State {
        var lastID = 0
        var all: [Int: Viewer] = [:]
    }

    private let state = Mutex(State())
    /// Signals that a viewer has come.
    let arrivals: AsyncStream<Void>
    private let arrival: AsyncStream<Void>.Continuation

    init() {
        (arrivals, arrival) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
    }

    /// How many pages are open.
    var count: Int { state.withLock { $0.all.count } }

    /// Opens a stream of messages; nil if ``limit`` pages are open already.
    func join() -> AsyncStream<[UInt8]>? {
        let (stream, continuation) = AsyncStream.makeStream(
            of: [UInt8].self, bufferingPolicy: .bufferingOldest(Self.patience))
        let id = state.withLock { state -> Int? in
            guard state.all.count < Self.limit else { return nil }
            state.lastID += 1
            state.all[state.lastID] = Viewer(stream: continuation)
            return state.lastID
        }
        guard let id else { return nil }
        continuation.onTermination = { [weak self] _ in _ = self?.remove(id) }
        arrival.yield()
        return stream
    }

    private func remove(_ id: Int) -> Viewer? { state.withLock { $0.all.removeValue(forKey: id) } }

    /// Whether a viewer waits for its first message.
    var hasNew: Bool { state.withLock { $0.all.values.contains(where: \.isNew) } }

    /// Sends the news to those who know the rest, and everything to new viewers.
    func send(news: [UInt8], all: @autoclosure () -> [UInt8]) {
        let viewers = state.withLock { state in
            defer { for id in state.all.keys { state.all[id]?.isNew = false } }
            return state.all
        }
        let everything = viewers.values.contains(where: \.isNew) ? all() : []
        for (id, viewer) in viewers {
            let bytes = viewer.isNew ? everything : news
            guard !bytes.isEmpty else { continue }
            if case .dropped = viewer.stream.yield(bytes) {
                _ = remove(id)
                viewer.stream.finish()
            }
        }
    }

    /// Ends all streams, at the end of the lab.
    func close() {
        let viewers = state.withLock { state in
            defer { state.all = [:] }
            return state.all.values.map(\.stream)
        }
        for viewer in viewers { viewer.finish() }
        arrival.finish()
    }
}
