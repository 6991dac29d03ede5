import EyotDomain

/// Makes keys of the control plane and revokes them. One transaction each.
package struct APIKeys {
    /// Keys of one app that are not revoked. More would be a key for each caller, which nobody keeps track of.
    package static let limit = 100

    let ledger: any Ledger
    let now: Instant

    package init(ledger: any Ledger, now: Instant) {
        self.ledger = ledger
        self.now = now
    }

    /// - Parameters:
    ///   - app: nil makes an operator's key.
    ///   - secret: made by ``Keyring``, outside the transaction.
    ///   - plane: the API that takes it.
    ///   - identifier: what callers name beside it.
    package func create(
        name: String, of app: AppID?, secret: Keyring.NewSecret, plane: KeyPlane = .eyot, identifier: String? = nil
    ) throws -> APIKey {
        try FieldRule.name.check(name, field: "name")
        guard plane == .eyot || app != nil else {
            throw EyotError(
                .fieldMissing, "a key for the API of \(plane.rawValue) belongs to an app", field: Caller.appHeader)
        }
        guard try ledger.apiKeys(of: app).count(where: { $0.revokedAt == nil }) < Self.limit else {
            throw EyotError(.fieldInvalid, "there are \(Self.limit) keys already: revoke some first")
        }
        return try ledger.insert(
            APIKey(
                app: app, name: name, hash: secret.hash, hint: secret.hint, createdAt: now, plane: plane,
                identifier: identifier))
    }

    /// Revokes a key; one that is revoked already stays so.
    ///
    /// - Parameter caller: the key that asks for it. None revokes itself, so that nobody is ever locked out of everything.
    package func revoke(_ id: Int64, of app: AppID?, by caller: APIKey) throws {
        guard var key = try ledger.apiKeys(of: app).first(where: { $0.id == id }) else {
            throw EyotError(.keyUnknown, "there is no key \(id)")
        }
        guard id != caller.id else {
            throw EyotError(.keyForbidden, "a key does not revoke itself: make another one and use that")
        }
        guard key.revokedAt == nil else { return }
        key.revokedAt = now
        try ledger.update(key)
    }
}
