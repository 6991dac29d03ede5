import EyotDomain

/// The join secret of an activity's newest generation. One transaction for each change.
package struct JoinSecrets: UseCase {
    package let transaction: Transaction

    package init(_ transaction: Transaction) {
        self.transaction = transaction
    }

    /// Makes a secret that replaces the one before. Phones that have joined stay.
    ///
    /// - Parameter secret: Made by ``Keyring``, outside the transaction.
    /// - Throws: `activityUnknown` or `activityEnded`.
    package func make(_ secret: Keyring.NewSecret, for name: String, in app: AppID) throws -> (Activity, KeptJoinSecret)
    {
        let activity = try activity(name, in: app)
        guard !activity.isEnded else { throw EyotError.activityEnded(name) }
        let kept = KeptJoinSecret(activity: activity.id, hash: secret.hash, hint: secret.hint, madeAt: now)
        try ledger.put(kept)
        return (activity, kept)
    }

    /// - Throws: `activityUnknown`, or `joinSecretUnknown` if it has none.
    package func find(of name: String, in app: AppID) throws -> (Activity, KeptJoinSecret) {
        let activity = try activity(name, in: app)
        guard let kept = try ledger.joinSecret(of: activity.id) else {
            throw EyotError(.joinSecretUnknown, "activity \(name) has no join secret")
        }
        return (activity, kept)
    }

    /// - Throws: The errors of ``find(of:in:)``.
    package func remove(of name: String, in app: AppID) throws {
        _ = try ledger.removeJoinSecret(of: find(of: name, in: app).0.id)
    }

    private func activity(_ name: String, in app: AppID) throws -> Activity {
        guard let activity = try ledger.newestActivity(named: name, in: app) else {
            throw try ledger.unknownActivity(name, in: app)
        }
        return activity
    }
}
