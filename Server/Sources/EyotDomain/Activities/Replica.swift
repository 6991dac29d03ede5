import APNSWire
import EyotContract

/// One card of an activity on one phone, or the place kept for it while a remote start is under way.
package struct Replica: Sendable, Hashable {
    /// The state of a replica. Only ``live`` replicas are brought up to date.
    package enum Phase: Sendable, Hashable {
        /// A remote start is planned or under way; see ``Replica/lease``.
        case starting
        /// The card runs, and has no token: not allowed yet, or just requested.
        case waitingForToken
        /// Its card has a token to push to.
        case live
        /// Apple accepted its end, or the app or iOS ended the card; see ``Replica/removal``.
        case ended
        /// A person removed the card, or may have; see ``Replica/removal``.
        case dismissed
        /// Its token is of no use.
        case dead(TokenDeath)
        /// Its phone left the card out of its list. A person may have removed it (R13), and a later report may correct
        /// that (R8).
        case unlisted
        /// It could not be started.
        case notStarted(StartFailure)
        /// The app stopped following the card.
        case untracked
    }

    /// The reason why a replica is to be ended although its activity may go on.
    package enum Ending: Sendable, Hashable {
        /// An end with a scope that contains the replica.
        case declared(version: Version)
        /// A second card took the name on this phone.
        case replaced
        /// The phone has another user now (R12). The card leaves the screen and receives nothing more.
        case otherPerson
    }

    package var activity: ActivityID
    package var ordinal: Int
    package var device: DeviceID
    package var phase: Phase
    package var lease: Lease?
    /// ActivityKit's id; nil until the phone reports the card.
    package var instance: String?
    package var token: UpdateToken?
    /// The newest scoped state that applies to it. ``scopedAlert`` is the newest scoped alert.
    package var scopedState: Version = 0
    package var scopedAsOf: Instant?
    package var scopedAlert: Version = 0
    /// Scoped declarations up to this version were for the phone's former user and do not apply any more (R12).
    package var closedVersion: Version = 0
    package var ending: Ending?
    /// Set while its build of the app cannot decode newer states for everyone.
    package var keeping: Keeping?
    /// The newest version that Apple accepted for it.
    package var acceptedVersion: Version = 0
    /// Alerts up to this version are done with: given, dropped, or older than the card.
    package var alertedVersion: Version = 0
    /// The version of the push that Apple last refused because of its content. It says nothing of older
    /// versions: a replica outside a canary's share can get an end after states that are newer than that end.
    package var blockedVersion: Version = 0
    package var blockedReason: APNSReason?
    /// The last second that a push to it alone, or to all of its page, may carry. The spacing of its next update counts
    /// from it.
    package var lastSecond = 0
    /// The last second that any push to its page may carry. It is stored with the page.
    package var pageSecond = 0
    /// The second that the next push has to follow (R7).
    package var newestSecond: Int { max(lastSecond, pageSecond) }
    package var retry: Retry?
    /// Its token was set aside and got another chance. If Apple refuses it again, that does not count against the app.
    package var isPardoned = false
    /// Its phone allows no frequent pushes, and the profile of its type has a spacing of its own for such phones.
    package var isSparing = false
    /// Whether it follows the activity's channel instead of having a token.
    package var following = Following.none
    /// The version that Apple had accepted when the app changed the card by itself; nil if it never did.
    package var locallyChanged: Version?
    package var createdAt: Instant
    /// The app's number of ``PersonChanges`` for which its place was reserved.
    package var personNumber = 0
    /// What ended or removed its card; nil for a person's swipe, and for an end by Eyot. While the card runs,
    /// ``Removal/app`` means that the app has announced a change, without a report of other content since.
    package var removal: Removal?
    /// What led to the place.
    package var origin = Origin.asked
    /// When its remote start leaves; nil for a card that the app started itself.
    package var startsAt: Instant?
    /// When the phone first reported the card.
    package var appearedAt: Instant?

    package init(
        activity: ActivityID, ordinal: Int, device: DeviceID, phase: Phase, lease: Lease? = nil,
        startsAt: Instant? = nil, createdAt: Instant
    ) {
        self.activity = activity
        self.ordinal = ordinal
        self.device = device
        self.phase = phase
        self.lease = lease
        self.startsAt = startsAt
        self.createdAt = createdAt
    }
}

