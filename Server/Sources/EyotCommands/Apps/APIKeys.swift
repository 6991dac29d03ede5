import EyotContract
import EyotDomain

/// The keys of the control plane: makes, rotates and revokes them. One transaction for each change.
package struct APIKeys: UseCase {
    /// The most usable keys of one app. A key for each caller would exceed it, and could not be overseen.
    package static let limit = 100
    /// Unusable keys of one app that are still listed. The oldest ones beyond them are removed.
    package static let outOfUse = 400
    /// The longest overlap of a rotation, in seconds.
    package static let longestOverlap = 30 * 86_400
    /// The overlap if the caller gives none, in seconds.
    package static let usualOverlap = 86_400

    /// The addresses where a key may be used, and the environment of the phones that it reaches.
    package struct Reach: Sendable {
        package var addresses: [String]?
        package var environment: PushEnvironment?

        package init(addresses: [String]? = nil, environment: PushEnvironment? = nil) {
            (self.addresses, self.environment) = (addresses, environment)
        }
    }

    /// A key to make.
    package struct Wanted: Sendable {
        package var name: String
        /// The API that accepts the key.
        package var plane: KeyPlane
        /// The identifier that callers send beside the key.
        package var identifier: String?
        /// The key to verify that callers have its private part.
        package var publicKey: String?
        /// What the key may do. Nil stands for everything.
        package var scopes: Set<KeyScope>?
        package var expiresAt: Instant?
        /// Where the key may be used, and which phones it reaches. Without addresses the caller's addresses apply.
        package var reach = Reach()

        package init(
            name: String, plane: KeyPlane = .eyot, identifier: String? = nil, publicKey: String? = nil
        ) {
            self.name = name
            self.plane = plane
            self.identifier = identifier
            self.publicKey = publicKey
        }
    }

    package let transaction: Transaction

    package init(_ transaction: Transaction) {
        self.transaction = transaction
    }

    /// Makes a key.
    ///
    /// - Parameters:
    ///   - app: The app of the key, or nil for an operator's key.
    ///   - secret: Made by ``Keyring``, outside the transaction.
    ///   - caller: The key that makes it, or nil at the database itself. No key makes one that may do more than itself.
    package func create(
        _ wanted: Wanted, of app: AppID?, secret: Keyring.NewSecret, by caller: APIKey? = nil
    ) throws -> APIKey {
        let (plane, identifier, reach) = (wanted.plane, wanted.identifier, wanted.reach)
        try FieldRule.name.check(wanted.name, field: "name")
        guard plane == .eyot || app != nil else {
            throw EyotError(
                .fieldMissing, "a key for the API of \(plane.rawValue) needs an app: name it in \(Caller.appHeader)",
                field: Caller.appHeader)
        }
        try check(wanted.scopes, by: caller)
        if let own = caller?.addresses, let wanted = reach.addresses, !Set(wanted).isSubset(of: own) {
            throw EyotError(
                .keyForbidden, "the key \(caller?.hint ?? "") can create keys only for its own addresses",
                field: "addresses")
        }
        if let expiresAt = wanted.expiresAt, expiresAt <= now {
            throw EyotError(.dateOutOfRange, "expiresAt must be in the future", field: "expiresAt")
        }
        if let identifier, wanted.publicKey != nil { try checkOwner(of: identifier, plane, app) }
        try makeRoom(in: ledger.apiKeys(of: app))
        var key = APIKey(
            app: app, name: wanted.name, hash: secret.hash, hint: secret.hint, createdAt: now, plane: plane,
            identifier: identifier)
        (key.scopes, key.expiresAt, key.publicKey) = (wanted.scopes, wanted.expiresAt, wanted.publicKey)
        (key.addresses, key.environment) = (reach.addresses ?? caller?.addresses, reach.environment)
        return try ledger.insert(key)
    }

    /// Makes a key that replaces another one. The old key stays usable until the overlap is over. If the old key had an
    /// expiry, the new one gets the same lifetime, counted from now.
    ///
    /// - Parameters:
    ///   - overlap: Seconds, up to ``longestOverlap``.
    ///   - make: Makes a secret for the API that accepts the key.
    ///   - caller: The key that asks for the rotation, which may be the same.
    /// - Returns: The new key with its secret, and the old key as it is now.
    package func rotate(
        _ id: Int64, of app: AppID?, overlap: Int, by caller: APIKey, make: (KeyPlane) -> Keyring.NewSecret
    ) throws -> (new: APIKey, secret: Keyring.NewSecret, old: APIKey) {
        var old = try key(id, of: app)
        guard old.isUsable(at: now) else {
            throw EyotError(.keyUnknown, "key \(id) has expired or was revoked: create a new one")
        }
        guard old.plane != .panel else {
            throw EyotError(.keyForbidden, "key \(id) is a member's grant and has no secret: change it in the panel")
        }
        try check(old.scopes, by: caller)
        let end = now + Double(overlap)
        let lifetime = old.expiresAt.map { $0.seconds(since: old.createdAt) }
        old.expiresAt = min(old.expiresAt ?? end, end)
        try ledger.update(old)
        let secret = make(old.plane)
        var wanted = Wanted(name: old.name, plane: old.plane, identifier: old.identifier, publicKey: old.publicKey)
        (wanted.scopes, wanted.expiresAt) = (old.scopes, lifetime.map { now + $0 })
        wanted.reach = Reach(addresses: old.addresses, environment: old.environment)
        let new = try create(wanted, of: app, secret: secret, by: caller)
        return (new, secret, old)
    }

    /// Revokes a key. A revoked key stays revoked.
    ///
    /// - Parameter caller: The key that asks for it. No key revokes itself, so that one key always remains.
    package func revoke(_ id: Int64, of app: AppID?, by caller: APIKey) throws {
        var key = try key(id, of: app)
        guard id != caller.id else {
            throw EyotError(.keyForbidden, "a key cannot revoke itself: revoke it with another key")
        }
        let lacking = Self.lacking(key.scopes, caller)
        guard caller.covers(key.scopes) else {
            throw EyotError(
                .keyForbidden, "the key \(caller.hint) cannot revoke a key that has scopes it lacks: \(lacking)")
        }
        guard key.revokedAt == nil else { return }
        key.revokedAt = now
        try ledger.update(key)
    }

    /// - Throws: `keyUnknown` if there is no such key.
    package func require(_ id: Int64, of app: AppID?) throws { _ = try key(id, of: app) }

    private func key(_ id: Int64, of app: AppID?) throws -> APIKey {
        guard let key = try ledger.apiKeys(of: app).first(where: { $0.id == id }) else {
            throw EyotError(.keyUnknown, "there is no key \(id)")
        }
        return key
    }

    /// Refuses an identifier that a usable key of another app has.
    ///
    /// A client is searched among a few keys of its identifier, and another app's keys would crowd out its own.
    private func checkOwner(of identifier: String, _ plane: KeyPlane, _ app: AppID?) throws {
        let holders = try ledger.apiKeys(of: plane, identifier: identifier, limit: APIKey.clientLimit)
        guard !holders.contains(where: { $0.app != app && $0.isUsable(at: now) }) else {
            throw EyotError(
                .fieldInvalid, "another app has a key with the identifier \(identifier)", field: "identifier")
        }
    }

    /// The scopes that a caller's key lacks.
    private static func lacking(_ scopes: Set<KeyScope>?, _ caller: APIKey) -> String {
        scopes.map { $0.filter { !caller.allows($0) }.map(\.rawValue).sorted().joined(separator: ", ") } ?? "all scopes"
    }

    private func check(_ scopes: Set<KeyScope>?, by caller: APIKey?) throws(EyotError) {
        guard let caller, !caller.covers(scopes) else { return }
        throw EyotError(
            .keyForbidden,
            "the key \(caller.hint) cannot grant scopes that it lacks: \(Self.lacking(scopes, caller))",
            field: "scopes")
    }

    /// Keys of the panel have a limit of their own; see ``MemberGrants``.
    private func makeRoom(in all: [APIKey]) throws {
        let keys = all.filter { $0.plane != .panel }
        guard keys.count(where: { $0.isUsable(at: now) }) < Self.limit else {
            throw EyotError(.fieldInvalid, "there are \(Self.limit) keys already: revoke some first")
        }
        for key in keys.filter({ !$0.isUsable(at: now) }).dropLast(Self.outOfUse - 1) {
            try ledger.removeAPIKey(key.id)
        }
    }
}
