import EyotContract

/// The progress of each followed card, and the streams of its watchers.
final class StatusBoard: Sendable {
    /// The subject that a watcher watches.
    enum Subject: Sendable, Hashable {
        case name(String)
        case instance(String)
    }

    private struct Watcher: Sendable {
        let subject: Subject
        var last: CardStatus
        let continuation: AsyncStream<CardStatus>.Continuation
    }

    private struct Board: Sendable {
        var statuses: [Subject: CardStatus] = [:]
        var watchers: [Int: Watcher] = [:]
        var lastWatcher = 0
    }

    private let board = AnnouncedValue(Board())

    /// Sets the present statuses. A subject that is not in them is not tracked.
    func show(_ statuses: [Subject: CardStatus]) {
        board.withLock { board, announcements in
            board.statuses = statuses
            for (id, watcher) in board.watchers {
                let status = statuses[watcher.subject] ?? .notTracked
                guard status != watcher.last else { continue }
                board.watchers[id]?.last = status
                announcements.append { watcher.continuation.yield(status) }
            }
        }
    }

    func status(of subject: Subject) -> CardStatus { board.withLock { $0.statuses[subject] ?? .notTracked } }

    /// Returns a stream of the present status and every change. The latest 64 wait for a slow reader. The watch ends
    /// with its reader.
    func updates(of subject: Subject) -> AsyncStream<CardStatus> {
        let (stream, continuation) = AsyncStream.makeStream(of: CardStatus.self, bufferingPolicy: .bufferingNewest(64))
        let id = board.withLock { board, announcements in
            let status = board.statuses[subject] ?? .notTracked
            announcements.append { continuation.yield(status) }
            board.lastWatcher += 1
            board.watchers[board.lastWatcher] = Watcher(subject: subject, last: status, continuation: continuation)
            return board.lastWatcher
        }
        continuation.onTermination = { [weak self] _ in self?.leave(id) }
        return stream
    }

    private func leave(_ id: Int) { board.withLock { $0.watchers[id] = nil } }
}
