import EyotContract

extension Eyot {
    /// Hands over what lets this phone join a private activity: a join secret that the app's own backend had made for it
    /// (`POST /v1/activities/{name}/join-secret`) and gave to the app.
    ///
    /// Call it before ``start(_:name:attributes:later:)`` or ``channel(of:)``, or before a card of this name is followed; a card that is
    /// followed already is told anew. The secret is kept with what else the SDK remembers, and shown to the server with every report of a
    /// card of this name. A logout, and another person, takes all of them away. The latest 64 are kept.
    ///
    /// - Parameters:
    ///   - name: the activity's, as the backend speaks of it.
    ///   - secret: as the backend has it. One that is no secret is reported, and nothing happens; a wrong one is told from none by
    ///     nobody.
    public func join(_ name: String, secret: String) {
        guard DeviceLimits.isIdentifier(name), let secret = JoinSecret(secret) else {
            return tell(.problem(.joinSecretInvalid(name: String(name.prefix(64)))))
        }
        joinSecrets.withLock { _ = $0.secrets.keep(secret, for: name) }
        ask(
            for: .begin { [ledger] in
                await ledger.keep(secret, for: name)
                return nil
            })
    }

    /// What the app has handed over for an activity, in this launch or in an earlier one.
    func joinSecret(of name: String) async -> JoinSecret? {
        let handedOver = joinSecrets.withLock { $0 }
        if let secret = handedOver.secrets[name] { return secret }
        return handedOver.hasForgotten ? nil : await ledger.state.joinSecrets[name]
    }
}

extension DeviceLedger {
    /// The app has handed over a join secret. Cards that are followed may have been refused without it, and are told anew.
    func keep(_ secret: JoinSecret, for name: String) {
        guard state.joinSecrets.keep(secret, for: name) else { return }
        save()
        for following in followedCards where following.card.name == name { tellAnew(following) }
    }

    /// The secrets of activities of which some changes speak.
    func joinSecrets(for changes: [DeviceChange]) -> [String: JoinSecret] {
        var secrets: [String: JoinSecret] = [:]
        for name in Set(changes.compactMap(\.action.card?.name)) { secrets[name] = state.joinSecrets[name] }
        return secrets
    }
}