extension Replica {
    /// Seconds for which iOS lets a card run (documented: up to eight hours).
    package static let cardLifetime = Double(APNSLimits.activeLifetime)

    /// When its time is over: iOS has ended the card, or its start cannot lead to a card any more. Nil if no time
    /// decides.
    package var expiresAt: Instant? {
        switch phase {
        case .live, .waitingForToken, .untracked: (appearedAt ?? createdAt) + Self.cardLifetime
        case .starting: lease?.sentAt.map { $0 + Lease.lifetime }
        case .ended, .dismissed, .dead, .unlisted, .notStarted: nil
        }
    }

    /// When its remote start leaves, if that is later than the moment at which its place was reserved. A start that
    /// leaves at once is not planned, so a clock that is set back does not delay it.
    package var plannedStart: Instant? { startsAt.flatMap { $0 > createdAt ? $0 : nil } }

    /// Whether its remote start is planned for a moment that has not come.
    package func isPlanned(after now: Instant) -> Bool {
        guard phase == .starting, lease?.state == .planned, let plannedStart else { return false }
        return now < plannedStart
    }

    /// Whether its start came after a declaration: its version is this one or a later one, or alerts up to this version
    /// are done with.
    package func isPlanned(after version: Version) -> Bool {
        lease.map { max($0.version, alertedVersion) >= version } ?? false
    }

    /// Whether its start goes to the other environment than the start token's.
    package var waitsForProbe: Bool { phase == .starting && lease?.state == .planned && lease?.probing == true }

    /// Whether Apple has accepted a push to its current token. Only then may a refusal count against the app (R8).
    package var hasProvenToken: Bool { token.map { acceptedVersion > $0.provenAbove } ?? false }

    /// Whether Apple has not accepted anything for the card yet, so that its token may be made up.
    package var isUnproven: Bool { acceptedVersion == 0 }

    /// Ends the card because its time is over, or counts its start as lost.
    ///
    /// - Parameter isHeardOf: whether its phone has spoken since the start left, and not of a card.
    package mutating func expire(isHeardOf: Bool = false) {
        guard phase == .starting else {
            (phase, lease, retry, removal) = (.ended, nil, nil, .time)
            return
        }
        loseStart(isHeardOf ? .noCardHeardOf : lease?.state == .unknown ? .unknownAfterCrash : .expiredAtApple)
    }
}

/// The pause before a push that did not get through goes again.
package struct Retry: Sendable, Hashable {
    /// The first pause, in seconds. Each further pause is twice as long.
    package static let firstPause = 1.0
    /// The longest pause, in seconds. Apple asks for 15 minutes after its own faults.
    package static let longestPause = 900.0
    /// The longest pause, in seconds, while Apple cannot be reached. Attempts then put no load on Apple.
    package static let unreachablePause = 5.0

    package var attempts: Int
    package var notBefore: Instant
    /// The version that was refused; a newer version goes at once. Nil if the pause holds for every version.
    package var version: Version?
    /// Apple's last reason in this row of attempts; nil if no push reached Apple, or Apple did not answer.
    package var reason: APNSReason?

    package init(attempts: Int, notBefore: Instant, version: Version?, reason: APNSReason? = nil) {
        self.attempts = attempts
        self.notBefore = notBefore
        self.version = version
        self.reason = reason
    }

    /// Whether the pause is on. A pause that is longer than ``longestPause`` comes from a clock that was ahead, and
    /// counts as over.
    package func isPausing(at now: Instant) -> Bool { now < notBefore && notBefore <= now + Self.longestPause }

    /// The pause in seconds after this many attempts.
    package static func pause(after attempts: Int) -> Double {
        min(longestPause, firstPause * Double(1 << min(max(attempts - 1, 0), 20)))
    }
}

/// The token to which a card's updates are pushed.
package struct UpdateToken: Sendable, Hashable {
    package var token: PushToken
    package var environment: PushEnvironment
    /// Counts the tokens of this card. A verdict on an older token does not apply to this one (R8).
    package var version: Int
    /// When it was set last, by the server's clock.
    package var setAt: Instant
    /// Apple's reason for refusing it in the other environment, while it is probed in this one. Nil if it is not
    /// suspect.
    package var suspicion: APNSReason?
    /// The value of ``Replica/acceptedVersion`` when the token was set. A higher value now means that Apple has
    /// accepted a push to it.
    package var provenAbove: Int

    package init(
        token: PushToken, environment: PushEnvironment, version: Int, setAt: Instant, suspicion: APNSReason? = nil,
        provenAbove: Int = 0
    ) {
        self.token = token
        self.environment = environment
        self.version = version
        self.setAt = setAt
        self.suspicion = suspicion
        self.provenAbove = provenAbove
    }

    /// Whether it is being probed in the other environment than its own.
    package var probing: Bool { suspicion != nil }
}

