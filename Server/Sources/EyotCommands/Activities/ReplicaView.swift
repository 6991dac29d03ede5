import APNSWire
import EyotContract
import EyotDomain

/// A replica as seen from outside: what it should show, what it shows, and what is in the way.
package struct ReplicaView: Sendable {
    package var replica: Replica
    package var user: String?
    /// The version and build of the app on the phone.
    package var build: String?
    /// Whether the app has changed the card by itself, and nothing was declared for it since.
    package var isLocallyChanged: Bool
    /// The version that it should have: its newest state, or its end.
    package var desired: Version
    /// What the engine would do for it now.
    package var due: Due
    /// Since when it has been behind and reachable, or nil if it is not.
    package var behindSince: Instant?
    /// What its phone last reported of the state that it shows; nil if it never did.
    package var echo: Echo?
    /// Since when iOS has shown the card grey, because the state that it last reported has gone stale; nil if it has
    /// not, or the card no longer runs.
    package var staleSince: Instant?

    /// Whether it is behind and can be pushed to.
    package var isBehind: Bool { behindSince != nil }
}

/// The reader of views of one activity's replicas, inside one transaction.
struct ReplicaLens {
    /// How many versions are searched for the one since which a replica is behind. Beyond them the newest version
    /// counts.
    private static let versionLimit = 200

    let ledger: any Ledger
    let activity: Activity
    let now: Instant
    private let profile: TypeProfile
    private let declaration: DeclarationReader

    init(ledger: any Ledger, activity: Activity, now: Instant) throws {
        self.ledger = ledger
        self.activity = activity
        self.now = now
        profile = try ProfileReader(ledger)(of: activity)
        declaration = DeclarationReader(ledger, of: activity.id)
    }

    func view(of replica: Replica, withUser: Bool = false) throws -> ReplicaView {
        let due = try replica.due(
            in: activity, at: now, profile: profile,
            phone: PhoneLookup(startToken: { try ledger.startToken(of: replica.device, type: activity.type ?? "") }),
            declaration: declaration.callAsFunction)
        var view = ReplicaView(
            replica: replica, isLocallyChanged: replica.isLocallyChanged(in: activity),
            desired: replica.desired(in: activity), due: due)
        view.behindSince = try behindSince(replica, due)
        if withUser { try addPhone(to: &view) }
        return view
    }

    /// Reads the phone's user and build, and its last report on the card.
    func addPhone(to view: inout ReplicaView) throws {
        let device = try ledger.device(view.replica.device)
        (view.user, view.build) = (device?.user, device?.appVersion)
        view.echo = try ledger.echo(of: view.replica.activity, ordinal: view.replica.ordinal)
        view.staleSince = try view.echo.flatMap { try staleSince(view.replica, showing: $0) }
    }

    private func staleSince(_ replica: Replica, showing echo: Echo) throws -> Instant? {
        guard replica.mayShow, replica.phase != .ended, !activity.isEnded,
            let content = try declaration(echo.version)?.content, content.isStale(at: now)
        else { return nil }
        return content.staleDate.map(Instant.init(second:))
    }

    private func behindSince(_ replica: Replica, _ due: Due) throws -> Instant? {
        switch due {
        case .nothing, .expired, .abandonStart: return nil
        case .push, .later: break
        }
        if replica.isPlanned(after: now) { return nil }
        let reachable =
            replica.phase == .starting
            ? replica.startsAt ?? replica.createdAt : replica.token?.setAt ?? replica.createdAt
        let newest = activity.version(for: replica.ordinal)
        let last = min(newest, replica.acceptedVersion + Self.versionLimit)
        for version in stride(from: replica.acceptedVersion + 1, through: last, by: 1) {
            guard let declaration = try declaration(version), replica.isConcerned(by: declaration) else { continue }
            return max(declaration.countsFrom, reachable)
        }
        return max(try declaration(newest)?.countsFrom ?? reachable, reachable)
    }

}

extension Replica {
    /// What is known of a start or a card without an outcome, or nil if there is nothing to say.
    package var pendingReason: StartFailure? {
        if endsForOther { return .otherPerson }
        return phase == .starting && lease?.state == .unknown ? .unknownAfterCrash : nil
    }
}
