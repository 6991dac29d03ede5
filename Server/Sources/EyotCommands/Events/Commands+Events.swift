import EyotDomain

extension Commands {
    /// Events that one transaction looks at.
    private static let eventsAtOnce = 1_000
    /// Events that one call looks at. A caller that wants rare kinds goes on from the cursor.
    private static let eventsOfCall = 20_000

    /// The id of an app's newest event; 0 if there is none.
    package func newestEvent(of app: AppID) async throws -> Int64 {
        try await store.read { try $0.newestEvents(of: app, about: .app, before: .max, limit: 1).first?.id ?? 0 }
    }

    /// Wanted events on one side of a cursor, in the order in which they are read.
    ///
    /// - Parameter limit: The most events of the page.
    /// - Throws: `activityUnknown`, `userUnknown`, `deviceUnknown`.
    package func events(
        _ query: EventQuery, of app: AppID, from cursor: EventCursor, limit: Int
    ) async throws -> EventPage {
        let subjects = try await store.read { try query.subjects(of: app, in: $0) }
        var page = EventPage(cursor: cursor)
        var looked = 0
        while page.events.count < limit, looked < Self.eventsOfCall, !page.isComplete {
            let former = page
            let (next, count) = try await store.read { ledger in
                let found = try former.cursor.read(subjects, of: app, in: ledger, limit: Self.eventsAtOnce)
                var page = former
                for event in found where page.events.count < limit && !page.isComplete {
                    try page.take(event, for: query, in: ledger)
                }
                if found.isEmpty { page.isComplete = true }
                return (page, found.count)
            }
            page = next
            looked += count
        }
        return page
    }
}

/// A place among the events of an app, and the direction in which they are read.
package enum EventCursor: Sendable, Hashable {
    /// Later events, oldest first.
    case after(Int64)
    /// Earlier events, newest first.
    case before(Int64)

    /// The event at the place.
    package var id: Int64 {
        switch self {
        case .after(let id), .before(let id): id
        }
    }

    fileprivate mutating func move(to id: Int64) {
        switch self {
        case .after: self = .after(id)
        case .before: self = .before(id)
        }
    }

    /// The next events about any of the subjects, each once.
    fileprivate func read(
        _ subjects: Set<EventSubject>, of app: AppID, in ledger: any Ledger, limit: Int
    ) throws -> [Event] {
        var found: Set<Event> = []
        for subject in subjects {
            switch self {
            case .after(let id): found.formUnion(try ledger.events(of: app, about: subject, after: id, limit: limit))
            case .before(let id):
                found.formUnion(try ledger.newestEvents(of: app, about: subject, before: id, limit: limit))
            }
        }
        let sorted = found.sorted { $0.id < $1.id }
        if case .after = self { return Array(sorted.prefix(limit)) }
        return sorted.suffix(limit).reversed()
    }
}

/// Events in the order in which they were read, and where the next page begins.
package struct EventPage: Sendable {
    package var events: [EventView] = []
    /// The last event that was looked at, whether it was wanted or not.
    package var cursor: EventCursor
    /// Whether all events in the direction were looked at.
    package var isComplete = false

    /// Looks at the next event.
    fileprivate mutating func take(_ event: Event, for query: EventQuery, in ledger: any Ledger) throws {
        cursor.move(to: event.id)
        if let since = query.since, event.at < since {
            if case .before = cursor { isComplete = true }
            return
        }
        guard query.kinds?.contains(event.fact.kind) ?? true else { return }
        let view = try EventView(event, in: ledger, query.depth)
        if query.wants(view) { events.append(view) }
    }
}
