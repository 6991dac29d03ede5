import EyotContract

/// A sighting of a card, mostly with its update token, that was answered and is not applied yet, because very many came
/// at once. It is as durable as a token that is set. It waits in a log until it is merged in the order of the ordinals.
/// Merging costs a fraction of applying each at once.
package struct Arrival: Sendable, Hashable {
    /// The store's id. Ids rise and are never used again.
    package var id: Int64
    package var app: AppID
    package var device: DeviceID
    /// The epoch and sequence of the device's report, which told of this card and nothing else.
    package var epoch: Int
    package var sequence: Int
    package var activity: ActivityID
    package var ordinal: Int
    package var instance: String
    /// Nil for a card that has no token yet.
    package var token: PushToken?
    /// The digest of the state that the card showed, if the report told it.
    package var digest: StateDigest?
    package var environment: PushEnvironment
    /// When it was answered.
    package var answeredAt: Instant
    /// The last second that a push to the replica may carry, according to the answer (R7).
    package var answerSecond: Int
    /// The replica's accepted version and last second at the time of the answer.
    package var accepted: Version
    package var lastSecond: Int

    package init(
        id: Int64, app: AppID, device: DeviceID, epoch: Int, sequence: Int, activity: ActivityID, ordinal: Int,
        instance: String,
        token: PushToken?, environment: PushEnvironment, answeredAt: Instant, answerSecond: Int, accepted: Int,
        lastSecond: Int, digest: StateDigest? = nil
    ) {
        self.id = id
        self.app = app
        self.device = device
        self.epoch = epoch
        self.sequence = sequence
        self.activity = activity
        self.ordinal = ordinal
        self.instance = instance
        self.token = token
        self.environment = environment
        self.answeredAt = answeredAt
        self.answerSecond = answerSecond
        self.accepted = accepted
        self.lastSecond = lastSecond
        self.digest = digest
    }

    /// - Parameter place: the replica of the card, as it was before the report.
    package init(
        _ token: PushToken?, for place: Replica, of instance: String, from reporter: Reporter, sequence: Int,
        at now: Instant
    ) {
        self.init(
            id: 0, app: reporter.app, device: place.device, epoch: reporter.epoch, sequence: sequence,
            activity: place.activity, ordinal: place.ordinal, instance: instance, token: token,
            environment: reporter.environment, answeredAt: now, answerSecond: place.newestSecond,
            accepted: place.acceptedVersion, lastSecond: place.newestSecond)
    }
}

/// A phone that reports a token, with what the answer needs of it.
package struct Reporter: Sendable, Hashable {
    package var app: AppID
    package var environment: PushEnvironment
    package var allowsFrequentPushes: Bool
    /// The epoch and sequence of the newest report that was applied.
    package var epoch: Int
    package var sequence: Int

    package init(
        app: AppID, environment: PushEnvironment, allowsFrequentPushes: Bool, epoch: Int, sequence: Int
    ) {
        self.app = app
        self.environment = environment
        self.allowsFrequentPushes = allowsFrequentPushes
        self.epoch = epoch
        self.sequence = sequence
    }

    package init(_ device: Device) {
        self.init(
            app: device.app, environment: device.environment,
            allowsFrequentPushes: device.permissions.frequentPushes, epoch: device.epoch, sequence: device.sequence)
    }
}

/// A card of the ring and its phone, with what the answer to a new token needs of them.
package struct RingCard: Sendable, Hashable {
    package let reporter: Reporter
    /// The replica, possibly without what an answer does not depend on: its token, its alerts, its planned start.
    package let replica: Replica

    package init(_ reporter: Reporter, _ replica: Replica) {
        self.reporter = reporter
        self.replica = replica
    }
}

/// The place at which an arrival is to be merged.
package struct ArrivalPlace: Sendable, Hashable {
    package var id: Int64
    package var device: DeviceID
    package var activity: ActivityID
    package var ordinal: Int

    package init(id: Int64, device: DeviceID, activity: ActivityID, ordinal: Int) {
        self.id = id
        self.device = device
        self.activity = activity
        self.ordinal = ordinal
    }
}

extension Replica {
    /// Whether the replica is still the place of an arrival. If it is not, the card has to be placed anew.
    package func isPlace(of arrival: Arrival, at now: Instant) -> Bool {
        guard device == arrival.device else { return false }
        if let instance { return instance == arrival.instance }
        return phase == .starting && lease?.isOutstanding(at: now) == true
    }

    /// Applies an arrival, as if that had been done when it was answered.
    ///
    /// - Returns: whether anything changed.
    package mutating func set(_ arrival: Arrival) -> Bool {
        // The replica had this token already when it was answered, and the token died since.
        if case .dead = phase, let token, token.token == arrival.token { return false }
        let former = self
        // The pushes that Apple accepted since went to the former token, or carry the second of the answer, which hides
        // them.
        if newestSecond != arrival.lastSecond { acceptedVersion = arrival.accepted }
        appear(arrival.instance, at: arrival.answeredAt)
        let isChanged =
            arrival.token.map { set($0, environment: arrival.environment, at: arrival.answeredAt) } ?? reopen()
        lastSecond = max(lastSecond, arrival.answerSecond)
        return isChanged || self != former
    }
}
