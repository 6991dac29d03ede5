import EyotContract

/// What a phone last reported of the state that a card shows.
///
/// Apple's acceptance says that a push arrived at Apple. Only an echo says that the card shows it. Many phones never
/// send one: iOS runs the app rarely, and the app must run to see a change.
package struct Echo: Sendable, Hashable {
    package var activity: ActivityID
    package var ordinal: Int
    /// The newest declaration with the state that the card shows; 0 if no declaration that was looked at has it.
    package var version: Version
    package var at: Instant
    /// Whether this or an earlier echo of the card had a version above 0.
    package var hasShownDeclared = false

    package init(activity: ActivityID, ordinal: Int, version: Version, at: Instant) {
        self.activity = activity
        self.ordinal = ordinal
        self.version = version
        self.at = at
    }
}

/// The echoes of cards, the newest of each.
package protocol EchoLedger: AnyObject {
    func echo(of activity: ActivityID, ordinal: Int) throws -> Echo?
    /// The echoes of the first cards of an activity that showed a version below one, by ordinal.
    ///
    /// - Parameter ordinal: the last of these cards.
    func echoes(of activity: ActivityID, upTo ordinal: Int, below version: Version, limit: Int) throws -> [Echo]
    /// Stores an echo in place of the former one of the card. It goes with the card's replica.
    func put(_ echo: Echo) throws
    func removeEcho(of activity: ActivityID, ordinal: Int) throws
}

extension Replica {
    /// How many declarations are compared with what a card shows.
    private static let versionsCompared = 20

    /// The newest declaration with the state that a card shows, of those that may have reached it; 0 if it is none.
    ///
    /// What a canary tries with others is among them: the card may have begun as one of the share.
    package func version(
        showing digest: StateDigest, in activity: Activity, _ declaration: DeclarationLookup
    ) rethrows -> Version {
        // An end may have a last state of its own.
        var candidates: Set<Version> = [scopedState, acceptedVersion, endVersion(in: activity)]
        candidates.insert(activity.openCanary?.common.end ?? 0)
        for newest in Set([common(in: activity).state, activity.declaredState]) {
            var (common, count) = (newest, 0)
            while common > 0, count < Self.versionsCompared, let passed = try declaration(common) {
                candidates.insert(common)
                (common, count) = (passed.follows, count + 1)
            }
        }
        for version in candidates.sorted(by: >) where version > 0 {
            guard let state = try declaration(version)?.content.state else { continue }
            if StateDigest(of: state) == digest { return version }
        }
        return 0
    }
}
