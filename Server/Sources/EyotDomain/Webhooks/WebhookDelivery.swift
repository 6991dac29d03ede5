/// An event on its way to a webhook. It is removed when the receiver has taken it.
///
/// It holds no text of the event. What is posted is read from the record at each try, so an event of a person who was
/// forgotten is not posted any more.
package struct WebhookDelivery: Sendable, Hashable {
    package var webhook: WebhookID
    package var event: Int64
    /// The activity of the event; nil if it is about none. Events of one activity are delivered in order.
    package var activity: ActivityID?
    /// The tries that were answered, or failed.
    package var attempts = 0
    /// Counts the claims. A result of an older claim does not count.
    package var claim = 0
    /// When it is tried next. While it is being tried, when another sender may try it.
    package var dueAt: Instant
    /// When it was given up; nil while it is pending.
    package var deadAt: Instant?
    /// The last failure; nil before the first.
    package var failure: Failure?

    package struct Failure: Sendable, Hashable {
        package var at: Instant
        package var answer: WebhookAnswer

        package init(at: Instant, answer: WebhookAnswer) { (self.at, self.answer) = (at, answer) }
    }

    package init(webhook: WebhookID, event: Int64, activity: ActivityID?, dueAt: Instant) {
        (self.webhook, self.event, self.activity, self.dueAt) = (webhook, event, activity, dueAt)
    }
}

extension WebhookDelivery {
    /// Seconds after which another sender may take over a delivery that is being tried. It is longer than a try.
    package static let lease = 60.0

    /// Marks it as being tried.
    package mutating func begin(at now: Instant) {
        claim += 1
        dueAt = now + Self.lease
    }

    /// Records a try that failed. After the last try of the schedule it is a dead letter.
    ///
    /// - Parameter chance: From 0 up to 1, for the spread of the next try.
    package mutating func fail(with answer: WebhookAnswer, at now: Instant, chance: Double) {
        attempts += 1
        failure = Failure(at: now, answer: answer)
        if let pause = WebhookSchedule.pause(afterAttempt: attempts, chance: chance) {
            dueAt = now + pause
        } else {
            (deadAt, dueAt) = (now, now)
        }
    }

    /// Makes it due with a new schedule.
    package mutating func revive(at now: Instant) {
        (attempts, deadAt, dueAt) = (0, nil, now)
    }
}

/// When a message is tried again, as Standard Webhooks recommends.
package enum WebhookSchedule {
    /// Seconds before each try.
    static let pauses: [Double] = [0, 5, 300, 1_800, 7_200, 18_000, 36_000, 50_400, 72_000, 86_400]
    /// The share of a pause by which it may be longer, so that messages that failed together are not tried together.
    static let spread = 0.1

    /// The most tries of a message.
    package static var attempts: Int { pauses.count }

    /// Seconds until the next try; nil if there is none.
    package static func pause(afterAttempt attempt: Int, chance: Double) -> Double? {
        pauses.indices.contains(attempt) ? pauses[attempt] * (1 + spread * chance) : nil
    }
}
