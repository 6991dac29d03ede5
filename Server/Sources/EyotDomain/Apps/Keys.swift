import EyotContract

/// The SHA-256 of a secret of 256 random bits. Only this is stored of a key that is shown once.
package struct SecretHash: Sendable, Hashable {
    package var bytes: [UInt8]

    package init(bytes: [UInt8]) { self.bytes = bytes }
}

/// A key of the control plane. It belongs to one app, or to the operator. An operator's key declares apps.
package struct APIKey: Sendable, Hashable {
    /// 0 until it is stored.
    package var id: Int64
    /// The app; nil for an operator's key.
    package var app: AppID?
    package var name: String
    package var hash: SecretHash
    /// The first characters of the secret, by which keys can be told apart.
    package var hint: String
    package var createdAt: Instant
    package var revokedAt: Instant?
    /// The API that accepts it.
    package var plane: KeyPlane
    /// The public name that callers send beside the secret, if their API has one: Airship's app key, Braze's app id.
    /// Nil if there is none.
    package var identifier: String?
    /// The PEM key by which callers may prove that they have its private part, if their API has that. Nil if only the
    /// secret counts.
    package var publicKey: String?
    /// The scopes that it has; nil means all.
    package var scopes: Set<KeyScope>?
    /// Addresses from which it may be used, and ranges such as `203.0.113.0/24`. Nil means anywhere.
    package var addresses: [String]?
    /// The only environment of Apple's with phones that it reaches; nil means both.
    package var environment: PushEnvironment?
    /// When it stops opening anything; nil means never.
    package var expiresAt: Instant?
    /// When it was last used, to within ``usePrecision``; nil means never.
    package var lastUsedAt: Instant?

    /// The most addresses and ranges of one key.
    package static let addressLimit = 50
    /// The most keys of one OAuth client that are looked at. A rotation leaves fewer side by side.
    package static let clientLimit = 10
    /// Seconds between two records of a key's use.
    package static let usePrecision = 60.0

    package init(
        id: Int64 = 0, app: AppID?, name: String, hash: SecretHash, hint: String, createdAt: Instant,
        plane: KeyPlane = .eyot, identifier: String? = nil
    ) {
        self.id = id
        self.app = app
        self.name = name
        self.hash = hash
        self.hint = hint
        self.createdAt = createdAt
        self.plane = plane
        self.identifier = identifier
    }

    /// Whether it is neither revoked nor expired at a moment.
    package func isUsable(at now: Instant) -> Bool { revokedAt == nil && expiresAt.map { now < $0 } ?? true }

    /// Whether it has a scope.
    package func allows(_ scope: KeyScope) -> Bool {
        guard let scopes, !scopes.contains(scope) else { return true }
        return scope == .whyRead && scopes.isSuperset(of: [.eventsRead, .peopleRead])
    }

    /// Whether it may do all that a key with these scopes may; nil means all scopes.
    package func covers(_ others: Set<KeyScope>?) -> Bool {
        scopes == nil || others?.allSatisfy(allows) == true
    }
}

/// An app's APNs key for one environment, its private part sealed with the master key.
package struct APNSKey: Sendable, Hashable {
    package var app: AppID
    package var environment: PushEnvironment
    package var teamID: String
    package var keyID: String
    package var sealed: SealedSecret
    package var addedAt: Instant

    package init(
        app: AppID, environment: PushEnvironment, teamID: String, keyID: String, sealed: SealedSecret, addedAt: Instant
    ) {
        self.app = app
        self.environment = environment
        self.teamID = teamID
        self.keyID = keyID
        self.sealed = sealed
        self.addedAt = addedAt
    }
}

/// A secret as it is stored. It can be read only with the master key that sealed it, and only in its place.
package struct SealedSecret: Sendable, Hashable {
    /// The id of the master key.
    package var masterKeyID: String
    /// Nonce, ciphertext and tag.
    package var box: [UInt8]

    package init(masterKeyID: String, box: [UInt8]) {
        self.masterKeyID = masterKeyID
        self.box = box
    }
}
