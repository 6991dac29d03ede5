import EyotContract
import EyotDomain

/// The check of the join secrets that a phone shows for private activities. It runs before anything is written.
package struct CheckJoinSecrets: UseCase {
    /// The result for one secret.
    package struct Verdict: Sendable {
        package var secret: JoinSecret
        /// The activity that it opens, or nil if it opens none.
        package var opened: ActivityID?

        package init(secret: JoinSecret, opened: ActivityID? = nil) {
            self.secret = secret
            self.opened = opened
        }
    }

    package let transaction: Transaction

    package init(_ transaction: Transaction) {
        self.transaction = transaction
    }

    /// Checks the secrets that the device needs. A secret for an activity that the device may join anyway is left out.
    ///
    /// - Parameter secrets: The secrets by the names of activities.
    package func callAsFunction(_ secrets: [String: JoinSecret], of device: Device) throws -> [Verdict] {
        let mayJoin = JoinPolicy(ledger: ledger)
        return try secrets.sorted { $0.key < $1.key }.compactMap { name, secret in
            guard let activity = try ledger.newestActivity(named: name, in: device.app) else {
                // A guess at a name costs as much as a guess at a secret.
                return try mayJoin.opens(name, device, at: now) ? nil : Verdict(secret: secret)
            }
            guard try !mayJoin(activity, device) else { return nil }
            let isRight = try ledger.joinSecret(of: activity.id)?.hash.isSame(as: Keyring.hash(of: secret.text))
            return Verdict(secret: secret, opened: isRight == true ? activity.id : nil)
        }
    }
}
