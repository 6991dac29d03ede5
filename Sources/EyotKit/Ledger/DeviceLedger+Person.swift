import EyotContract

/// Who uses the app, what they allow, and what the app says of this installation.
extension DeviceLedger {
    /// Takes away what nobody follows yet, type by type.
    typealias Removal = @Sendable () async -> Void

    /// - Parameter cards: what becomes of the cards of the person before.
    /// - Returns: what is still to be done for that.
    func identify(
        _ user: String, signature text: String?, _ cards: EyotConfiguration.CardsOnLogout
    ) -> [Removal] {
        let signature = text.flatMap(IdentitySignature.init)
        guard DeviceLimits.isIdentifier(user), text == nil || signature != nil else {
            report(DeviceLimits.isIdentifier(user) ? .signatureInvalid : .userInvalid)
            return []
        }
        // Without a new one the old one still speaks of the same person.
        guard user != state.user || signature != nil && signature != state.signature else { return [] }
        let isAnother = state.user != nil && state.user != user
        let removals = isAnother ? removeCards(cards) : []
        state.user = user
        state.signature = signature
        record(.identify(user: user, signature: signature))
        return removals
    }

    /// Nobody is logged in any more. Cards that run are told to go, where that is wanted.
    ///
    /// - Returns: what is still to be done for that.
    func logout(_ cards: EyotConfiguration.CardsOnLogout) -> [Removal] {
        let removals = removeCards(cards)
        state.user = nil
        state.signature = nil
        record(.logout)
        return removals
    }

    /// Cards of earlier launches that nobody follows yet go as soon as somebody does, be it in a later launch. Where nobody was logged
    /// in they stay: some apps log out at every launch that finds no session.
    private func removeCards(_ cards: EyotConfiguration.CardsOnLogout) -> [Removal] {
        guard cards == .end else { return [] }
        for (instance, card) in state.cards
        where card.isTracked && (state.user != nil || followed[instance] != nil) {
            state.cards[instance]?.isToGo = true
            followed[instance]?.card.isToGo = true
        }
        for following in followed.values { following.commands.yield(.removeNow) }
        guard state.user != nil else { return [] }
        resumedAtLogout = resumedTypes
        return Array(removals.values)
    }

    /// How the cards of a type are taken away that have just appeared, so that nobody follows them yet.
    func take(_ removal: @escaping Removal, of type: String) { removals[type] = removal }

    /// Cards that nobody knows and that may be those of a person who left before the type was resumed, as where pushes started them
    /// while the app was dead. They are answered once.
    func takeLeftovers(of type: String, among present: Set<String>) -> Set<String> {
        guard let resumed = resumedAtLogout, !resumed.contains(type) else { return [] }
        resumedAtLogout?.insert(type)
        return present.subtracting(state.cards.keys)
    }

    /// A card is to go that may be followed since a moment ago.
    ///
    /// - Returns: whether nobody follows it yet who would end it, and the app has not said that it is none of ours.
    func remove(_ instance: String) -> Bool {
        guard let following = followed[instance] else { return state.cards[instance]?.isTracked ?? true }
        following.commands.yield(.removeNow)
        return false
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
