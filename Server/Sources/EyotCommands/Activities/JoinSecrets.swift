import EyotDomain

/// Makes and removes the join secret of an activity's newest generation. One transaction each.
package struct JoinSecrets {
    let ledger: any Ledger
    let now: Instant

    package init(ledger: any Ledger, now: Instant) {
        self.ledger = ledger
        self.now = now
    }

    /// Makes one, in the place of the one before. Who has joined stays.
    ///
    /// - Parameter secret: made by ``Keyring``, outside the transaction.
    /// - Throws: `activityUnknown` or `activityEnded`.
    package func make(_ secret: Keyring.NewSecret, for name: String, in app: AppID) throws -> (Activity, KeptJoinSecret)
    {
        let activity = try activity(name, in: app)
        guard !activity.isEnded else { throw EyotError.activityEnded(name) }
        let kept = KeptJoinSecret(activity: activity.id, hash: secret.hash, hint: secret.hint, madeAt: now)
        try ledger.put(kept)
        return (activity, kept)
    }

    /// - Throws: `activityUnknown`, or `joinSecretUnknown` where it has none.
    package func find(of name: String, in app: AppID) throws -> (Activity, KeptJoinSecret) {
        let activity = try activity(name, in: app)
        guard let kept = try ledger.joinSecret(of: activity.id) else {
            throw EyotError(.joinSecretUnknown, "activity \(name) has no join secret")
        }
        return (activity, kept)
    }

    /// - Throws: what ``find(of:in:)`` throws.
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
