/// Declarations of one activity, each read once: within a transaction they do not change.
package final class DeclarationReader {
    private let ledger: any Ledger
    private let activity: ActivityID
    /// What was read, by its version.
    package private(set) var known: [Int: Declaration]

    /// - Parameter known: what is known already, and does not change any more.
    package init(_ ledger: any Ledger, of activity: ActivityID, known: [Int: Declaration] = [:]) {
        self.ledger = ledger
        self.activity = activity
        self.known = known
    }

    /// Nil for 0, which stands for none, and for a version that there is not.
    package func callAsFunction(_ version: Int) throws -> Declaration? {
        guard version > 0 else { return nil }
        if let known = known[version] { return known }
        let found = try ledger.declaration(version, of: activity)
        known[version] = found
        return found
    }
}
