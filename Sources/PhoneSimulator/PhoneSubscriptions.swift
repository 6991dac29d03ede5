/// What a subscriber makes of one event.
enum StreamStep<Element: Sendable>: Sendable {
    case skip
    case yield(Element)
    /// The last one.
    case last(Element)
    case finish
}

/// What a subscriber gets at once.
struct StreamStart<Element: Sendable>: Sendable {
    var elements: [Element] = []
    var isOver = false

    static var over: StreamStart { StreamStart(isOver: true) }
}

/// Who listens to one phone. Lives behind the phone's lock, so that everybody sees events in one order.
struct PhoneSubscriptions: Sendable {
    /// One subscriber, its element type forgotten.
    struct Subscription: Sendable {
        /// The process that listens; nil for a listener outside the phone. It hears nothing after its end.
        let generation: Int?
        /// Takes an event; true where it wants no more.
        let take: @Sendable (PhoneEvent) -> Bool
        let finish: @Sendable () -> Void
    }

    private var nextID = 0
    private var all: [Int: Subscription] = [:]

    var count: Int { all.count }

    mutating func add(_ subscription: Subscription) -> Int {
        nextID += 1
        all[nextID] = subscription
        return nextID
    }

    mutating func remove(_ id: Int) { all[id] = nil }

    /// Passes events on.
    ///
    /// - Returns: how to finish the streams that are over. To be called outside the lock, since a stream that finishes
    ///   comes back to unsubscribe.
    mutating func pass(_ events: [PhoneEvent]) -> [@Sendable () -> Void] {
        var finished: [@Sendable () -> Void] = []
        for event in events {
            for (id, subscription) in all where isOver(subscription, at: event) {
                all[id] = nil
                finished.append(subscription.finish)
            }
        }
        return finished
    }

    private func isOver(_ subscription: Subscription, at event: PhoneEvent) -> Bool {
        if case .terminated(let generation) = event, generation == subscription.generation { return true }
        return subscription.take(event)
    }
}
