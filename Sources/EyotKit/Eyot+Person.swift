import EyotContract

/// The app's user, and the profile of this installation.
extension Eyot {
    /// Reports that a person opened the app through a card of this name. Call it where the app handles the card's link
    /// (`onOpenURL`).
    public func tapped(_ name: String) { ask(for: .tapped(name: name)) }

    /// Sets the app's user. Earlier tokens are kept, and the push-to-start token moves to the user. Running cards are
    /// reported once more, because the server may have refused some before. If another user was logged in, that user is
    /// logged out first, see ``logout()``.
    ///
    /// - Parameters:
    ///   - user: the backend's id of the user, 1 to 256 bytes.
    ///   - signature: a JWT from the app's own backend with `user` as its `sub`, at most 8 KB; nil if the app has none.
    public func identify(_ user: String, signature: String? = nil) {
        let isTaken = DeviceLimits.isIdentifier(user) && signature.map { IdentitySignature($0) != nil } ?? true
        if isTaken {
            let former = person.withLock { person in
                defer { person = user }
                return person ?? nil
            }
            if let former, former != user { joinSecrets.withLock { $0 = .forgotten } }
        }
        ask(for: .identify(user, signature: signature))
    }

    /// Logs the user out. ``EyotConfiguration/cardsOnLogout`` decides what happens to running cards.
    public func logout() {
        person.withLock { $0 = .some(nil) }
        joinSecrets.withLock { $0 = .forgotten }
        ask(for: .logout)
    }

    /// Adds tags to this installation, by which the backend can select it. They stay through a logout. An installation
    /// has at most 100 tags; tags and attributes together have at most 32 KB as JSON.
    public func addTags(_ tags: Set<String>) { ask(for: .profile(.addTags(tags))) }

    /// Removes tags.
    public func removeTags(_ tags: Set<String>) { ask(for: .profile(.removeTags(tags))) }

    /// Sets an attribute of this installation; nil removes it. It stays through a logout. An installation has at most
    /// 100 attributes; tags and attributes together have at most 32 KB as JSON.
    public func setAttribute(_ name: String, to value: AttributeValue?) {
        ask(for: .profile(.setAttribute(name, value)))
    }
}

/// A change of a ``EyotContract/DeviceProfile``.
enum ProfileEdit: Sendable, Hashable {
    case addTags(Set<String>)
    case removeTags(Set<String>)
    case setAttribute(String, AttributeValue?)
}

extension DeviceProfile {
    /// Applies the change. After an error the profile must be discarded.
    ///
    /// - Returns: the tag or attribute that is not valid; nil if the change was applied.
    mutating func make(_ edit: ProfileEdit) -> String? {
        switch edit {
        case .removeTags(let gone): tags.subtract(gone)
        case .setAttribute(let name, nil): attributes[name] = nil
        case .addTags(let new):
            if let wrong = new.first(where: { !DeviceLimits.isIdentifier($0) }) { return wrong }
            guard tags.union(new).count <= DeviceLimits.tagsPerDevice else { return new.min() }
            tags.formUnion(new)
            if isTooLarge { return new.min() }
        case .setAttribute(let name, let value?):
            guard DeviceLimits.isIdentifier(name), value.isValid else { return name }
            let isKnown = attributes[name] != nil
            guard isKnown || attributes.count < DeviceLimits.attributesPerDevice else { return name }
            attributes[name] = value
            if isTooLarge { return name }
        }
        return nil
    }

    /// Whether the profile exceeds ``EyotContract/DeviceLimits/profileBytes``.
    private var isTooLarge: Bool { json.utf8.count > DeviceLimits.profileBytes }
}
