import EyotDomain

extension Commands {
    /// Events that one transaction looks at.
    private static let eventsAtOnce = 1_000
    /// Events that one call looks at. A caller that wants rare kinds goes on from the cursor.
    private static let eventsOfCall = 10_000

    /// The id of the newest entry that a query of an app may be about; 0 if there is none.
    package func newestEntry(of app: AppID, for query: EventQuery = EventQuery()) async throws -> Int64 {
        try await store.read { ledger in
            let event = try ledger.newestEvents(of: app, about: .app, before: .max, limit: 1).first?.id ?? 0
            guard query.readsAcceptances else { return event }
            return max(event, try ledger.acceptances(before: .max, limit: 1).first?.id ?? 0)
        }
    }

    /// Wanted events on one side of a cursor, in the order in which they are read.
    ///
    /// - Parameter limit: The most events of the page. It may have more if the last ones are of one page of cards, for
    ///   which Apple accepted pushes at once.
    /// - Throws: `activityUnknown`, `userUnknown`, `deviceUnknown`.
    package func events(
        _ query: EventQuery, of app: AppID, from cursor: EventCursor, limit: Int
    ) async throws -> EventPage {
        let subjects = try await store.read { try query.subjects(of: app, in: $0) }
        let reading = EntryReading(app: app, query: query, subjects: subjects)
        var page = EventPage(cursor: cursor)
        var looked = 0
        while page.events.count < limit, looked < Self.eventsOfCall, !page.isComplete {
            let former = page
            let (next, count) = try await store.read { ledger in
                let found = try reading.entries(from: former.cursor, in: ledger, limit: Self.eventsAtOnce)
                var page = former
                for entry in found where page.events.count < limit && !page.isComplete {
                    try page.take(entry, by: reading, in: ledger)
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

/// A place in the record of an app, and the direction in which they are read.
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
}

/// Events in the order in which they were read, and where the next page begins.
package struct EventPage: Sendable {
    package var events: [EventView] = []
    /// The last event that was looked at, whether it was wanted or not.
    package var cursor: EventCursor
    /// Whether all events in the direction were looked at.
    package var isComplete = false

    /// Looks at the next entry.
    fileprivate mutating func take(_ entry: RecordEntry, by reading: EntryReading, in ledger: any Ledger) throws {
        cursor.move(to: entry.id)
        if let since = reading.query.since, entry.at < since {
            if case .before = cursor { isComplete = true }
            return
        }
        events += try reading.views(of: entry, in: ledger)
    }
}
