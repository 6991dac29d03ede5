/// A call that changed nothing and is on record all the same: somebody read what is known of people, or was refused.
package struct AccessEntry: Sendable, Hashable {
    package enum Kind: String, Sendable, Hashable, CaseIterable {
        case read, refusal
    }

    /// Kept of each app, and of calls about none; the newest. They have a place of their own, so that no key pushes
    /// changes out by them.
    package static let limit = 100_000

    package var kind: Kind
    /// The call. Its number counts up among these entries of its app.
    package var call: AuditEntry
    /// How often the same was refused within a minute, beside this one.
    package var repeated = 0

    package init(_ kind: Kind, _ call: AuditEntry) {
        self.kind = kind
        self.call = call
    }
}

/// Who read and who was refused.
package protocol AccessLedger: AnyObject {
    /// Numbers entries in their apps and keeps them; of each app at most `limit`, the newest.
    func note(_ entries: [AccessEntry], limit: Int) throws
    /// Those of an app, or of calls about none, with numbers below one, newest first; nil begins at the newest.
    func accessEntries(of app: AppID?, before number: Int?, limit: Int) throws -> [AccessEntry]
    /// Removes entries of all apps from before a moment, oldest first.
    ///
    /// - Returns: how many it removed.
    func removeAccessEntries(before moment: Instant, limit: Int) throws -> Int
}
