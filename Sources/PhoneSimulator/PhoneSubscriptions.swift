/// A subscriber's reaction to one event.
enum StreamStep<Element: Sendable>: Sendable {
    case skip
    case yield(Element)
    /// The last one.
    case last(Element)
    case finish
}

/// The first elements for a subscriber.
struct StreamStart<Element: Sendable>: Sendable {
    var elements: [Element] = []
    var isOver = false

    static var over: StreamStart { StreamStart(isOver: true) }
}

/// The streams that follow one phone. It lives behind the phone's lock, so that all streams see events in one order.
struct PhoneSubscriptions: Sendable {
    /// A closure to be called without the lock.
    typealias Announcement = @Sendable () -> Void

    /// One subscriber, without its element type.
    struct Subscription: Sendable {
        /// The process that listens; nil for a listener outside the phone. A listener receives nothing after its
        /// process ends.
        let generation: Int?
        /// Reads an event and returns the announcement to make. It yields nothing itself.
        let read: @Sendable (PhoneEvent) -> Reading
        let finish: Announcement
    }

    /// A subscriber's reaction to one event.
    struct Reading: Sendable {
        /// Yields the element; nil if the event brings none.
        var announcement: Announcement?
        /// Whether the stream is over.
        var isOver = false
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

    /// Passes events to the subscribers, and drops those with a stream that is over.
    ///
    /// - Returns: closures that yield the elements and finish the streams, in order. Call them without the lock,
    ///   because a stream that finishes calls back to unsubscribe.
    mutating func pass(_ events: [PhoneEvent]) -> [Announcement] {
        var announcements: [Announcement] = []
        for event in events {
            for (id, subscription) in all {
                let reading = read(event, by: subscription)
                if let announcement = reading.announcement { announcements.append(announcement) }
                guard reading.isOver else { continue }
                all[id] = nil
                announcements.append(subscription.finish)
            }
        }
        return announcements
    }

    private func read(_ event: PhoneEvent, by subscription: Subscription) -> Reading {
        if case .terminated(let generation) = event, generation == subscription.generation {
            return Reading(isOver: true)
        }
        return subscription.read(event)
    }
}
