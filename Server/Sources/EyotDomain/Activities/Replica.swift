import APNSWire
import EyotContract

/// One card of an activity on one phone, or the place kept for it while a remote start is under way.
package struct Replica: Sendable, Hashable {
    /// Where a replica stands. Only ``live`` ones are brought up to date.
    package enum Phase: Sendable, Hashable {
        /// A remote start is planned or under way; see ``Replica/lease``.
        case starting
        /// The card runs, and has no token: not allowed yet, or just requested.
        case waitingForToken
        /// There is a token to push to.
        case live
        /// Ended by us (Apple accepted the end), or by the app or the system.
        case ended
        /// A person removed it.
        case dismissed
        /// Its token is of no use.
        case dead(TokenDeath)
        /// Its phone did not list it any more. A person may have removed it (R13), and a later report may correct that (R8).
        case unlisted
        /// It could not be started.
        case notStarted(StartFailure)
        /// The app stopped tracking it.
        case untracked
    }

    /// Why a replica is to be ended, though its activity may go on.
    package enum Ending: Sendable, Hashable {
        /// A declaration with a scope that contains it.
        case declared(version: Int)
        /// A second card took the name on this phone.
        case replaced
        /// The phone has become another person's (R12). It leaves the screen and receives nothing more.
        case otherPerson
    }

    package var activity: ActivityID
    package var ordinal: Int
    package var device: DeviceID
    package var phase: Phase
    package var lease: Lease?
    /// ActivityKit's id, once the phone has told it.
    package var instance: String?
    package var token: UpdateToken?
    /// The newest scoped state that concerns it, and the newest scoped alert.
    package var scoped = 0
    package var scopedAsOf: Instant?
    package var scopedAlert = 0
    /// Scoped declarations up to this version were for the phone's former user (R12).
    package var closedVersion = 0
    package var ending: Ending?
    /// The newest version that Apple accepted for it.
    package var accepted = 0
    /// Alerts up to this version are done with: given, dropped, or older than the card.
    package var alerted = 0
    /// The version that Apple last refused as it is, 0 for none, and why. It says nothing of those before it: an end that was tried out comes
    /// to others later than what was declared for them meanwhile.
    package var blocked = 0
    package var blockedReason: APNSReason?
    /// The last second that a push to it alone, or with all of its page, may carry: its next update is spaced from there.
    package var lastSecond = 0
    /// The last second that any push to its page may carry; it stands with the page.
    package var pageSecond = 0
    /// The next push carries a later second than this one (R7).
    package var newestSecond: Int { max(lastSecond, pageSecond) }
    package var retry: Retry?
    /// Its token had been set aside and was given another chance: should Apple refuse it again, that says nothing new of the app.
    package var isPardoned = false
    /// Its phone allows no frequent pushes, and its type's profile has a spacing of its own for those.
    package var isSparing = false
    /// Its remote start named the activity's channel: it has no token, and is reached by broadcasts.
    package var isFollowing = false
    /// The version that Apple had taken for it when the app changed it by itself; nil where that never happened.
    package var locallyChanged: Int?
    package var createdAt: Instant
    /// It keeps the place of a start that led to no card, and waits for other starts of its phone.
    package var isRestart = false
    /// When its remote start is to leave; nil for a card that the app started itself.
    package var startsAt: Instant?
    /// When the phone first spoke of the card, which was there by then.
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
    /// Seconds that iOS lets a card run (documented: up to eight hours).
    package static let cardLifetime = Double(APNSLimits.activeLifetime)

    /// When there is nothing left to wait for: iOS has ended the card, or a start whose fate is unknown came to nothing.
    /// Nil where no time decides.
    package var expiresAt: Instant? {
        switch phase {
        case .live, .waitingForToken, .untracked: (appearedAt ?? createdAt) + Self.cardLifetime
        case .starting: lease?.sentAt.map { $0 + Lease.lifetime }
        case .ended, .dismissed, .dead, .unlisted, .notStarted: nil
        }
    }

    /// When its remote start is to leave, if it was planned for later than its place was kept. One that was to leave at
    /// once does not wait for the clock that said so.
    package var plannedStart: Instant? { startsAt.flatMap { $0 > createdAt ? $0 : nil } }

    /// Whether its remote start is planned for a moment that has not come.
    package func isPlanned(after now: Instant) -> Bool {
        guard phase == .starting, lease?.state == .planned, let plannedStart else { return false }
        return now < plannedStart
    }

    /// Whether the start that keeps the place was accepted after a declaration: it starts the card from a later one, or has passed over the
    /// alerts up to a later one.
    package func isPlanned(after version: Int) -> Bool { lease.map { max($0.version, alerted) >= version } ?? false }

    /// Whether its start is to go to the other environment than the start token's.
    package var waitsForProbe: Bool { phase == .starting && lease?.state == .planned && lease?.probing == true }

    /// Whether Apple has taken a push to its token, so that a refusal may speak against the app (R8).
    package var hasProvenToken: Bool { token.map { accepted > $0.provenAbove } ?? false }

    /// Takes in that its time is over.
    package mutating func expire() {
        guard phase == .starting else {
            (phase, lease, retry) = (.ended, nil, nil)
            return
        }
        loseStart(lease?.state == .unknown ? .unknownAfterCrash : .expiredAtApple)
    }
}

