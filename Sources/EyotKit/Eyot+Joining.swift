import EyotContract

extension Eyot {
    /// Stores the join secret of a private activity, which lets this phone join it. The app's backend makes the secret
    /// (`POST /v1/activities/{name}/join-secret`) and gives it to the app.
    ///
    /// Call it before ``start(_:name:attributes:later:)`` or ``channel(of:)``, or before a card of this name is
    /// followed. A card that is already followed is reported again. The secret is kept with the SDK's state and sent
    /// with every report of a card of this name. A logout or another user removes all secrets. The latest 64 are kept.
    ///
    /// - Parameters:
    ///   - name: the activity's name, as the backend uses it.
    ///   - secret: the secret from the backend. An invalid text is reported, and nothing changes. The server answers a
    ///     wrong secret like a missing one.
    public func join(_ name: String, secret: String) {
        guard DeviceLimits.isIdentifier(name), let secret = JoinSecret(secret) else {
            return publish(.problem(.joinSecretInvalid(name: String(name.prefix(64)))))
        }
        joinSecrets.withLock { _ = $0.secrets.keep(secret, for: name) }
        ask(
            for: .begin { [ledger] in
                await ledger.keep(secret, for: name)
                return nil
            })
    }

    /// Returns the secret of an activity from this launch or an earlier one; nil if there is none.
    func joinSecret(of name: String) async -> JoinSecret? {
        let handedOver = joinSecrets.withLock { $0 }
        if let secret = handedOver.secrets[name] { return secret }
        return handedOver.hasForgotten ? nil : await ledger.joinSecret(of: name)
    }
}

extension InstallationLedger {
    /// Returns the secret of an activity; nil if there is none. An app may ask before the instance runs.
    func joinSecret(of name: String) -> JoinSecret? { known.joinSecrets[name] }

    /// Keeps a join secret. Followed cards of the name are reported again, because the server may have refused them
    /// without it.
    func keep(_ secret: JoinSecret, for name: String) {
        guard state.joinSecrets.keep(secret, for: name) else { return }
        save()
        for following in followedCards where following.card.name == name { reportAnew(following) }
    }

    /// Returns the secrets of the activities in some changes.
    func joinSecrets(for changes: [DeviceChange]) -> [String: JoinSecret] {
        var secrets: [String: JoinSecret] = [:]
        for name in Set(changes.compactMap(\.action.card?.name)) { secrets[name] = state.joinSecrets[name] }
        return secrets
    }
}
