import EyotContract

/// An update token that was answered and is not set yet: one of very many that came at once. It is as durable as one that is
/// set, and waits in a log until it is merged in the order of the ordinals, which costs a fraction of setting each as it
/// comes.
package struct Arrival: Sendable, Hashable {
    /// The store's, rising and never given twice.
    package var id: Int64
    package var app: AppID
    package var device: DeviceID
    /// The device's report that brought it, and all that the report says.
    package var epoch: Int
    package var sequence: Int
    package var activity: ActivityID
    package var ordinal: Int
    package var instance: String
    package var token: PushToken
    package var environment: PushEnvironment
    /// When it was answered.
    package var answeredAt: Instant
    /// The last second that a push to the replica may carry, by that answer (R7).
    package var answerSecond: Int
    /// How far pushes had brought the replica by then.
    package var accepted: Int
    package var lastSecond: Int

    package init(
        id: Int64, app: AppID, device: DeviceID, epoch: Int, sequence: Int, activity: ActivityID, ordinal: Int,
        instance: String,
        token: PushToken, environment: PushEnvironment, answeredAt: Instant, answerSecond: Int, accepted: Int,
        lastSecond: Int
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
    }

    /// - Parameter place: the replica that it is for, as it stood before the report.
    package init(
        _ token: PushToken, for place: Replica, of instance: String, from reporter: Reporter, sequence: Int,
        at now: Instant
    ) {
        self.init(
            id: 0, app: reporter.app, device: place.device, epoch: reporter.epoch, sequence: sequence,
            activity: place.activity, ordinal: place.ordinal, instance: instance, token: token,
            environment: reporter.environment, answeredAt: now, answerSecond: place.newestSecond,
            accepted: place.accepted, lastSecond: place.newestSecond)
    }
}

/// A phone that reports a token, as far as the answer needs it.
package struct Reporter: Sendable, Hashable {
    package var app: AppID
    package var environment: PushEnvironment
    package var allowsFrequentPushes: Bool
    /// The newest report that was applied.
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

/// A card of the ring and its phone, as far as the answer to a new token needs them.
package struct RingCard: Sendable, Hashable {
    package let reporter: Reporter
    /// What an answer does not depend on may be missing: the token that it has, its alerts, when it was planned.
    package let replica: Replica

    package init(_ reporter: Reporter, _ replica: Replica) {
        self.reporter = reporter
        self.replica = replica
    }
}

/// Where an arrival is to be merged.
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
    /// Whether the place that an arrival was answered for is still there. Where it is not, the card has to be placed anew.
    package func isPlace(of arrival: Arrival, at now: Instant) -> Bool {
        guard device == arrival.device else { return false }
        if let instance { return instance == arrival.instance }
        return phase == .starting && lease?.isOutstanding(at: now) == true
    }

    /// Sets the token of an arrival, as if that had been done when it was answered.
    ///
    /// - Returns: whether anything changed.
    package mutating func set(_ arrival: Arrival) -> Bool {
        // It had this token when it was answered, too, and that died since.
        if case .dead = phase, token?.token == arrival.token { return false }
        let former = self
        // What Apple took since went to the former token, or in the second of the answer, which hides it.
        if newestSecond != arrival.lastSecond { accepted = arrival.accepted }
        appear(arrival.instance, at: arrival.answeredAt)
        let isChanged = set(arrival.token, environment: arrival.environment, at: arrival.answeredAt)
        lastSecond = max(lastSecond, arrival.answerSecond)
        return isChanged || self != former
    }
}
