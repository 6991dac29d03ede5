import EyotContract

/// The SHA-256 of a secret of 256 random bits: what is kept of a key that is shown once.
package struct SecretHash: Sendable, Hashable {
    package var bytes: [UInt8]

    package init(bytes: [UInt8]) { self.bytes = bytes }
}

/// A key of the control plane. One key, one app; the operator's key declares apps and belongs to none.
package struct APIKey: Sendable, Hashable {
    /// 0 until it is stored.
    package var id: Int64
    /// Nil is the operator's.
    package var app: AppID?
    package var name: String
    package var hash: SecretHash
    /// The first characters of the secret, to tell keys apart.
    package var hint: String
    package var createdAt: Instant
    package var revokedAt: Instant?
    /// The API that takes it.
    package var plane: KeyPlane
    /// What callers name beside the secret where their API has that: Airship's app key, Braze's app id. No secret.
    package var identifier: String?
    /// By which callers may prove that they have the private part, where their API has that: PEM. Nil is by the secret alone.
    package var publicKey: String?
    /// What it may do; nil is all that there is.
    package var scopes: Set<KeyScope>?
    /// Where it may be used: addresses, and ranges of them such as `203.0.113.0/24`. Nil is everywhere.
    package var addresses: [String]?
    /// The environment of Apple's whose phones alone it reaches; nil is both.
    package var environment: PushEnvironment?
    /// From then on it opens nothing; nil is never.
    package var expiresAt: Instant?
    /// When it was last used, to within ``usePrecision``; nil is never.
    package var lastUsedAt: Instant?

    /// Addresses and ranges of one key.
    package static let addressLimit = 50
    /// Keys of one client of OAuth that are looked at: those that a rotation leaves side by side, and more.
    package static let clientLimit = 10
    /// Seconds between two notes of a key's use.
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

    /// Whether it opens anything at a moment.
    package func isUsable(at now: Instant) -> Bool { revokedAt == nil && expiresAt.map { now < $0 } ?? true }

    /// Whether it may do something.
    package func allows(_ scope: KeyScope) -> Bool { scopes?.contains(scope) ?? true }

    /// Whether it may do all that a key with these scopes may; nil is all that there is.
    package func covers(_ others: Set<KeyScope>?) -> Bool {
        guard let scopes else { return true }
        return others?.isSubset(of: scopes) ?? false
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

/// A secret as it is stored: readable only with the master key that sealed it, and only in its place.
package struct SealedSecret: Sendable, Hashable {
    /// Names the master key.
    package var masterKeyID: String
    /// Nonce, ciphertext and tag.
    package var box: [UInt8]

    package init(masterKeyID: String, box: [UInt8]) {
        self.masterKeyID = masterKeyID
        self.box = box
    }
}
