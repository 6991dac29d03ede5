import EyotContract

/// Who uses the app, and what the app says of this installation.
extension Eyot {
    /// The person opened the app through a card of this name: call it where the card's link is opened (`onOpenURL`).
    public func tapped(_ name: String) { ask(for: .tapped(name: name)) }

    /// The person who uses the app is this one, by the backend's id of 1 to 256 bytes. Tokens that came before are kept, and the
    /// push-to-start token moves along; cards that run are told once more, since some may have been refused before. Where another
    /// person was logged in, that one is logged out first, see ``logout()``.
    ///
    /// - Parameters:
    ///   - user: the backend's id.
    ///   - signature: what the app's own backend signed about that person: a JWT whose `sub` is `user`, at most 8 KB.
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

    /// Nobody is logged in any more. What happens to running cards is ``EyotConfiguration/cardsOnLogout``.
    public func logout() {
        person.withLock { $0 = .some(nil) }
        joinSecrets.withLock { $0 = .forgotten }
        ask(for: .logout)
    }

    /// Gives this installation tags, by which the backend can choose it. They stay through a logout. There may be 100 of them, and tags
    /// and attributes together may have 128 KB as JSON.
    public func addTags(_ tags: Set<String>) { ask(for: .profile(.addTags(tags))) }

    /// Takes tags away.
    public func removeTags(_ tags: Set<String>) { ask(for: .profile(.removeTags(tags))) }

    /// Sets an attribute of this installation; nil takes it away. It stays through a logout. There may be 100 of them, and tags and
    /// attributes together may have 128 KB as JSON.
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
    /// Makes the change. What comes of it is worth nothing where a server would not take it.
    ///
    /// - Returns: what cannot be taken; nil where all is well.
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

    /// Whether no report of it would fit into a request.
    private var isTooLarge: Bool { json.utf8.count > DeviceLimits.profileBytes }
}
