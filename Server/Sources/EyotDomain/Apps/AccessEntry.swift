/// A record of a call that changed nothing: it read data about people, or was refused.
package struct AccessEntry: Sendable, Hashable {
    package enum Kind: String, Sendable, Hashable, CaseIterable {
        case read, refusal
    }

    /// The most entries of each app, and of calls that name none; the newest are kept. They are stored apart from
    /// changes, so that no key can push changes out.
    package static let limit = 100_000

    package var kind: Kind
    /// The call. Its number rises among these entries of its app.
    package var call: AuditEntry
    /// Further refusals of the same kind within a minute.
    package var repeated = 0

    package init(_ kind: Kind, _ call: AuditEntry) {
        self.kind = kind
        self.call = call
    }
}

/// The records of reads and refusals.
package protocol AccessLedger: AnyObject {
    /// Numbers the entries and stores them.
    func note(_ entries: [AccessEntry]) throws
    /// Entries of an app, or of calls that name none, with numbers below `number`, newest first; nil begins at the
    /// newest.
    func accessEntries(of app: AppID?, before number: Int?, limit: Int) throws -> [AccessEntry]
    /// Removes entries of all apps from before a moment, oldest first.
    ///
    /// - Returns: how many it removed.
    func removeAccessEntries(before moment: Instant, limit: Int) throws -> Int
}
