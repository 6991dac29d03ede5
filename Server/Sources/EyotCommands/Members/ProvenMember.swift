import Crypto
import EyotDomain
import Foundation

/// A grant with the key that says what it allows.
package struct HeldGrant: Sendable, Hashable {
    package var grant: MemberGrant
    package var key: APIKey
    /// Nil for an owner's grant.
    package var app: App?
}

/// A member that a call has proven to be, with everything that the call may do.
package struct ProvenMember: Sendable {
    package var member: PanelMember
    package var session: MemberSession
    /// Those that are usable now.
    package var grants: [HeldGrant]
    /// The token that each form of this session carries. Another site cannot know it.
    package var csrf: String

    /// The member's grant for all apps; nil unless it is an owner.
    package var ownership: HeldGrant? { grants.first { $0.grant.role == .owner } }

    package var isOwner: Bool { ownership != nil }

    /// The grant that counts for an app: the owner's, or the app's own.
    package func grant(for app: AppID) -> HeldGrant? { ownership ?? grants.first { $0.grant.app == app } }

    /// The caller of the API that the member is for an app; nil if the member may do nothing there.
    package func caller(for app: App) -> Caller? { grant(for: app.id).map { Caller(key: $0.key, app: app) } }

    /// The caller without an app; nil unless the member is an owner.
    package var operatorCaller: Caller? { ownership.map { Caller(key: $0.key, app: nil) } }

    /// Whether it may see and change the members of an app.
    package func administrates(_ app: AppID) -> Bool { MemberGrant.administrates(app, grants.map(\.grant)) }

    /// The token for forms that belongs to a session's secret.
    package static func csrf(of secret: String) -> String {
        let code = HMAC<SHA256>.authenticationCode(
            for: Data("eyot form".utf8), using: SymmetricKey(data: Data(secret.utf8)))
        return Data(code).base64EncodedString().replacing("+", with: "-").replacing("/", with: "_")
            .replacing("=", with: "")
    }

    /// Whether a form carries the session's token. The comparison has no early end.
    package func accepts(_ token: String?) -> Bool {
        guard let token, token.utf8.count == csrf.utf8.count else { return false }
        return zip(token.utf8, csrf.utf8).reduce(into: UInt8(0)) { $0 |= $1.0 ^ $1.1 } == 0
    }
}

/// A session that was just begun. The secret goes into the browser's cookie and nowhere else.
package struct NewSession: Sendable {
    package var secret: Secret
    package var session: MemberSession
    package var member: PanelMember
}

/// Where a sign-in comes from.
package struct SignInOrigin: Sendable {
    /// The address, for the record; nil if it is unknown.
    package var address: String?
    /// The address's network, by which tries are counted; nil for this machine.
    package var network: String?
    /// What the browser says of itself.
    package var browser: String?
    /// The session's secret that the browser has already. It ends with the new one.
    package var former: String?

    package init(address: String? = nil, network: String? = nil, browser: String? = nil, former: String? = nil) {
        self.address = address
        self.network = network
        self.browser = browser
        self.former = former
    }
}
