import EyotCommands
import EyotDomain
import EyotHTTP

/// Finds members by the session that a call carries.
package struct MemberSessions: PanelSessions {
    let access: PanelAccess
    let store: any Store

    package init(_ access: PanelAccess, store: any Store) {
        self.access = access
        self.store = store
    }

    package func find(in call: Call) async throws -> SignedIn? {
        guard let secret = SessionCookie(for: call)?.secret(in: call) else { return nil }
        // An open page asks by itself, which is no use by the member.
        let isUse = !call.path.hasPrefix(LiveRoutes.path)
        guard let proven = try await access.members.member(provenBy: secret, isUse: isUse) else { return nil }
        if proven.session.method == .proxy {
            // Signed out at the proxy is signed out here.
            guard let name = access.proxyName(in: call), PanelMember.normalized(name) == proven.member.name else {
                return nil
            }
        }
        return SignedIn(proven, apps: proven.isOwner ? try await store.read { try $0.apps() } : [])
    }
}

extension SignedIn {
    /// - Parameter apps: All apps, for an owner.
    init(_ proven: ProvenMember, apps: [App]) {
        let own = proven.ownership.map { held in
            apps.map { Seat(app: $0, key: held.key, role: held.grant.role.rawValue) }
        }
        let seats =
            own
            ?? proven.grants.compactMap { held in
                held.app.map { Seat(app: $0, key: held.key, role: held.grant.role.rawValue) }
            }
        self.init(
            name: proven.member.name, seats: seats.sorted { $0.app.name < $1.app.name }, isOwner: proven.isOwner,
            formToken: proven.csrf, proven: proven)
    }
}
