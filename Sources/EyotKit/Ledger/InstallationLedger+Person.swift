import EyotContract

/// The app's user, the permissions, and the profile of this installation.
extension InstallationLedger {
    /// Sets the user.
    ///
    /// - Parameter cards: the fate of the former user's cards.
    func identify(_ user: String, signature text: String?, _ cards: EyotConfiguration.CardsOnLogout) {
        guard DeviceLimits.isIdentifier(user) else { return report(.userInvalid) }
        let signature = text.flatMap(IdentitySignature.init)
        guard text == nil || signature != nil else { return report(.signatureInvalid) }
        // A call without a signature keeps the old one, which still holds for the same user.
        let isNews = user != state.user || signature != nil && signature != state.signature
        guard isNews || mayRepeat(.person) else { return }
        let isLeft = state.user.map { $0 != user } ?? false
        if isLeft {
            removeCards(cards)
            state.joinSecrets = JoinSecretList()
        }
        state.signature = user == state.user ? signature ?? state.signature : signature
        state.user = user
        record(.identify(user: user, signature: state.signature), isLasting: isLeft)
        // The server may have refused cards while the phone had no user. Cards that are to be removed belonged to the
        // former user.
        for following in followedCards where !following.card.isToGo { reportAnew(following) }
    }

    /// Logs the user out. Running cards are removed if `cards` says so.
    func logout(_ cards: EyotConfiguration.CardsOnLogout) {
        removeCards(cards)
        let isLeft = state.user != nil
        state.user = nil
        state.signature = nil
        state.joinSecrets = JoinSecretList()
        record(.logout, isLasting: isLeft)
    }

    /// Marks the cards for removal. A card that is not followed is removed as soon as it is, also in a later launch.
    /// Without a user the cards that are not followed stay, because some apps log out at every launch without a
    /// session.
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

    /// Prepares the search for the cards of a type.
    ///
    /// - Parameters:
    ///   - before: the cards that existed when the app made the call. If a user left before the type was resumed,
    ///     unknown cards may be that user's. A push may have started them while the app did not run.
    ///   - now: returns the cards that exist when it is called.
    func willResume(_ type: String, before: Set<String>, now: @escaping @Sendable () -> [String]) {
        present[type] = now
        guard let resumed = resumedAtLogout, !resumed.contains(type) else { return }
        resumedAtLogout?.insert(type)
        leaving.formUnion(before.subtracting(state.cards.keys))
    }

    /// Changes the profile of this installation.
    func change(_ edit: ProfileEdit) {
        var profile = state.profile
        if let wrong = profile.make(edit) { return report(.profileInvalid(name: String(wrong.prefix(64)))) }
        guard profile != state.profile || mayRepeat(.profile) else { return }
        state.profile = profile
        state.hasToldProfile = true
        record(.profile(profile))
    }

    /// Records the present permissions. A change is reported to the server, also one since an earlier launch. The
    /// registration reports the first ones.
    func permissionsSeen(_ permissions: DevicePermissions) {
        guard permissions != seenPermissions else { return }
        if let seen = seenPermissions, seen.activities != permissions.activities {
            switchedOffAt = seen.activities ? clock.now() : nil
        }
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

    /// Reports a problem if no cards can appear.
    func checkAuthorization() {
        if seenPermissions?.activities == false { report(.authorizationDenied) }
    }
}
