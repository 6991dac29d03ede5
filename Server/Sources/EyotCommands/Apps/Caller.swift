import EyotDomain

/// The caller of the control plane: a key, and the app that the call is about.
package struct Caller: Sendable {
    package var key: APIKey
    /// Nil if an operator's call names no app.
    package var app: App?

    package var isOperator: Bool { key.app == nil }

    package init(key: APIKey, app: App?) { (self.key, self.app) = (key, app) }

    /// A caller with a key of an app.
    ///
    /// - Parameters:
    ///   - own: The app of the key, or nil if that app is gone.
    ///   - bundleID: The app that the call names, if any.
    /// - Throws: `keyForbidden`, also for an app that does not exist, so that a caller without a key for it learns
    ///   nothing.
    package init(_ key: APIKey, of own: App?, naming bundleID: String?) throws(EyotError) {
        guard let own, bundleID ?? own.bundleID == own.bundleID else {
            throw EyotError(.keyForbidden, "the key \(key.hint) belongs to another app")
        }
        self.init(key: key, app: own)
    }

    /// - Throws: `keyForbidden`, with the scopes that the key lacks.
    package func require(_ scopes: [KeyScope]) throws(EyotError) {
        let lacking = scopes.filter { !key.allows($0) }
        guard !lacking.isEmpty else { return }
        throw EyotError(
            .keyForbidden, "the key \(key.hint) lacks the scope \(lacking.map(\.rawValue).joined(separator: " and "))")
    }

    /// - Throws: `fieldMissing`, with the name of the header.
    package func requiredApp() throws(EyotError) -> App {
        guard let app else {
            throw EyotError(
                .fieldMissing, "an operator's key belongs to no app: send a bundle id in \(Self.appHeader)",
                field: Self.appHeader)
        }
        return app
    }

    /// The header that names the app of an operator's call.
    package static let appHeader = "Eyot-App"
}

/// The key that a call presents.
package struct PresentedKey: Sendable {
    /// The secret, or an access token that stands for it.
    package var secret: String
    /// The identifier that the call sends beside the key, if the API has one.
    package var identifier: String?

    package init(secret: String, identifier: String? = nil) {
        self.secret = secret
        self.identifier = identifier
    }

    /// Checks that the key opens an API.
    ///
    /// - Throws: `keyInvalid` if the key is no longer usable or belongs to another client, and `keyForbidden` for a key
    ///   of another kind.
    package func check(_ key: APIKey, of plane: KeyPlane, at now: Instant) throws(EyotError) {
        guard key.isUsable(at: now) else {
            let end = key.revokedAt == nil ? "has expired" : "was revoked"
            throw EyotError(.keyInvalid, "the key \(key.hint) \(end)")
        }
        guard key.plane == plane else {
            throw EyotError(.keyForbidden, "the key \(key.hint) is for the API of \(key.plane.rawValue)")
        }
        if let identifier, identifier != key.identifier {
            throw EyotError(.keyInvalid, "the key \(key.hint) does not belong to \(identifier)")
        }
    }
}

/// The authentication of a call by the secret that it carries. One transaction.
package struct Authenticate: UseCase {
    package let transaction: Transaction

    package init(_ transaction: Transaction) {
        self.transaction = transaction
    }

    /// The key of the control plane, or of a vendor's API, that a call carries.
    ///
    /// - Parameters:
    ///   - plane: The API that is called.
    ///   - tokens: Reads an access token instead of the secret. Nil if the API has none.
    /// - Throws: `keyInvalid` for an unknown or unusable key, and `keyForbidden` for a key of another kind.
    ///   `routeUnknown` if no key exists for another vendor's API, because that API is then off.
    package func key(
        _ presented: PresentedKey, of plane: KeyPlane = .eyot, tokens: AccessTokens? = nil
    ) throws -> APIKey {
        guard let key = try key(presented.secret, tokens) else {
            guard try plane == .eyot || ledger.hasKeys(of: plane) else {
                throw EyotError(.routeUnknown, "the API of \(plane.rawValue) is off, because no key for it exists")
            }
            throw try unknown(presented.secret)
        }
        try presented.check(key, of: plane, at: now)
        return key
    }

    /// The caller of a control-plane route.
    ///
    /// - Parameter bundleID: The app that the call names, if any.
    /// - Throws: `appUnknown` or `keyForbidden`.
    package func caller(_ key: APIKey, bundleID: String?) throws -> Caller {
        guard let own = key.app else {
            guard let bundleID else { return Caller(key: key, app: nil) }
            guard let app = try ledger.app(bundleID: bundleID) else {
                throw EyotError(.appUnknown, "there is no app \(bundleID)")
            }
            return Caller(key: key, app: app)
        }
        return try Caller(key, of: ledger.app(own), naming: bundleID)
    }

    /// The app of the public key that a phone sends.
    package func app(publicKey: String) throws -> App {
        if let app = try ledger.app(publicKey: publicKey, at: now) { return app }
        guard Keyring.kind(of: publicKey) == .apiKey,
            try ledger.apiKey(hash: Keyring.hash(of: publicKey)) != nil
        else { throw EyotError(.keyInvalid, "the app key is not known") }
        throw EyotError(
            .keyForbidden, "this is an API key, which must not be on a phone: register devices with the app key")
    }

    /// The device of the secret that a call carries.
    package func device(secret: String) throws -> Device {
        guard let device = try ledger.device(secret: Keyring.hash(of: secret)) else {
            throw EyotError(.secretInvalid, "the device secret is not known")
        }
        return device
    }

    private func key(_ secret: String, _ tokens: AccessTokens?) throws -> APIKey? {
        guard let tokens, AccessTokens.isAccessToken(secret) else {
            return try ledger.apiKey(hash: Keyring.hash(of: secret))
        }
        return try tokens.keyID(in: secret, at: now).flatMap { try ledger.apiKey($0) }
    }

    private func unknown(_ secret: String) throws -> EyotError {
        if try ledger.app(publicKey: secret, at: now) != nil {
            return EyotError(.keyForbidden, "this is an app key, which is valid only for registering devices")
        }
        if try ledger.device(secret: Keyring.hash(of: secret)) != nil {
            return EyotError(.keyForbidden, "this is a device secret, which is valid only for the device plane")
        }
        return EyotError(.keyInvalid, "the key is not known")
    }
}