/// The reason why a token is not used.
package struct TokenDeath: Sendable, Hashable {
    package var reason: APNSReason
    /// Whether it was set aside as suspect rather than buried. It can then be restored.
    package var isQuarantine: Bool

    package init(reason: APNSReason, isQuarantine: Bool) {
        self.reason = reason
        self.isQuarantine = isQuarantine
    }
}

/// The one outstanding remote start of a card on a device (R6).
package struct Lease: Sendable, Hashable {
    package enum State: String, Sendable, Hashable, CaseIterable {
        /// It has not left, or Apple provably refused it. It may be sent.
        case planned
        /// Its bytes may have left. Without an answer it becomes ``unknown``.
        case sent
        case accepted
        /// It is unknown whether Apple received it. It is not sent again.
        case unknown
    }

    /// Seconds for which Apple may store a start for a phone that is away.
    package static let expiration = 600.0
    /// Seconds that a phone may take to report the card of a start that arrived at the last moment. A guess.
    package static let margin = 60.0
    /// Seconds after which a start without a card cannot lead to one any more (R6).
    package static let lifetime = expiration + margin

    package var state: State
    /// The declaration with the attributes that start the card.
    package var version: Version
    package var sentAt: Instant?
    /// Apple's reason for refusing it in the start token's environment, while it is probed in the other one. Nil if it
    /// is not suspect.
    package var suspicion: APNSReason?
    /// The reason why it is not sent again if it turns out not to have left; nil if it may be. Since it was sent, a
    /// person has dismissed a card of the name (R13), or the phone has another user (R12).
    package var cancellation: StartFailure?
    /// The newest declaration with an alert that left with the start. Its card has given that alert (R4).
    package var alerted = 0

    package init(state: State = .planned, version: Version) {
        self.state = state
        self.version = version
    }

    /// Whether it is being probed in the other environment than the start token's.
    package var probing: Bool { suspicion != nil }

    /// Whether the start may still lead to a card. A start that has not been sent is outstanding.
    package func isOutstanding(at now: Instant) -> Bool {
        guard let sentAt else { return true }
        return now.seconds(since: sentAt) < Self.lifetime
    }
}

/// The reason why a device of a start's audience got no card.
package enum StartFailure: String, Sendable, Hashable, CaseIterable {
    case osTooOld, disabled, noStartToken, alreadyActive, dismissed
    /// The device's build of the app could not decode the state, and the caller asked to leave such phones out.
    case schemaMismatch
    /// The token of its card died. The person may have removed the card while the app was not running (R13).
    case cardGone
    /// The end was declared before the start left.
    case overtakenByEnd
    /// The phone has had as many starts within an hour as the type's profile allows.
    case tooManyStarts
    /// Apple refused the start for good.
    case refused
    /// Apple refused the start token in a way that may be the app's fault. If it is, the start goes again when the app
    /// is resumed.
    case suspected
    /// The start was planned for later, and another start replaced it.
    case replanned
    /// Another start replaced it while it was outstanding, a newer generation took its card over, or the device was
    /// forgotten.
    case givenUp
    /// A start left, and it is unknown whether Apple accepted it, or whether its card is on the phone.
    case startUnknown
    /// Apple accepted the start, and the phone was silent while Apple could store it.
    case expiredAtApple
    /// The phone listed its cards or reported something else after the start, and said nothing of the card.
    case noCardHeardOf
    /// It is unknown whether Apple accepted the start, and the phone was silent while it could still arrive.
    case unknownAfterCrash
    /// The start was for the phone's former user (R12).
    case otherPerson

    /// Whether a start left and led to no card.
    package var isLostStart: Bool { self == .noCardHeardOf || isSilence }

    /// Whether nothing but the phone's silence says that a start led to no card.
    package var isSilence: Bool { self == .expiredAtApple || self == .unknownAfterCrash }
}
