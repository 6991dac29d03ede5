import EyotContract
import EyotDomain
import Foundation

/// The sign-in at an OpenID provider: authorization code with PKCE, `state` and `nonce` (OpenID Connect Core 1.0).
package actor OpenIDProvider {
    /// Seconds for which the provider's description and keys are used again.
    private static let lifetime = 3_600.0
    /// Seconds between two looks for a key that is unknown.
    private static let patience = 60.0

    package nonisolated let settings: OpenIDSettings
    private let client: any ProviderClient
    private let verifier: any IDTokenVerifier
    private let clock: any WallClock
    private var discovery: (value: OpenIDDiscovery, readAt: Instant)?
    private var keys: (value: [JSONValue], readAt: Instant)?

    package init(
        _ settings: OpenIDSettings, client: any ProviderClient, verifier: any IDTokenVerifier, clock: any WallClock
    ) {
        (self.settings, self.client, self.verifier, self.clock) = (settings, client, verifier, clock)
    }

    /// The address that the browser is sent to.
    ///
    /// - Parameter redirect: Where the provider sends the browser back.
    package func authorization(of attempt: OpenIDAttempt, redirect: String) async throws -> String {
        let base = try await described(by: clock.uptime + ProviderCall.longest).authorization
        let query = Self.form([
            ("response_type", "code"), ("client_id", settings.clientID), ("redirect_uri", redirect),
            ("scope", "openid email"), ("state", attempt.state), ("nonce", attempt.nonce),
            ("code_challenge", attempt.challenge), ("code_challenge_method", "S256"),
        ])
        return base + (base.contains("?") ? "&" : "?") + query
    }

    /// Exchanges the code of a return for the person.
    ///
    /// - Throws: ``MemberError`` with `providerFailed`.
    package func identity(code: String, attempt: OpenIDAttempt, redirect: String) async throws -> ProviderIdentity {
        let deadline = clock.uptime + ProviderCall.longest
        let discovery = try await described(by: deadline)
        let tokens = try await exchange(code, attempt, redirect, discovery, by: deadline)
        guard let token = tokens["id_token"]?.string else { throw MemberError.provider("it sent no ID token") }
        let claims = try await claims(of: token, nonce: attempt.nonce, by: deadline)
        guard let subject = claims["sub"]?.string, !subject.isEmpty, subject.utf8.count <= 255 else {
            throw MemberError.provider("its ID token has no subject")
        }
        var email = Self.verifiedEmail(in: claims)
        // What the signed token denies, an answer without a signature does not grant.
        if email == nil, claims["email_verified"] == nil, let access = tokens["access_token"]?.string,
            let address = discovery.userInfo
        {
            let answer = try await send(
                ProviderCall(address, authorization: Secret("Bearer " + access)), by: deadline)
            let person = answer.status == 200 ? (try? JSONValue(parsing: answer.body))?.object : nil
            // Another subject would be another person (OpenID Connect Core 1.0, section 5.3.2).
            if let person, person["sub"]?.string == subject { email = Self.verifiedEmail(in: person) }
        }
        return ProviderIdentity(account: ProviderAccount(issuer: settings.issuer, subject: subject), email: email)
    }

    private static func verifiedEmail(in claims: JSONObject) -> String? {
        // Some providers write the flag as text.
        guard claims["email_verified"] == .bool(true) || claims["email_verified"]?.string == "true" else { return nil }
        return claims["email"]?.string.flatMap { $0.isEmpty ? nil : $0 }
    }

    private func exchange(
        _ code: String, _ attempt: OpenIDAttempt, _ redirect: String, _ discovery: OpenIDDiscovery,
        by deadline: Double
    ) async throws -> JSONObject {
        var form: [(name: String, value: Secret)] = [
            ("grant_type", Secret("authorization_code")), ("code", Secret(code)), ("redirect_uri", Secret(redirect)),
            ("code_verifier", Secret(attempt.verifier)),
        ]
        var authorization: Secret?
        if let secret = settings.clientSecret, !discovery.takesSecretInForm {
            // RFC 6749, section 2.3.1: both are encoded as in a form.
            let pair = Self.encoded(settings.clientID) + ":" + Self.encoded(secret.text)
            authorization = Secret("Basic " + Data(pair.utf8).base64EncodedString())
        } else {
            form.append(("client_id", Secret(settings.clientID)))
            if let secret = settings.clientSecret { form.append(("client_secret", secret)) }
        }
        let answer = try await call(
            ProviderCall(discovery.token, form: form, authorization: authorization), by: deadline)
        guard let object = answer.object else { throw MemberError.provider("its answer to the code is not JSON") }
        return object
    }

    private func claims(of token: String, nonce: String, by deadline: Double) async throws -> JSONObject {
        let terms = IDTokenTerms(issuer: settings.issuer, clientID: settings.clientID, nonce: nonce)
        do throws(IDTokenFault) {
            return try await verifier.claims(of: token, keys: try await known(by: deadline), on: terms, at: clock.now)
        } catch {
            // The provider may have a new key.
            guard error == .unknownKey, let read = keys?.readAt, clock.now.seconds(since: read) >= Self.patience else {
                throw MemberError.provider("its ID token is not valid (\(error.rawValue))")
            }
        }
        keys = nil
        do throws(IDTokenFault) {
            return try await verifier.claims(of: token, keys: try await known(by: deadline), on: terms, at: clock.now)
        } catch {
            throw MemberError.provider("its ID token is not valid (\(error.rawValue))")
        }
    }

    // MARK: What the provider says of itself

    private func described(by deadline: Double) async throws -> OpenIDDiscovery {
        if let discovery, clock.now.seconds(since: discovery.readAt) < Self.lifetime { return discovery.value }
        let base = settings.issuer.hasSuffix("/") ? String(settings.issuer.dropLast()) : settings.issuer
        let answer = try await send(ProviderCall(base + OpenIDDiscovery.path), by: deadline)
        guard answer.status == 200 else { throw MemberError.provider("its description answers \(answer.status)") }
        let value = try OpenIDDiscovery(answer.body, of: settings.issuer)
        discovery = (value, clock.now)
        return value
    }

    private func known(by deadline: Double) async throws(IDTokenFault) -> [JSONValue] {
        if let keys, clock.now.seconds(since: keys.readAt) < Self.lifetime { return keys.value }
        guard let set = try? await call(ProviderCall(described(by: deadline).keys), by: deadline).object,
            let value = set["keys"]?.array
        else { throw .unknownKey }
        keys = (value, clock.now)
        return value
    }

    private func call(_ call: ProviderCall, by deadline: Double) async throws -> JSONValue {
        let answer = try await send(call, by: deadline)
        guard answer.status == 200, let value = try? JSONValue(parsing: answer.body) else {
            throw MemberError.provider("it answers \(answer.status)")
        }
        return value
    }

    /// Calls the provider within what is left of the sign-in's time.
    private func send(_ call: ProviderCall, by deadline: Double) async throws -> (status: Int, body: [UInt8]) {
        var call = call
        call.seconds = min(call.seconds, deadline - clock.uptime)
        guard call.seconds > 0 else { throw MemberError.provider("its answers take too long") }
        return try await client.call(call)
    }

    // MARK: Forms

    private static func form(_ fields: [(String, String)]) -> String {
        fields.map { "\($0)=\(encoded($1))" }.joined(separator: "&")
    }

    private static func encoded(_ text: String) -> String {
        text.addingPercentEncoding(withAllowedCharacters: unreserved) ?? ""
    }

    /// RFC 3986, section 2.3.
    private static let unreserved = CharacterSet(
        charactersIn: "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~")
}
