import Dispatch
import EyotStore
import Foundation
import Synchronization

/// Wake-ups between the nodes of a database, by NOTIFY on a connection of their own.
///
/// **Problem.** A node may accept what another node pushes. Without a word the other one finds it when it next polls,
/// half a second later on average.
///
/// **Approach.** After a commit that made something due, a node notifies the others, without a payload and at most once
/// in 10 ms. A node that is notified asks the store what is due. Its own notifications it ignores, because it knows the
/// activities themselves. If a notification is lost, the poll finds what is due.
///
///     writers ──▶ notify() ──┐                         ┌──▶ hear
///                            ├──▶ NOTIFY … LISTEN ─────┤
///     other nodes ───────────┘                         └──▶ own ones: nothing
///
/// **Why not inside the transaction.** A transaction with a NOTIFY holds a lock of the whole server while it commits.
/// All commits would wait for the disk one after the other. Here a transaction that contains nothing else holds the
/// lock, and it does not wait for the disk.
final class WakeUps: Sendable {
    static let channel = "eyot_woken"
    /// The shortest time between two notifications of a node.
    private static let interval = Duration.milliseconds(10)
    /// The pauses before a connection is made again, which double.
    private static let (firstPause, longestPause) = (Duration.milliseconds(100), Duration.seconds(10))

    private struct State {
        var handle: PostgresHandle?
        /// Watches the socket of the connection.
        var source: (any DispatchSourceRead)?
        var lastNotified: ContinuousClock.Instant?
        /// How often in a row a connection could not be made.
        var failures = 0
        var isClosed = false
        /// Whether the last report was of a loss.
        var isLost = false
    }

    private enum Statements {
        static let notify = "NOTIFY \(channel)"
        /// A notification that a crash of the server loses is found by polling.
        static let setUp = ["SET synchronous_commit = off", "LISTEN \(channel)"]
    }

    private let url: PostgresURL
    private let application: String
    /// The database's identity, see ``PostgresIdentity``.
    private let database: String
    private let hear: @Sendable () -> Void
    private let report: @Sendable (PostgresReport) -> Void
    private let queue = DispatchQueue(label: "org.eyot.postgres.wake-ups")
    /// Only work of the queue takes the lock, so it is always free.
    private let state = Mutex(State())
    /// Whether a notification is on its way to the queue.
    private let isPending = Atomic(false)

    /// - Parameters:
    ///   - url: A way to the server itself, with no pooler between.
    ///   - database: The database's identity, as the store's own connection found it.
    ///   - hear: Called when another node has notified, and when notifications may have been lost.
    init(
        _ url: PostgresURL, application: String, database: String, hear: @escaping @Sendable () -> Void,
        report: @escaping @Sendable (PostgresReport) -> Void
    ) {
        (self.url, self.application, self.database) = (url, application, database)
        (self.hear, self.report) = (hear, report)
        queue.async { self.connect() }
    }

    /// Notifies the other nodes soon. Several calls within 10 ms make one notification.
    func notify() {
        guard !isPending.exchange(true, ordering: .sequentiallyConsistent) else { return }
        queue.async { self.send() }
    }

    /// Ends the connection after a notification that is on its way.
    func close() async {
        await withCheckedContinuation { continuation in
            queue.async {
                self.state.withLock { state in
                    state.isClosed = true
                    Self.disconnect(&state)
                }
                continuation.resume()
            }
        }
    }

    // MARK: On the queue

    private func send() {
        let pause = state.withLock { $0.lastNotified.map { Self.interval - $0.duration(to: .now) } ?? .zero }
        guard pause <= .zero else { return after(pause) { self.send() } }
        // What is committed from now on needs a notification of its own.
        isPending.store(false, ordering: .sequentiallyConsistent)
        exchange(notifying: true)
    }

    /// Hears what has come.
    ///
    /// - Parameter notifies: Whether this node notifies the others before.
    private func exchange(notifying notifies: Bool) {
        let outcome: Result<Bool, any Error> = state.withLock { state in
            guard let handle = state.handle else { return .success(false) }
            return Result {
                if notifies {
                    state.lastNotified = .now
                    try handle.send(Statements.notify, PostgresParameters([]))
                    _ = try handle.answer()
                }
                return try handle.notifiers().contains { $0 != handle.process }
            }
        }
        switch outcome {
        case .success(true): hear()
        case .success(false): break
        case .failure(let error): lose(error)
        }
    }

    private func connect() {
        let outcome: Result<PostgresReport?, any Error> = state.withLock { state in
            guard !state.isClosed else { return .success(nil) }
            return Result { try connect(&state) }
        }
        switch outcome {
        case .success(let news):
            if let news { report(news) }
            // Notifications may have been lost meanwhile.
            if news == .wakesAgain { hear() }
        case .failure(let error): lose(error)
        }
    }

    /// - Returns: What is to be reported; nil for nothing.
    private func connect(_ state: inout State) throws -> PostgresReport? {
        let handle = try PostgresHandle(url, application: application)
        if let hindrance = try hindrance(on: handle) { return hindrance }
        for statement in Statements.setUp {
            try handle.send(statement, PostgresParameters([]))
            handle.answerLater()
        }
        try handle.settle()
        let source = try watch(handle.socket)
        source.resume()
        defer { state.isLost = false }
        (state.handle, state.source, state.failures) = (handle, source, 0)
        return state.isLost ? .wakesAgain : nil
    }

    /// Why notifications do not come through this connection; nil if they do.
    private func hindrance(on handle: PostgresHandle) throws -> PostgresReport? {
        let found = try PostgresIdentity(on: handle)
        return found.isPooled ? .pooled : found.database == database ? nil : .elsewhere
    }

    /// Watches a duplicate of the socket, because the connection may be closed before the source has ended.
    private func watch(_ socket: Int32) throws -> any DispatchSourceRead {
        let copy = dup(socket)
        guard copy >= 0 else { throw StoreError.connectionLost("the process has no more file descriptors") }
        let source = DispatchSource.makeReadSource(fileDescriptor: copy, queue: queue)
        source.setEventHandler { [weak self] in self?.exchange(notifying: false) }
        source.setCancelHandler { _ = Foundation.close(copy) }
        return source
    }

    private func lose(_ error: any Error) {
        let (isNews, pause) = state.withLock { state in
            defer { state.isLost = true }
            Self.disconnect(&state)
            state.failures += 1
            return (!state.isLost, Self.firstPause * (1 << min(state.failures - 1, 10)))
        }
        if isNews { report(.wakeUpsLost(error as? StoreError ?? .failed("\(error)"))) }
        after(min(pause, Self.longestPause)) { self.connect() }
    }

    private static func disconnect(_ state: inout State) {
        state.source?.cancel()
        (state.source, state.handle) = (nil, nil)
    }

    private func after(_ pause: Duration, _ work: @escaping @Sendable () -> Void) {
        queue.asyncAfter(deadline: .now() + pause / .seconds(1), execute: work)
    }
}
