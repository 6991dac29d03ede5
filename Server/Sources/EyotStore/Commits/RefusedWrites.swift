import EyotDomain
import Synchronization

/// What a store tells of writes that its database refuses, for the log.
package enum WriteNews: Sendable, Hashable {
    /// The database refuses writes for this reason. Told once a minute for each kind while it lasts.
    case refused(StoreError)
    /// It takes those again that it refused for a reason of this kind.
    case taken(kind: String)
}

/// The writes that the database refuses at the moment: for each kind of error the last one.
///
/// **Problem.** A database may refuse some writes and take others. A heartbeat changes a row in an old page of a full
/// disk, while a new row finds no room. A table without rights refuses only its own writes.
///
/// **Approach.** A refused write is kept. It counts until the same write is taken, which is tried when health is asked
/// (``GroupCommit/retryRefused()``). Such a try is undone, so it changes nothing. It ends if the database takes the
/// write, and also if the write has become wrong meanwhile. Both show that the database answers it.
final class RefusedWrites: Sendable {
    struct Refusal: Sendable {
        let error: StoreError
        let body: @Sendable (any Ledger) throws -> Void
        /// Its number among all refusals, so that a later one of its kind is told apart.
        let number: Int
        fileprivate var toldAt: ContinuousClock.Instant
    }

    private static let silence = Duration.seconds(60)

    private let refusals = Mutex<[String: Refusal]>([:])
    private let count = Atomic(0)
    private let tell: @Sendable (WriteNews) -> Void

    init(_ tell: @escaping @Sendable (WriteNews) -> Void) { self.tell = tell }

    /// The present refusals, first the oldest.
    var all: [Refusal] {
        guard !isEmpty else { return [] }
        return refusals.withLock { $0.values.sorted { $0.number < $1.number } }
    }

    var isEmpty: Bool { refusals.withLock(\.isEmpty) }

    /// Notes a refused write.
    ///
    /// - Parameter body: The write.
    func note(
        _ error: StoreError, at now: ContinuousClock.Instant = .now,
        _ body: @escaping @Sendable (any Ledger) throws -> Void
    ) {
        let number = count.add(1, ordering: .relaxed).newValue
        let isNews = refusals.withLock { refusals in
            let toldAt = refusals[error.kind]?.toldAt
            let isNews = toldAt.map { $0.duration(to: now) >= Self.silence } ?? true
            refusals[error.kind] = Refusal(
                error: error, body: body, number: number, toldAt: isNews ? now : toldAt ?? now)
            return isNews
        }
        if isNews { tell(.refused(error)) }
    }

    /// Forgets a refusal, unless a later one of its kind has come.
    func clear(_ refusal: Refusal) {
        let kind = refusal.error.kind
        let isOver = refusals.withLock { refusals in
            guard refusals[kind]?.number == refusal.number else { return false }
            refusals[kind] = nil
            return true
        }
        if isOver { tell(.taken(kind: kind)) }
    }
}
