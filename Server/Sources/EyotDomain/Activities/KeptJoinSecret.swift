/// The stored form of an activity's join secret, kept as long as its generation. A phone that shows the secret may
/// join.
package struct KeptJoinSecret: Sendable, Hashable {
    package var activity: ActivityID
    package var hash: SecretHash
    /// The first characters, by which secrets can be told apart.
    package var hint: String
    package var madeAt: Instant

    package init(activity: ActivityID, hash: SecretHash, hint: String, madeAt: Instant) {
        self.activity = activity
        self.hash = hash
        self.hint = hint
        self.madeAt = madeAt
    }
}

/// The join secrets of activities.
package protocol JoinLedger: AnyObject {
    func joinSecret(of activity: ActivityID) throws -> KeptJoinSecret?
    /// Stores a secret in place of the former one.
    func put(_ secret: KeptJoinSecret) throws
    /// - Returns: whether there was one.
    func removeJoinSecret(of activity: ActivityID) throws -> Bool
}

extension SecretHash {
    /// Compares two hashes in constant time, so that the time does not reveal where they differ.
    package func isSame(as other: SecretHash) -> Bool {
        guard bytes.count == other.bytes.count else { return false }
        return zip(bytes, other.bytes).reduce(UInt8(0)) { $0 | ($1.0 ^ $1.1) } == 0
    }
}
