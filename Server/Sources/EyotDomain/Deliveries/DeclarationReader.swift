/// A reader of one activity's declarations that reads each of them once. They do not change within a transaction.
package final class DeclarationReader {
    private let ledger: any Ledger
    private let activity: ActivityID
    /// The declarations that were read, by version.
    package private(set) var known: [Int: Declaration]

    /// - Parameter known: declarations that were read before and do not change any more.
    package init(_ ledger: any Ledger, of activity: ActivityID, known: [Int: Declaration] = [:]) {
        self.ledger = ledger
        self.activity = activity
        self.known = known
    }

    /// Returns a declaration; nil for version 0, which stands for none, and for a version that does not exist.
    package func callAsFunction(_ version: Version) throws -> Declaration? {
        guard version > 0 else { return nil }
        if let known = known[version] { return known }
        let found = try ledger.declaration(version, of: activity)
        known[version] = found
        return found
    }
}
