import EyotDomain

/// All sealed secrets in the store. They are checked when the server starts, and sealed again when the master key is
/// rotated. One transaction.
package struct SealedKeys {
    let ledger: any Ledger
    let sealer: Sealer

    package init(ledger: any Ledger, sealer: Sealer) {
        self.ledger = ledger
        self.sealer = sealer
    }

    /// - Throws: ``SealError`` if a secret does not open, because the server has another master key than its database.
    package func check() throws {
        for key in try all() { _ = try sealer.credentials(of: key) }
    }

    /// Seals again what an older master key sealed.
    ///
    /// - Returns: How many secrets were sealed again. Afterwards the older master keys are not needed.
    package func reseal() throws -> Int {
        let outdated = try all().filter { $0.sealed.masterKeyID != sealer.masterKeyID }
        for var key in outdated {
            let secret = try sealer.credentials(of: key).privateKey
            key.sealed = try sealer.seal(secret, for: .apnsKey(of: key.app, key.environment))
            try ledger.put(key)
        }
        return outdated.count
    }

    /// Removes the APNs keys that do not open, because their master key is lost.
    ///
    /// - Returns: The removed keys, each with its app.
    package func dropUnreadable() throws -> [(app: App, key: APNSKey)] {
        var dropped: [(App, APNSKey)] = []
        for app in try ledger.apps() {
            for key in try ledger.apnsKeys(of: app.id) where (try? sealer.credentials(of: key)) == nil {
                try ledger.removeAPNSKey(of: app.id, key.environment)
                dropped.append((app, key))
            }
        }
        return dropped
    }

    private func all() throws -> [APNSKey] { try Self.all(in: ledger) }

    /// Every sealed key.
    package static func all(in ledger: any Ledger) throws -> [APNSKey] {
        try ledger.apps().flatMap { try ledger.apnsKeys(of: $0.id) }
    }
}
