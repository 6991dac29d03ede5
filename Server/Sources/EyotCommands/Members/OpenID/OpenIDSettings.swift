import EyotDomain
import Foundation

/// The client that this server is at an OpenID provider.
package struct OpenIDSettings: Sendable, Hashable {
    /// The provider's URL, as its tokens name it.
    package var issuer: String
    package var clientID: String
    /// Nil for a client that only PKCE protects.
    package var clientSecret: Secret?
    /// Whether an unknown person becomes a member without any grant.
    package var createsMembers = false

    package init(issuer: String, clientID: String, clientSecret: Secret? = nil) {
        (self.issuer, self.clientID, self.clientSecret) = (issuer, clientID, clientSecret)
    }

    /// Whether a URL may be a provider's: https, or http on this machine.
    package static func isAcceptable(_ text: String) -> Bool {
        guard let url = URL(string: text), let host = url.host, !host.isEmpty, url.user == nil, url.fragment == nil
        else { return false }
        return url.scheme == "https" || url.scheme == "http" && ["localhost", "127.0.0.1", "::1"].contains(host)
    }
}
