import EyotDomain
import Synchronization

/// The record of used keys, kept beside the calls. No call waits for it, and a busy key costs one row in
/// ``APIKey/usePrecision`` seconds. A crash loses the notes of that time.
package final class KeyUses: Sendable {
    /// Keys that are noted between two writes. Uses of further keys are noted the next time.
    package static let limit = 10_000
    /// Rows of one transaction.
    private static let rows = 200

    private let uses = Mutex<[Int64: Instant]>([:])

    package init() {}

    /// Notes a use of a key.
    package func note(_ key: APIKey, at now: Instant) {
        if let last = key.lastUsedAt, now.seconds(since: last) < APIKey.usePrecision { return }
        uses.withLock { uses in
            guard uses[key.id] != nil || uses.count < Self.limit else { return }
            uses[key.id] = max(uses[key.id] ?? now, now)
        }
    }

    /// Writes the notes in short transactions.
    ///
    /// - Throws: The store's error. The unwritten notes are kept for the next time.
    package func write(to store: any Store) async throws {
        var left = uses.withLock { uses in
            defer { uses = [:] }
            return uses.sorted { $0.key < $1.key }
        }
        while !left.isEmpty {
            let some = left.prefix(Self.rows)
            do {
                try await store.write { ledger in
                    for (id, moment) in some { try ledger.noteUse(ofAPIKey: id, at: moment) }
                }
            } catch {
                let unwritten = left
                uses.withLock { uses in
                    for (id, moment) in unwritten { uses[id] = max(uses[id] ?? moment, moment) }
                }
                throw error
            }
            left.removeFirst(some.count)
        }
    }
}
