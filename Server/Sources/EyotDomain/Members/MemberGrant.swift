/// A member's right to act in an app, or in all apps. What it allows is in an ``APIKey`` that no secret opens, so that
/// scopes, limits and the audit log are those of any key.
package struct MemberGrant: Sendable, Hashable {
    /// The most grants of one member.
    package static let limitOfMember = 200
    /// The most grants for one app, and the most owners.
    package static let limitOfApp = 200

    /// The key of the grant. Its plane is ``KeyPlane/panel``.
    package var key: Int64
    package var member: MemberID
    /// Nil for an owner.
    package var app: AppID?
    package var role: PanelRole
    /// Whether it reaches phones of production. Without it the key reaches phones of the sandbox alone.
    package var hasProduction: Bool
    package var grantedAt: Instant

    package init(key: Int64, member: MemberID, app: AppID?, role: PanelRole, grantedAt: Instant) {
        self.key = key
        self.member = member
        self.app = app
        self.role = role
        self.grantedAt = grantedAt
        hasProduction = false
    }
}

extension MemberGrant {
    /// Whether the holder of some grants may administrate an app's members.
    package static func administrates(_ app: AppID, _ grants: [MemberGrant]) -> Bool {
        grants.contains { $0.role == .owner || $0.role == .admin && $0.app == app }
    }

    /// Whether one grant may do at least what another may.
    package func covers(_ other: MemberGrant) -> Bool {
        guard hasProduction || !other.hasProduction else { return false }
        return role == .owner || role == .admin && app == other.app && other.role != .owner
    }

    /// Whether the grant reaches further than some power that could have made a link for its member before.
    ///
    /// An administrator that could make a link may have left a password, a session or a second factor. What they open
    /// must not grow beyond what that power could have given to any name anyway.
    ///
    /// - Parameter former: All grants of the member. Without one nothing is known of earlier powers.
    package func exceedsPower(over former: [MemberGrant]) -> Bool {
        guard let first = former.first else { return true }
        // Only owners have power over an owner, and over grants in two apps. Nothing exceeds theirs.
        guard former.allSatisfy({ $0.role != .owner && $0.app == first.app }) else { return false }
        var weakest = MemberGrant(key: 0, member: member, app: first.app, role: .admin, grantedAt: grantedAt)
        weakest.hasProduction = former.contains(where: \.hasProduction)
        return !weakest.covers(self)
    }
}
