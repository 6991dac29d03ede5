import EyotContract
import EyotDomain

/// What a provider says of itself (OpenID Connect Discovery 1.0, section 3).
struct OpenIDDiscovery: Sendable {
    /// Where it stands below the issuer's URL.
    static let path = "/.well-known/openid-configuration"

    var authorization: String
    var token: String
    var keys: String
    /// Nil if the provider has none.
    var userInfo: String?
    /// Whether the client's secret goes into the form instead of a header.
    var takesSecretInForm: Bool

    /// - Throws: ``MemberError`` with `providerFailed` if something is missing, belongs to another issuer, or would be
    ///   called without TLS.
    init(_ body: [UInt8], of issuer: String) throws {
        guard let object = (try? JSONValue(parsing: body))?.object else {
            throw MemberError.provider("its description is not JSON")
        }
        guard object["issuer"]?.string == issuer else {
            throw MemberError.provider("its description names another issuer")
        }
        func url(_ name: String) throws -> String {
            guard let text = object[name]?.string, OpenIDSettings.isAcceptable(text) else {
                throw MemberError.provider("its description has no secure \(name)")
            }
            return text
        }
        (authorization, token, keys) = (
            try url("authorization_endpoint"), try url("token_endpoint"), try url("jwks_uri")
        )
        userInfo = object["userinfo_endpoint"] == nil ? nil : try url("userinfo_endpoint")
        let methods = object["token_endpoint_auth_methods_supported"]?.array?.compactMap(\.string)
        takesSecretInForm = methods.map { !$0.contains("client_secret_basic") } ?? false
    }
}

extension MemberError {
    static func provider(_ cause: String) -> MemberError {
        MemberError(.providerFailed, "The sign-in provider cannot be used: \(cause). Tell the server's operator.")
    }
}
