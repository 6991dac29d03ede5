import EyotDomain

/// What runs in an app now, worst first.
package struct Overview: Sendable {
    /// The places of activities of one type that are too small to be listed alone.
    package struct Others: Sendable {
        package var type: String?
        /// One of them.
        package var name: String
        package var activities: Int
        package var cards: Int
    }

    /// An activity with starts that leave later.
    package struct Planned: Sendable {
        package var activity: Activity
        /// Places that wait for their start.
        package var starting: Int
    }

    package var at: Instant
    /// Activities that run.
    package var running = 0
    /// Cards that run.
    package var cards = 0
    /// Whether more activities run than were counted.
    package var isComplete = true
    /// Seconds for which a card of the app can have been behind; nil if nothing is due.
    package var behindSeconds: Double?
    package var activities: [RunningReport] = []
    package var others: [Others] = []
    package var planned: [Planned] = []
}

/// What kept numbers say of a running activity.
package struct RunningReport: Sendable {
    package var activity: Activity
    package var cards: Int
    /// The halt that applies to it, or nil.
    package var halt: Halt?
    /// Seconds for which a card can have been behind; nil if nothing is due.
    package var behindSeconds: Double?
    /// State ages of the last minute.
    package var ages = AgeHistogram()
    /// Pushes of the last minute that Apple accepted and refused.
    package var accepted = 0
    package var refused = 0
    package var shown = ShownNumbers()
    /// The longest state age in each step of ``Overview/recentSteps``, oldest first; nil for steps without a push.
    package var recent: [Double?] = []
    /// The newest declaration, and the key that made it.
    package var declared: Declaration?
    package var operation: Operation?
    package var key: APIKey?
}

extension Overview {
    /// The time of ``RunningReport/recent``: how many steps, and the seconds of each.
    package static let recentSteps = (count: 24, seconds: 300)
    /// Seconds that count as the last minute, in whole spans.
    static let minute = 60
    /// The most activities that are listed alone: with many cards, halted, or behind.
    static let (largest, halted, late) = (30, 10, 10)
    /// Activities with more places are listed alone.
    static let small = 20
    /// Seconds for which a small activity must be behind to be listed alone.
    static let lateSeconds = 10.0
    /// The most groups of small activities.
    static let groups = 20
    /// Seconds ahead for which starts are listed, and the most of them.
    static let plannedAhead = (seconds: 12 * 3_600.0, limit: 20)
}
