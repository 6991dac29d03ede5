import EyotDomain

/// The change that a declaration makes to the replicas on its list. A declaration with a scope applies to them. One for
/// everyone leaves them out.
struct MemberMark {
    let declaration: Declaration
    private var leaveOut: LeaveOut?

    init(_ ledger: any Ledger, _ declaration: Declaration, in activity: Activity) {
        self.declaration = declaration
        guard declaration.scope == .everyone, let type = activity.type else { return }
        leaveOut = LeaveOut(ledger, of: declaration, type: type, in: activity.app)
    }

    /// Whether it can change a replica. A replica that knows something newer does not take a scoped state (R14).
    func reaches(_ replica: Replica, in activity: Activity, at now: Instant) -> Bool {
        guard replica.isWithinReach(of: declaration.kind, in: activity, at: now) else { return false }
        if declaration.scope == .everyone || declaration.kind == .end { return true }
        return !replica.knowsNewer(than: declaration.asOf, in: activity)
    }

    mutating func apply(to replica: inout Replica, in activity: Activity) throws {
        guard declaration.scope == .everyone else { return replica.take(declaration, in: activity) }
        try leaveOut?.mark(&replica, in: activity)
    }
}
