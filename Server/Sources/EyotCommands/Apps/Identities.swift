import EyotDomain

/// The rules by which an app's users prove their identity. One transaction for each change.
package struct Identities: UseCase {
    package let transaction: Transaction
    let app: AppID

    package init(_ transaction: Transaction, app: AppID) {
        self.transaction = transaction
        self.app = app
    }

    /// Stores a public key. With the first key the app requires proofs from then on, unless a mode was set before.
    ///
    /// - Parameters:
    ///   - kind: The kind that the text was found to be.
    package func put(_ id: String, _ text: String, _ kind: IdentityKey.Kind) throws -> IdentityKey {
        try FieldRule.name.check(id, field: "id")
        let keys = try ledger.identityKeys(of: app)
        guard keys.contains(where: { $0.id == id }) || keys.count < IdentityKey.limit else {
            throw EyotError(
                .fieldInvalid, "the app already has \(IdentityKey.limit) identity keys: remove one first", field: "id")
        }
        let key = IdentityKey(app: app, id: id, kind: kind, text: text, addedAt: now)
        if let former = keys.first(where: { $0.id == id }), former.text != text { try ledger.unprove(by: id, in: app) }
        try ledger.put(key)
        if let former = try ledger.app(app), former.identityMode == nil {
            var app = former
            app.identityMode = .require
            try transaction.update(app, from: former)
        }
        return key
    }

    /// Removes a key. Users that it has proven are unproven again, because the key may be in the wrong hands.
    ///
    /// Without keys no proof holds, so an app that requires proofs has no users any more.
    package func remove(_ id: String) throws {
        guard try ledger.removeIdentityKey(id, of: app) else { throw Self.unknown(id) }
        try ledger.unprove(by: id, in: app)
    }

    /// Devices in one transaction of ``dropUnproven(after:)``.
    private static let pageSize = 200

    /// Removes unproven users from their devices, and ends the private cards that the devices have for them.
    ///
    /// - Returns: How many devices lost their user, and where to continue. The second is nil if all devices were
    ///   checked.
    /// - Throws: `fieldInvalid` if the app requires no proofs, because every device would lose its user.
    package func dropUnproven(after last: DeviceID) throws -> (dropped: Int, next: DeviceID?) {
        guard try ledger.app(app)?.identityMode == .require else {
            throw EyotError(
                .fieldInvalid, "every phone would lose its user: set the mode to require first", field: "mode")
        }
        let found = try ledger.devices(
            in: .hasUser(isProven: false), of: app, after: last, limit: Self.pageSize)
        for former in found {
            var device = former
            device.logout(at: now)
            try transaction.update(device, from: former)
            try LeaveFormerUser(transaction: transaction)(on: device, formerly: former.user)
            try QueueLiveCheck(ledger: ledger)(device)
        }
        return (found.count, found.count == Self.pageSize ? found.last?.id : nil)
    }

    /// - Throws: `identityKeyUnknown` if there is no such key.
    package func require(_ id: String) throws {
        guard try ledger.identityKeys(of: app).contains(where: { $0.id == id }) else { throw Self.unknown(id) }
    }

    private static func unknown(_ id: String) -> EyotError {
        EyotError(.identityKeyUnknown, "there is no identity key \(id)")
    }

    package func set(_ mode: IdentityMode) throws {
        guard let former = try ledger.app(app), former.identityMode != mode else { return }
        var app = former
        app.identityMode = mode
        try transaction.update(app, from: former)
    }
}
