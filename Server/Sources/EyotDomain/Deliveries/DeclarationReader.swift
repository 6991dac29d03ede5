/// A reader of one activity's declarations that reads each of them once. They do not change within a transaction.
package final class DeclarationReader {
    private let ledger: any Ledger
    private let activity: ActivityID
    private let doubts: Instant?
    /// The declarations that were read, by version.
    package private(set) var known: [Int: Declaration]

    /// - Parameters:
    ///   - known: declarations that were read before and do not change any more.
    ///   - doubts: the moment up to which the store has forgotten what left; see ``NodeLease/doubtsUntil``. Alerts that
    ///     were declared before may have sounded, so they are read as over (R4).
    package init(
        _ ledger: any Ledger, of activity: ActivityID, known: [Int: Declaration] = [:], doubts: Instant? = nil
    ) {
        self.doubts = doubts
        self.ledger = ledger
        self.activity = activity
        self.known = known
    }

    /// Returns a declaration; nil for version 0, which stands for none, and for a version that does not exist.
    package func callAsFunction(_ version: Version) throws -> Declaration? {
        guard version > 0 else { return nil }
        if let known = known[version] { return known }
        var found = try ledger.declaration(version, of: activity)
        if let doubts { found?.doubtAlert(until: doubts) }
        known[version] = found
        return found
    }
}

extension Declaration {
    fileprivate mutating func doubtAlert(until doubts: Instant) {
        guard let alert = content.alert, !content.isUrgent, acceptedAt < doubts else { return }
        content.alert?.expiresAt = min(alert.expiresAt, doubts)
    }
}
