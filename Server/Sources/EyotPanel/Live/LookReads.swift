import EyotDomain
import Synchronization

/// What the look at a topic has read of people. The look is made once for all viewers, and each of them has read it.
final class LookReads: Sendable {
    /// The most reads that are kept. A look makes a few.
    private static let limit = 100

    private let entries = Mutex<[AuditEntry]>([])

    func note(_ entry: AuditEntry) {
        entries.withLock { entries in
            let isKnown = entries.contains { $0.route == entry.route && $0.subject == entry.subject }
            if !isKnown, entries.count < Self.limit { entries.append(entry) }
        }
    }

    /// Removes and returns the reads.
    func take() -> [AuditEntry] {
        entries.withLock { entries in
            defer { entries = [] }
            return entries
        }
    }
}
