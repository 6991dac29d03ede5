import EyotContract
import EyotDomain

/// Makes keys of the control plane, rotates and revokes them. One transaction each.
package struct APIKeys {
    /// Keys of one app that open anything. More would be a key for each caller, which nobody keeps track of.
    package static let limit = 100
    /// Keys of one app that open nothing any more and are listed all the same. Beyond them the oldest are forgotten.
    package static let outOfUse = 400
    /// The longest overlap of a rotation, in seconds.
    package static let longestOverlap = 30 * 86_400
    /// The overlap where the caller does not say.
    package static let usualOverlap = 86_400

    /// Where a key may be used, and which phones it reaches.
    package struct Reach: Sendable {
        package var addresses: [String]?
        package var environment: PushEnvironment?

        package init(addresses: [String]? = nil, environment: PushEnvironment? = nil) {
            (self.addresses, self.environment) = (addresses, environment)
        }
    }

    let ledger: any Ledger
    let now: Instant

    package init(ledger: any Ledger, now: Instant) {
        self.ledger = ledger
        self.now = now
    }

    /// - Parameters:
    ///   - app: nil makes an operator's key.
    ///   - secret: made by ``Keyring``, outside the transaction.
    ///   - plane: the API that takes it.
    ///   - identifier: what callers name beside it.
    ///   - publicKey: by which they may prove that they have its private part.
    ///   - scopes: what it may do; nil is all that there is.
    ///   - reach: where it may be used and which phones it reaches. Where it says no addresses, the caller's hold.
    ///   - caller: the key that asks for it; nil at the database itself. None makes a key that may do more than itself.
    package func create(
        name: String, of app: AppID?, secret: Keyring.NewSecret, plane: KeyPlane = .eyot, identifier: String? = nil,
        publicKey: String? = nil, scopes: Set<KeyScope>? = nil, expiresAt: Instant? = nil, reach: Reach = Reach(),
        by caller: APIKey? = nil
    ) throws -> APIKey {
        try FieldRule.name.check(name, field: "name")
        guard plane == .eyot || app != nil else {
            throw EyotError(
                .fieldMissing, "a key for the API of \(plane.rawValue) belongs to an app", field: Caller.appHeader)
        }
        try check(scopes, by: caller)
        if let own = caller?.addresses, let wanted = reach.addresses, !Set(wanted).isSubset(of: own) {
            throw EyotError(
                .keyForbidden, "the key \(caller?.hint ?? "") makes keys for its own addresses alone",
                field: "addresses")
        }
        if let expiresAt, expiresAt <= now {
            throw EyotError(.dateOutOfRange, "expiresAt must lie ahead", field: "expiresAt")
        }
        if let identifier, publicKey != nil { try checkOwner(of: identifier, plane, app) }
        try makeRoom(in: ledger.apiKeys(of: app))
        var key = APIKey(
            app: app, name: name, hash: secret.hash, hint: secret.hint, createdAt: now, plane: plane,
            identifier: identifier)
        (key.scopes, key.expiresAt, key.publicKey) = (scopes, expiresAt, publicKey)
        (key.addresses, key.environment) = (reach.addresses ?? caller?.addresses, reach.environment)
        return try ledger.insert(key)
    }

    /// Makes a key in the place of another one, which opens what it did until the overlap is over. Where the old one had an end, the
    /// new one lives as long from now on as the old one was meant to.
    ///
    /// - Parameters:
    ///   - overlap: seconds, up to ``longestOverlap``.
    ///   - make: makes a secret for the API that takes the key.
    ///   - caller: the key that asks for it, which may be the same.
    /// - Returns: the new one with its secret, and the old one as it is now.
    package func rotate(
        _ id: Int64, of app: AppID?, overlap: Int, by caller: APIKey, make: (KeyPlane) -> Keyring.NewSecret
    ) throws -> (new: APIKey, secret: Keyring.NewSecret, old: APIKey) {
        var old = try key(id, of: app)
        guard old.isUsable(at: now) else {
            throw EyotError(.keyUnknown, "key \(id) opens nothing any more: make a new one")
        }
        try check(old.scopes, by: caller)
        let end = now + Double(overlap)
        let lifetime = old.expiresAt.map { $0.seconds(since: old.createdAt) }
        old.expiresAt = min(old.expiresAt ?? end, end)
        try ledger.update(old)
        let secret = make(old.plane)
        let new = try create(
            name: old.name, of: app, secret: secret, plane: old.plane, identifier: old.identifier,
            publicKey: old.publicKey, scopes: old.scopes, expiresAt: lifetime.map { now + $0 },
            reach: Reach(addresses: old.addresses, environment: old.environment), by: caller)
        return (new, secret, old)
    }

    /// Revokes a key; one that is revoked already stays so.
    ///
    /// - Parameter caller: the key that asks for it. None revokes itself, so that nobody is ever locked out of everything.
    package func revoke(_ id: Int64, of app: AppID?, by caller: APIKey) throws {
        var key = try key(id, of: app)
        guard id != caller.id else {
            throw EyotError(.keyForbidden, "a key does not revoke itself: make another one and use that")
        }
        let lacking = Self.lacking(key.scopes, caller)
        guard caller.covers(key.scopes) else {
            throw EyotError(
                .keyForbidden, "the key \(caller.hint) revokes no key that may do what it may not: \(lacking)")
        }
        guard key.revokedAt == nil else { return }
        key.revokedAt = now
        try ledger.update(key)
    }

    /// - Throws: `keyUnknown` where there is no such key.
    package func require(_ id: Int64, of app: AppID?) throws { _ = try key(id, of: app) }

    private func key(_ id: Int64, of app: AppID?) throws -> APIKey {
        guard let key = try ledger.apiKeys(of: app).first(where: { $0.id == id }) else {
            throw EyotError(.keyUnknown, "there is no key \(id)")
        }
        return key
    }

    /// Refuses an identifier that a usable key of another app has.
    ///
    /// A client is looked for among a few keys of its identifier, and another app's keys would crowd out its own.
    private func checkOwner(of identifier: String, _ plane: KeyPlane, _ app: AppID?) throws {
        let holders = try ledger.apiKeys(of: plane, identifier: identifier, limit: APIKey.clientLimit)
        guard !holders.contains(where: { $0.app != app && $0.isUsable(at: now) }) else {
            throw EyotError(
                .fieldInvalid, "another app has a key with the identifier \(identifier)", field: "identifier")
        }
    }

    /// Scopes that a caller's key does not have.
    private static func lacking(_ scopes: Set<KeyScope>?, _ caller: APIKey) -> String {
        scopes.map { $0.filter { !caller.allows($0) }.map(\.rawValue).sorted().joined(separator: ", ") } ?? "all scopes"
    }

    private func check(_ scopes: Set<KeyScope>?, by caller: APIKey?) throws(EyotError) {
        guard let caller, !caller.covers(scopes) else { return }
        throw EyotError(
            .keyForbidden,
            "the key \(caller.hint) gives nobody more than it has itself: \(Self.lacking(scopes, caller))",
            field: "scopes")
    }

    private func makeRoom(in keys: [APIKey]) throws {
        guard keys.count(where: { $0.isUsable(at: now) }) < Self.limit else {
            throw EyotError(.fieldInvalid, "there are \(Self.limit) keys already: revoke some first")
        }
        for key in keys.filter({ !$0.isUsable(at: now) }).dropLast(Self.outOfUse - 1) {
            try ledger.removeAPIKey(key.id)
        }
    }
}