/// A push that did not get through and goes again.
package struct Retry: Sendable, Hashable {
    /// The first pause, in seconds; each further one is twice as long.
    package static let firstPause = 1.0
    /// The longest pause, in seconds: Apple asks for 15 minutes after its own faults.
    package static let longestPause = 900.0
    /// The longest pause while Apple cannot be reached at all: nothing of ours burdens Apple then.
    package static let unreachablePause = 5.0

    package var attempts: Int
    package var notBefore: Instant
    /// What was refused; something newer goes at once. Nil where the pause is for everything.
    package var version: Int?

    package init(attempts: Int, notBefore: Instant, version: Int?) {
        self.attempts = attempts
        self.notBefore = notBefore
        self.version = version
    }

    /// Whether the pause is on. One that is longer than any was noted by a clock that was ahead, and is over.
    package func isPausing(at now: Instant) -> Bool { now < notBefore && notBefore <= now + Self.longestPause }

    /// The pause after this many attempts.
    package static func pause(after attempts: Int) -> Double {
        min(longestPause, firstPause * Double(1 << min(max(attempts - 1, 0), 20)))
    }
}

/// The token by which one card is updated.
package struct UpdateToken: Sendable, Hashable {
    package var token: PushToken
    package var environment: PushEnvironment
    /// Counts the tokens of this card: verdicts on an older one are not verdicts on this one (R8).
    package var version: Int
    /// When it was set last, on the server's clock.
    package var setAt: Instant
    /// Why the other environment refused it: one probe of this one is under way. Nil where nobody suspects it.
    package var suspicion: APNSReason?
    /// What ``Replica/accepted`` was when it was set: Apple has taken a push to it since that has risen.
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

    /// One probe of the other environment than its own is under way.
    package var probing: Bool { suspicion != nil }
}

/// Why a token is not used.
package struct TokenDeath: Sendable, Hashable {
    package var reason: APNSReason
    /// Set aside on suspicion rather than buried: it can be restored.
    package var isQuarantine: Bool

    package init(reason: APNSReason, isQuarantine: Bool) {
        self.reason = reason
        self.isQuarantine = isQuarantine
    }
}

/// The one outstanding remote start of a card on a device (R6).
package struct Lease: Sendable, Hashable {
    package enum State: String, Sendable, Hashable, CaseIterable {
        /// Not sent, or provably refused: it may go.
        case planned
        /// Its bytes may have left. If the answer never comes it is ``unknown``.
        case sent
        case accepted
        /// Nobody knows whether it reached Apple. It does not go again.
        case unknown
    }

    /// How many seconds Apple may store a start for a phone that is away.
    package static let expiration = 600.0
    /// How many seconds a phone may take to report the card of a start that reached it at the last moment. A guess.
    package static let margin = 60.0
    /// After so many seconds without a card a start cannot lead to one any more (R6).
    package static let lifetime = expiration + margin

    package var state: State
    /// The declaration whose attributes start the card.
    package var version: Int
    package var sentAt: Instant?
    /// Why the start token's environment refused it: one probe of the other one is under way. Nil where nobody suspects it.
    package var suspicion: APNSReason?
    /// Why it does not go again if it has not left after all: since it was sent a person has dismissed a card of the name (R13), or the phone
    /// has become another person's (R12).
    package var cancellation: StartFailure?
    /// The newest declaration whose alert left with the start, 0 for none. Its card has given that alert (R4).
    package var alerted = 0

    package init(state: State = .planned, version: Int) {
        self.state = state
        self.version = version
    }

    /// One probe of the other environment than the start token's is under way.
    package var probing: Bool { suspicion != nil }

    /// Whether a start is still to be reckoned with.
    package func isOutstanding(at now: Instant) -> Bool {
        guard let sentAt else { return true }
        return now.seconds(since: sentAt) < Self.lifetime
    }
}

/// Why a device of a start's audience got no card.
package enum StartFailure: String, Sendable, Hashable, CaseIterable {
    case osTooOld, disabled, noStartToken, alreadyActive, dismissed
    /// Its build of the app could not decode what the card would show, and the caller asked to leave such phones out.
    case schemaMismatch
    /// The token of its card died: the person may have removed the card while the app was not running (R13).
    case cardGone
    /// The end came before the start had left.
    case overtakenByEnd
    /// The phone has had as many starts within an hour as the type's profile allows.
    case tooManyStarts
    /// Apple refused the start for good.
    case refused
    /// Apple refused it as it refuses every start of an app whose topic is wrong. Should the app be at fault, it goes again when
    /// that is mended.
    case suspected
    /// The start was planned for later, and another one took its place.
    case replanned
    /// The caller gave up waiting for what became of it and started anew, or a newer generation took its card over.
    case givenUp
    /// A start is on its way of which it is unknown whether Apple took it.
    case startUnknown
    /// Apple took the start and stored it as long as it was told to, and no card was heard of.
    case expiredAtApple
    /// The phone listed its cards after the start was sent, and the start's was not among them.
    case noCardHeardOf
    /// It is unknown whether Apple took the start, and no card was heard of while it could still arrive.
    case unknownAfterCrash
    /// It was for the phone's former user (R12).
    case otherPerson

    /// Whether a start left and led to no card.
    package var isLostStart: Bool { [.expiredAtApple, .noCardHeardOf, .unknownAfterCrash].contains(self) }
}
