import EyotCommands
import EyotDomain
import EyotHTTP
import HTTPTypes

/// The cookie that holds a session's secret, as the connection allows it.
///
/// Over TLS the browser sends it to this host alone, and over TLS alone. On this machine without TLS it has another
/// name, so that neither is taken for the other.
enum SessionCookie: Sendable, Hashable {
    case overTLS
    /// Without TLS, from this machine to this machine.
    case local

    /// The cookie for a call; nil if its connection must not carry one, because others could read it.
    init?(for call: Call) {
        if call.origin.isEncrypted {
            self = .overTLS
        } else if call.origin.isLocal, Self.isLocal(call.host) {
            self = .local
        } else {
            return nil
        }
    }

    /// Whether a browser was asked for this machine. A name that only leads here would be another site's.
    private static func isLocal(_ host: String?) -> Bool {
        guard let host else { return false }
        let name = host.hasPrefix("[") ? host.prefix { $0 != "]" } + "]" : host.prefix { $0 != ":" }
        return ["localhost", "127.0.0.1", "[::1]"].contains(String(name))
    }

    private var prefix: String { self == .overTLS ? "__Host-eyot" : "eyot-local" }

    /// Lax and not Strict: a link to the panel from a chat, and the return from the OpenID provider, begin elsewhere.
    private var attributes: String {
        self == .overTLS ? "Path=/; Secure; HttpOnly; SameSite=Lax" : "Path=/; HttpOnly; SameSite=Lax"
    }

    /// The session's secret in a call; nil if there is none, or more than one.
    func secret(in call: Call) -> String? { value(of: prefix, in: call) }

    /// The header that begins a session in the browser.
    func begin(_ session: NewSession) -> HTTPField {
        field(prefix, session.secret.text, seconds: Int(MemberSession.longest))
    }

    /// The header that ends it.
    var end: HTTPField { field(prefix, "", seconds: 0) }

    // MARK: The sign-in at the OpenID provider

    func attempt(in call: Call) -> OpenIDAttempt? {
        value(of: prefix + "-oidc", in: call).flatMap(OpenIDAttempt.init(cookie:))
    }

    func begin(_ attempt: OpenIDAttempt) -> HTTPField {
        field(prefix + "-oidc", attempt.secret.text, seconds: OpenIDAttempt.longest)
    }

    var endOfAttempt: HTTPField { field(prefix + "-oidc", "", seconds: 0) }

    // MARK: Parts

    private func field(_ name: String, _ value: String, seconds: Int) -> HTTPField {
        HTTPField(name: .setCookie, value: "\(name)=\(value); Max-Age=\(seconds); \(attributes)")
    }

    private func value(of name: String, in call: Call) -> String? {
        let pairs = call.headers[values: .cookie].flatMap { $0.split(separator: ";") }
        let values = pairs.compactMap { pair -> Substring? in
            let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            guard parts.count == 2, parts[0].drop(while: { $0 == " " }) == name else { return nil }
            return parts[1]
        }
        guard values.count == 1 else { return nil }
        return String(values[0])
    }
}
