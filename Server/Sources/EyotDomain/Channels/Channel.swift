import APNSWire
import EyotContract

/// The id of a channel in the store.
package struct ChannelID: RawRepresentable, Sendable, Hashable {
    package let rawValue: Int64
    package init(rawValue: Int64) { self.rawValue = rawValue }
}

/// One of Apple's broadcast channels: a single replica for all cards that follow it. One generation of an activity
/// leases it at a time.
package struct Channel: Sendable, Hashable {
    package enum Phase: String, Sendable, Hashable, CaseIterable {
        /// Apple has to be asked to make it.
        case wanted
        /// An activity's cards follow it, or may still follow it.
        case leased
        /// The lease is over. From ``freeAt`` on another activity may take it.
        case resting
        /// Apple did not make it, or does not have it any more. The activity goes on with tokens.
        case lost
        /// No activity gets it any more. Apple is asked to delete it, and may not have done so yet.
        case deleting
        /// Apple has deleted it. Its row is removed.
        case deleted
    }

    /// A kind of request for a channel that is due, by the service that answers it. A service that does not answer
    /// delays no other requests (R10).
    package enum Errand: Sendable, Hashable, CaseIterable {
        /// A broadcast to cards.
        case broadcast(PushEnvironment)
        /// Making or deleting a channel.
        case upkeep(PushEnvironment)

        package static let allCases = PushEnvironment.allCases.map(broadcast) + PushEnvironment.allCases.map(upkeep)

        package var environment: PushEnvironment {
            switch self {
            case .broadcast(let environment), .upkeep(let environment): environment
            }
        }
    }

    /// The last edition. If Apple loses that one too, the activity goes on with tokens.
    package static let lastEdition = 4
    /// The most channels of an app in an environment. Apple allows ``APNSLimits/channels``. The difference is for
    /// channels that other programs make, and for those with a creation that got no answer.
    package static let poolLimit = 9_000
    /// Seconds for which starts wait for a channel that is being made, or for an alert's broadcast.
    package static let startPatience = 5.0
    /// Seconds after a lease before another activity may have the channel. No card stays on a screen longer.
    package static let rest = Double(APNSLimits.activeLifetime + APNSLimits.lingerLifetime)
    /// Seconds within which a start that was taken has left. A page settles sooner.
    package static let startLead = 10.0
    /// Seconds after which no start that was taken can reach a phone. Apple keeps a start for a phone that is away.
    package static let startReach = startLead + Lease.expiration
    /// Seconds for which the end of an activity is repeated.
    package static let endReach = 12 * 3_600.0
    /// Seconds after which a free channel is deleted.
    package static let idleLimit = 86_400.0

    package var id: ChannelID
    package var app: AppID
    package var environment: PushEnvironment
    /// The activity that has it, or had it last.
    package var activity: ActivityID
    package var phase = Phase.wanted
    /// Apple's id; nil while the channel is wanted.
    package var apple: APNSChannelID?
    /// Counts the channels that were made in place of lost ones. Cards follow the edition that their start named.
    package var edition = 1
    /// The reason why it was lost, or why Apple refused the last request.
    package var reason: APNSReason?
    /// Since when the activity has wanted it.
    package var wantedAt: Instant
    /// The newest declaration of which Apple accepted a broadcast, or refused the content.
    package var accepted = 0
    /// The newest alert that is done with.
    package var alerted = 0
    /// The alert of the broadcast that is on its way, or was when its process ended; 0 for none, and for one that may
    /// sound again.
    package var alerting = 0
    /// The second of the last broadcast, or a second that a card's start may carry (R7).
    package var lastSecond = 0
    /// The second of the last broadcast, from which the spacing counts; 0 before the first.
    package var broadcastSecond = 0
    /// When the last start of a card that may follow it left, or a phone first reported a card that its app has
    /// started; nil if there was none.
    package var startedAt: Instant?
    /// The oldest state that a started card shows, among those for which the newest state has not been repeated.
    package var startedWith = 0
    /// When the newest state is repeated, if it is another one: its broadcast may have overtaken starts. Nil if that is
    /// not planned.
    package var repeatAt: Instant?
    /// The number of broadcasts of the end.
    package var ends = 0
    package var lastEndAt: Instant?
    /// Failures in a row.
    package var failures = 0
    /// Until when nothing is asked of Apple, because Apple has refused the last request as one too many; nil if it has
    /// not.
    package var slowedUntil: Instant?
    /// When another activity may have it; nil unless it rests.
    package var freeAt: Instant?
    /// When it has to be looked at next; nil while nothing is due.
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

    /// Apple's id of the channel, if cards can follow it now; otherwise nil.
    package var followed: APNSChannelID? { phase == .leased ? apple : nil }

    /// Whether a declaration for everyone is still to be broadcast.
    package func isBehind(_ version: Version) -> Bool { phase == .leased && accepted < version }

    /// Until when a start waits for the channel to be made; nil if it does not wait.
    package func awaited(at now: Instant) -> Instant? {
        let end = wantedAt + Self.startPatience
        return phase == .wanted && now < end ? end : nil
    }

    /// Records that cards that may follow it begin now and show a state.
    ///
    /// A card ignores a broadcast of its start's second, and misses a broadcast that overtakes its start. Therefore the
    /// newest state is repeated when the starts have surely left, and again when Apple keeps none of them any longer
    /// (R1).
    ///
    /// The first of a row of starts also delays the next broadcast by a second (R7). If each start did so, a flood of
    /// starts would keep the newest state from all other cards (R3).
    ///
    /// The first cards that follow were started with the newest alert or after it, and do not give it again (R4).
    ///
    /// - Parameters:
    ///   - state: the state that they show; 0 if it is unknown.
    ///   - alert: the newest alert; 0 if it is unknown whether they had it.
    package mutating func noteStarts(showing state: Int, alert: Int = 0, at now: Instant) {
        if startedAt == nil { alerted = max(alerted, alert) }
        let former = startedAt.map { now.seconds(since: $0) } ?? .infinity
        // Once in a second is enough, because there is time left before the repetition.
        if abs(former) < 1, startedWith <= state { return }
        if former > Self.startLead { lastSecond = max(lastSecond, now.second + 1) }
        // Earlier starts count until the newest state has been repeated for them, however long that takes.
        startedWith = repeatAt == nil ? state : min(startedWith, state)
        // A start that is recorded late, or by a clock that is behind, comes before others that have left since.
        startedAt = max(startedAt ?? now, now)
        repeatAt = Instant.soonest(repeatAt, now + Self.startLead)
        wake(at: now + Self.startLead)
    }

    /// When a broadcast that was bound at a moment has to be repeated, because it may have overtaken starts; nil if it
    /// need not be.
    func nextRepeat(after moment: Instant) -> Instant? {
        guard let startedAt else { return nil }
        return [Self.startLead, Self.startReach].map { startedAt + $0 }.first { $0 > moment }
    }

    /// Leases a channel that has rested to another activity.
    package mutating func lease(by activity: ActivityID, at now: Instant) {
        self.activity = activity
        begin(as: .leased, at: now)
        alerted = 0
    }

    /// Asks Apple to make it, because it was lost.
    package mutating func want(at now: Instant) {
        apple = nil
        begin(as: .wanted, at: now)
    }

    private mutating func begin(as phase: Phase, at now: Instant) {
        self.phase = phase
        (reason, freeAt, lastEndAt, startedAt, repeatAt, slowedUntil) = (nil, nil, nil, nil, nil, nil)
        (accepted, ends, failures, startedWith, broadcastSecond) = (0, 0, 0, 0, 0)
        (wantedAt, dueAt) = (now, now)
    }
}
