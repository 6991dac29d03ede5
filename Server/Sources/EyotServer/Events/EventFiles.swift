import EyotCommands
import EyotDomain
import EyotHTTP
import Foundation

/// The writing of events to files, an hour in each. What is written is what `GET /v1/events` answers, so it is gone
/// from the database only after it is in a file, unless files fail for as long as events are kept.
struct EventFiles: Sendable {
    /// Seconds after the end of an hour in which the last transactions of it end.
    static let patience = 60.0
    /// Events in one read.
    private static let atOnce = 1_000

    let folder: EventFolder
    let commands: Commands
    /// The form of the lines.
    var form = EventForm()

    /// What goes into the files.
    private var query: EventQuery {
        var query = EventQuery()
        form.restrict(&query)
        return query
    }

    /// Writes all hours that are complete.
    ///
    /// - Returns: How many events were written.
    @discardableResult
    func write() async throws -> Int {
        let present = EventHour(of: commands.clock.now - Self.patience)
        var count = 0
        for app in try await commands.store.read({ try $0.apps().map(\.id) }) {
            count += try await write(app, before: present)
        }
        return count
    }

    private func write(_ app: AppID, before present: EventHour) async throws -> Int {
        var cursor = try folder.last(of: app)
        let newest = try await commands.newestEntry(of: app, for: query)
        if newest < cursor {
            // After a restore the database is older than the files. They have what it holds, and ids come again.
            try folder.keep(last: newest, of: app)
            cursor = newest
        }
        var count = 0
        while let batch = try await batch(of: app, after: cursor, before: present) {
            try folder.publish(app, batch.hour, first: batch.first)
            try folder.keep(last: batch.last, of: app)
            (cursor, count) = (batch.last, count + batch.count)
        }
        return count
    }

    /// The events of one file.
    private struct Batch {
        let hour: EventHour
        let first: Int64
        var last: Int64
        var count = 0
    }

    /// Writes the next hour of an app to its partial file.
    ///
    /// - Returns: nil if no complete hour is left.
    private func batch(of app: AppID, after id: Int64, before present: EventHour) async throws -> Batch? {
        var (page, batch) = (try await page(of: app, after: id), Batch?.none)
        guard let first = page.events.first else {
            // Nothing before the cursor is wanted, so it need not be looked at again.
            if page.cursor.id > id { try folder.keep(last: page.cursor.id, of: app) }
            return nil
        }
        guard hour(of: first.view, before: present) < present else { return nil }
        var file = try GzipFile(at: folder.partialPath(of: app))
        reading: while !page.events.isEmpty {
            var lines: [UInt8] = []
            for (event, text) in page.events {
                let hour = hour(of: event, before: present)
                // Files follow the order of the events, also if the clock was set back in between.
                guard hour <= batch?.hour ?? hour else {
                    try file.write(lines)
                    break reading
                }
                var next = batch ?? Batch(hour: hour, first: event.event.id, last: event.event.id)
                lines += Array(text.utf8)
                (next.last, next.count) = (event.event.id, next.count + 1)
                batch = next
            }
            try file.write(lines)
            page = try await self.page(of: app, after: page.cursor.id)
        }
        try file.finish()
        return batch
    }

    /// Events with their lines, and how far the record was read for them.
    private struct Page {
        var events: [(view: EventView, lines: String)]
        var cursor: EventCursor
    }

    /// The next events that have lines. The page has none only if there are none.
    private func page(of app: AppID, after id: Int64) async throws -> Page {
        var cursor = EventCursor.after(id)
        while true {
            let page = try await commands.events(query, of: app, from: cursor, limit: Self.atOnce)
            let events = page.events.map { ($0, form.lines(of: $0).map { "\($0.json.text)\n" }.joined()) }
                .filter { !$1.isEmpty }
            if page.isComplete || !events.isEmpty { return Page(events: events, cursor: page.cursor) }
            cursor = page.cursor
        }
    }

    /// The hour with which an event is written. An event of the future is from a clock that was ahead and was set back
    /// since; it does not hold up those after it.
    private func hour(of event: EventView, before present: EventHour) -> EventHour {
        let hour = EventHour(of: event.event.at)
        return hour > EventHour(of: commands.clock.now) ? present.former : hour
    }
}
