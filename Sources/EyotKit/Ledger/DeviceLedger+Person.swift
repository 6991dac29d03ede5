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
        if let former = state.user, former != user { removeCards(cards) }
        state.user = user
        state.signature = signature
        record(.identify(user: user, signature: signature))
    }

    /// Nobody is logged in any more. Cards that run are told to go, where that is wanted.
    func logout(_ cards: EyotConfiguration.CardsOnLogout) {
        removeCards(cards)
        state.user = nil
        state.signature = nil
        record(.logout)
    }

    private func removeCards(_ cards: EyotConfiguration.CardsOnLogout) {
        guard cards == .end else { return }
        for following in followed.values { following.commands.yield(.removeNow) }
    }

    /// What the app says of this installation changes.
    func change(_ edit: ProfileEdit) {
        var profile = state.profile
        if let wrong = profile.make(edit) { return report(.profileInvalid(name: String(wrong.prefix(64)))) }
        guard profile != state.profile else { return }
        state.profile = profile
        record(.profile(profile))
    }

    /// What the person allows now. A change is told to the server; what it is at first the registration says.
    func permissionsSeen(_ permissions: DevicePermissions) {
        guard permissions != seenPermissions else { return }
        if seenPermissions != nil { record(.permissions(permissions)) }
        seenPermissions = permissions
        say(.permissions(permissions))
        checkAuthorization()
    }

    /// Reports where no cards can appear.
    func checkAuthorization() {
        if seenPermissions?.activities == false { report(.authorizationDenied) }
    }
}
