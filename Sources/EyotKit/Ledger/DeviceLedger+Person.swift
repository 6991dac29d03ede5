import EyotContract

/// Who uses the app, what they allow, and what the app says of this installation.
extension DeviceLedger {
    /// - Parameter cards: what becomes of the cards of the person before.
    func identify(_ user: String, signature text: String?, _ cards: EyotConfiguration.CardsOnLogout) {
        guard DeviceLimits.isIdentifier(user) else { return report(.userInvalid) }
        let signature = text.flatMap(IdentitySignature.init)
        guard text == nil || signature != nil else { return report(.signatureInvalid) }
        // Without a new one the old one still speaks of the same person.
        guard user != state.user || signature != nil && signature != state.signature else { return }
        if let former = state.user, former != user {
            removeCards(cards)
            state.joinSecrets = JoinSecretList()
        }
        state.user = user
        state.signature = signature
        record(.identify(user: user, signature: signature))
        // While the phone was nobody's, the server may have refused them. Those that are about to go were the former person's.
        for following in followedCards where !following.card.isToGo { tellAnew(following) }
    }

    /// Nobody is logged in any more. Cards that run are told to go, where that is wanted.
    func logout(_ cards: EyotConfiguration.CardsOnLogout) {
        removeCards(cards)
        state.user = nil
        state.signature = nil
        state.joinSecrets = JoinSecretList()
        record(.logout)
    }

    /// Cards that nobody follows yet go as soon as somebody does, those of earlier launches also in a later launch. Where nobody was
    /// logged in they stay: some apps log out at every launch that finds no session.
    private func removeCards(_ cards: EyotConfiguration.CardsOnLogout) {
        guard cards == .end else { return }
        for (instance, card) in state.cards
        where card.isTracked && (state.user != nil || followed[instance] != nil) {
            state.cards[instance]?.isToGo = true
            followed[instance]?.card.isToGo = true
        }
        for following in followed.values { following.commands.yield(.removeNow) }
        guard state.user != nil else { return }
        resumedAtLogout = resumedTypes
        leaving = Set(resumedTypes.flatMap { present[$0]?() ?? [] })
    }

    /// Somebody is about to look for the cards of a type.
    ///
    /// - Parameters:
    ///   - before: the cards that were there when the app asked for it. Where a person left before the type was resumed, those that
    ///     nobody knows may be theirs, as where pushes started them while the app was dead.
    ///   - now: the cards that are there whenever it is asked.
    func willResume(_ type: String, before: Set<String>, now: @escaping @Sendable () -> [String]) {
        present[type] = now
        guard let resumed = resumedAtLogout, !resumed.contains(type) else { return }
        resumedAtLogout?.insert(type)
        leaving.formUnion(before.subtracting(state.cards.keys))
    }

    /// What the app says of this installation changes.
    func change(_ edit: ProfileEdit) {
        var profile = state.profile
        if let wrong = profile.make(edit) { return report(.profileInvalid(name: String(wrong.prefix(64)))) }
        guard profile != state.profile else { return }
        state.profile = profile
        record(.profile(profile))
    }

    /// What the person allows now. A change is told to the server, also one since an earlier launch; what it is at first the
    /// registration says.
    func permissionsSeen(_ permissions: DevicePermissions) {
        guard permissions != seenPermissions else { return }
        seenPermissions = permissions
        if let told = state.permissions, told != permissions {
            state.permissions = permissions
            record(.permissions(permissions))
        } else if state.permissions == nil {
            state.permissions = permissions
            save()
        }
        say(.permissions(permissions))
        checkAuthorization()
    }

    /// Reports where no cards can appear.
    func checkAuthorization() {
        if seenPermissions?.activities == false { report(.authorizationDenied) }
    }
}
