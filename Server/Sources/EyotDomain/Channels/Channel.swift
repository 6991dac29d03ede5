import APNSWire
import EyotContract

/// The id of a channel in the store.
package struct ChannelID: RawRepresentable, Sendable, Hashable {
    package let rawValue: Int64
    package init(rawValue: Int64) { self.rawValue = rawValue }
}

/// One of Apple's broadcast channels: a single replica for all the cards that follow it, leased by one generation of an
/// activity at a time.
package struct Channel: Sendable, Hashable {
    package enum Phase: String, Sendable, Hashable, CaseIterable {
        /// Apple has to be asked for it.
        case wanted
        /// An activity's cards follow it, or may still do.
        case leased
        /// The lease is over; from ``freeAt`` on another activity may take it.
        case resting
        /// Apple would not make it, or has it no more. The activity goes on with tokens.
        case lost
        /// Nobody gets it any more, and Apple has been asked to delete it, which it may not have done yet.
        case deleting
        /// Apple has deleted it, and its row goes.
        case deleted
    }

    /// What is to be asked of Apple for a channel that is due, by who answers: one that does not holds up nothing else (R10).
    package enum Errand: Sendable, Hashable, CaseIterable {
        /// What goes to cards.
        case broadcast(PushEnvironment)
        /// Making channels and deleting them.
        case upkeep(PushEnvironment)

        package static let allCases = PushEnvironment.allCases.map(broadcast) + PushEnvironment.allCases.map(upkeep)

        package var environment: PushEnvironment {
            switch self {
            case .broadcast(let environment), .upkeep(let environment): environment
            }
        }
    }

    /// The most channels of an app in an environment. Apple allows ``APNSLimits/channels``; the difference is for those that
    /// others make, and for those whose creation got no answer.
    package static let poolLimit = 9_000
    /// Seconds for which starts wait for a channel that is being made, or for an alert's broadcast.
    package static let startPatience = 5.0
    /// Seconds after a lease before another activity may have the channel: the longest that a card is on a screen.
    package static let rest = Double(APNSLimits.activeLifetime + APNSLimits.lingerLifetime)
    /// Seconds within which a start that was taken has left: a page settles sooner.
    package static let startLead = 10.0
    /// Seconds after which none that was taken can reach a phone: Apple keeps one for a phone that is away.
    package static let startReach = startLead + Lease.expiration
    /// For how many seconds the end of an activity is broadcast again and again.
    package static let endReach = 12 * 3_600.0
    /// Seconds after which a free channel is deleted.
    package static let idleLimit = 86_400.0

    package var id: ChannelID
    package var app: AppID
    package var environment: PushEnvironment
    /// Who has it, or had it last.
    package var activity: ActivityID
    package var phase = Phase.wanted
    /// Apple's id; nil while it is wanted.
    package var apple: APNSChannelID?
    /// Why it was lost, or why Apple refused the last push.
    package var reason: APNSReason?
    /// Since when the activity has wanted it.
    package var wantedAt: Instant
    /// The newest declaration that Apple accepted a broadcast of, or refused as it is.
    package var accepted = 0
    /// The newest alert that was given, or given up.
    package var alerted = 0
    /// The second of the last broadcast, or the one that a card's start carries (R7).
    package var lastSecond = 0
    /// The second of the last broadcast, from which the spacing counts. 0 before the first one.
    package var broadcastSecond = 0
    /// When the last start left of a card that may follow it, or a phone first spoke of one that its app has started.
    package var startedAt: Instant?
    /// Of those for which the newest state has not gone out again, the oldest state that one shows.
    package var startedWith = 0
    /// When the newest state is broadcast again, if it is another one: it may have overtaken starts.
    package var repeatAt: Instant?
    /// How often the end was broadcast.
    package var ends = 0
    package var lastEndAt: Instant?
    /// Failures in a row.
    package var failures = 0
    /// Until when nothing is asked of Apple, because Apple has refused the last request as one too many. Nil when it has not.
    package var slowedUntil: Instant?
    /// While it rests: when another activity may have it.
    package var freeAt: Instant?
    /// When it has to be looked at next; nil while nothing is to be done.
    package var dueAt: Instant?

    package init(
        id: ChannelID, app: AppID, environment: PushEnvironment, activity: ActivityID, wantedAt: Instant
    ) {
        self.id = id
        self.app = app
        self.environment = environment
        self.activity = activity
        self.wantedAt = wantedAt
        dueAt = wantedAt
    }

    package var errand: Errand { phase == .leased ? .broadcast(environment) : .upkeep(environment) }

    package mutating func wake(at moment: Instant) { dueAt = Instant.soonest(dueAt, moment) }

    /// The channel that a card may follow now.
    package var followed: APNSChannelID? { phase == .leased ? apple : nil }

    /// Whether a declaration for everyone has yet to be broadcast.
    package func owes(_ version: Int) -> Bool { phase == .leased && accepted < version }

    /// Until when a start waits for it; nil where that is of no use.
    package func awaited(at now: Instant) -> Instant? {
        let end = wantedAt + Self.startPatience
        return phase == .wanted && now < end ? end : nil
    }

    /// Cards that may follow it begin now, and show a state. A broadcast of the same second is passed over by such a card, and
    /// one that overtakes its start misses it. So the newest state goes out again when they have surely left, and once more
    /// when Apple keeps none of them any longer (R1). The first of a row of starts also holds the next broadcast up for a second
    /// (R7); were it each of them, a flood of starts would keep the newest state from everybody else (R3).
    ///
    /// The first that follow it have been started with the newest alert, or after it, and do not hear it again (R4).
    ///
    /// - Parameters:
    ///   - state: 0 where it is not known.
    ///   - alert: the newest one; 0 where it is not known whether they had it.
    package mutating func noteStarts(showing state: Int, alert: Int = 0, at now: Instant) {
        if startedAt == nil { alerted = max(alerted, alert) }
        let former = startedAt.map { now.seconds(since: $0) } ?? .infinity
        // Once in a second is enough: there is time left before the newest state goes out again.
        if abs(former) < 1, startedWith <= state { return }
        if former > Self.startLead { lastSecond = max(lastSecond, now.second + 1) }
        // Earlier ones count until the newest state has gone out again for them, however long that took.
        startedWith = repeatAt == nil ? state : min(startedWith, state)
        // What is noted late, or by a clock that is behind, comes before others that have left since.
        startedAt = max(startedAt ?? now, now)
        repeatAt = Instant.soonest(repeatAt, now + Self.startLead)
        wake(at: now + Self.startLead)
    }

    /// When a broadcast that was bound at a moment has to be made again: it may have overtaken starts.
    func nextRepeat(after moment: Instant) -> Instant? {
        guard let startedAt else { return nil }
        return [Self.startLead, Self.startReach].map { startedAt + $0 }.first { $0 > moment }
    }

    /// Another activity takes a channel that has rested.
    package mutating func lease(by activity: ActivityID, at now: Instant) {
        self.activity = activity
        phase = .leased
        (reason, freeAt, lastEndAt, startedAt, repeatAt, slowedUntil) = (nil, nil, nil, nil, nil, nil)
        (accepted, alerted, ends, failures, startedWith, broadcastSecond) = (0, 0, 0, 0, 0, 0)
        (wantedAt, dueAt) = (now, now)
    }
}
