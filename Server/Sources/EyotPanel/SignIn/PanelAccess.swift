import EyotCommands
import EyotDomain
import EyotHTTP
import HTTPTypes

/// How members get into the panel.
package struct PanelAccess: Sendable {
    let members: Members
    /// The OpenID provider; nil for none.
    let openID: OpenIDProvider?
    /// The header in which an authenticating proxy names the member; nil for none.
    let proxyHeader: HTTPField.Name?
    /// The base URL at which browsers reach the panel; nil to take it from each call.
    let url: String?

    package init(_ members: Members, openID: OpenIDProvider? = nil, proxyHeader: String? = nil, url: String? = nil) {
        self.members = members
        self.openID = openID
        self.proxyHeader = proxyHeader.flatMap { HTTPField.Name($0) }
        self.url = url
    }

    /// The member that a trusted proxy names in a call; nil if no proxy is believed, or it names none.
    func proxyName(in call: Call) -> String? {
        guard let proxyHeader, call.origin.isFromTrustedProxy else { return nil }
        // Two values could be one of the caller's and one of the proxy's.
        let values = call.headers[values: proxyHeader]
        guard values.count == 1, let name = values.first, !name.isEmpty else { return nil }
        return name
    }

    /// The base URL of links to the panel.
    func base(of call: Call) -> String {
        url ?? "\(call.origin.isEncrypted ? "https" : "http")://\(call.host ?? "localhost")"
    }
}

extension Call {
    /// Where a sign-in comes from.
    func signInOrigin(_ cookie: SessionCookie?) -> SignInOrigin {
        SignInOrigin(
            address: origin.ipAddress, network: origin.network, browser: headers[.userAgent],
            former: cookie?.secret(in: self))
    }
}
