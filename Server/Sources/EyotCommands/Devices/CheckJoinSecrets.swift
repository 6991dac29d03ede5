import EyotContract
import EyotDomain

/// Finds out which private activities a phone may join by the secrets that it shows, before anything is written.
package struct CheckJoinSecrets {
    /// What came of one.
    package struct Verdict: Sendable {
        package var secret: JoinSecret
        /// The activity that it opens; nil where it opens none.
        package var opened: ActivityID?

        package init(secret: JoinSecret, opened: ActivityID? = nil) {
            self.secret = secret
            self.opened = opened
        }
    }

    let ledger: any Ledger
    let now: Instant

    package init(ledger: any Ledger, now: Instant) {
        self.ledger = ledger
        self.now = now
    }

    /// - Parameter secrets: by the names of activities.
    /// - Returns: one for each that matters: whoever may join anyway is not asked for a secret.
    package func callAsFunction(_ secrets: [String: JoinSecret], of device: Device) throws -> [Verdict] {
        let mayJoin = JoinPolicy(ledger: ledger)
        return try secrets.sorted { $0.key < $1.key }.compactMap { name, secret in
            guard let activity = try ledger.newestActivity(named: name, in: device.app) else {
                // To guess at names costs as much as to guess at secrets.
                return try mayJoin.opens(name, device, at: now) ? nil : Verdict(secret: secret)
            }
            guard try !mayJoin(activity, device) else { return nil }
            let isRight = try ledger.joinSecret(of: activity.id)?.hash.isSame(as: Keyring.hash(of: secret.text))
            return Verdict(secret: secret, opened: isRight == true ? activity.id : nil)
        }
    }
}
