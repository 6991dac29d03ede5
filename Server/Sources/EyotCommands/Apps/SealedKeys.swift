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
        for webhook in try webhooks() {
            for sealed in webhook.sealed { _ = try sealer.open(sealed, of: webhook) }
        }
        for (id, totp) in try Self.totps(in: ledger) { _ = try sealer.open(totp.sealed, for: .totp(of: id)) }
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
        var count = outdated.count
        for var webhook in try webhooks() {
            let resealed = try webhook.reseal(by: sealer)
            if resealed > 0 { try ledger.update(webhook) }
            count += resealed
        }
        for (id, totp) in try Self.totps(in: ledger) where totp.sealed.masterKeyID != sealer.masterKeyID {
            let secret = try sealer.open(totp.sealed, for: .totp(of: id))
            guard var member = try ledger.member(id) else { continue }
            member.totp?.sealed = try sealer.seal(secret, for: .totp(of: id))
            try ledger.update(member)
            count += 1
        }
        return count
    }

    /// Removes the APNs keys that do not open, because their master key is lost. Webhooks with such secrets are
    /// disabled, and a rotation gives them another secret. Members with such second factors are disabled: without the
    /// factor their password alone would open the panel.
    ///
    /// - Parameter now: The moment at which webhooks are disabled.
    /// - Returns: The removed keys, each with its app.
    package func dropUnreadable(at now: Instant) throws -> [(app: App, key: APNSKey)] {
        for var webhook in try webhooks() {
            if let former = webhook.former, (try? sealer.open(former.sealed, of: webhook)) == nil {
                webhook.former = nil
                try ledger.update(webhook)
            }
            guard (try? sealer.open(webhook.secret, of: webhook)) == nil else { continue }
            webhook.disabled = .init(.secretLost, at: now)
            try ledger.update(webhook)
        }
        for (id, totp) in try Self.totps(in: ledger)
        where (try? sealer.open(totp.sealed, for: .totp(of: id))) == nil {
            guard var member = try ledger.member(id) else { continue }
            (member.totp, member.disabledAt) = (nil, now)
            try ledger.update(member)
        }
        var dropped: [(App, APNSKey)] = []
        for app in try ledger.apps() {
            for key in try ledger.apnsKeys(of: app.id) where (try? sealer.credentials(of: key)) == nil {
                try ledger.removeAPNSKey(of: app.id, key.environment)
                dropped.append((app, key))
            }
        }
        return dropped
    }

    /// The ids of the master keys that have sealed something in the store.
    package static func masterKeyIDs(in ledger: any Ledger) throws -> Set<String> {
        let webhooks = try ledger.apps().flatMap { try ledger.webhooks(of: $0.id) }.flatMap(\.sealed)
        let sealed = try all(in: ledger).map(\.sealed) + webhooks + totps(in: ledger).map(\.1.sealed)
        return Set(sealed.map(\.masterKeyID))
    }

    private func all() throws -> [APNSKey] { try Self.all(in: ledger) }

    private func webhooks() throws -> [Webhook] {
        try ledger.apps().flatMap { try ledger.webhooks(of: $0.id) }.filter { !$0.hasLostSecret }
    }

    /// Whether the store holds nothing sealed.
    package static func isEmpty(in ledger: any Ledger) throws -> Bool {
        try all(in: ledger).isEmpty && totps(in: ledger).isEmpty
            && ledger.apps().allSatisfy { try ledger.webhooks(of: $0.id).isEmpty }
    }

    private static func totps(in ledger: any Ledger) throws -> [(MemberID, MemberTOTP)] {
        try ledger.members(after: "", limit: PanelMember.limit).compactMap { member in
            member.totp.map { (member.id, $0) }
        }
    }

    /// Every sealed key.
    package static func all(in ledger: any Ledger) throws -> [APNSKey] {
        try ledger.apps().flatMap { try ledger.apnsKeys(of: $0.id) }
    }
}
