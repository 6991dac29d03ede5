import EyotDomain

/// The reading of an app's record for a query.
struct EntryReading: Sendable {
    let app: AppID
    let query: EventQuery
    let subjects: Set<EventSubject>

    // MARK: Entries

    /// The next entries about any of the subjects, each once.
    func entries(from cursor: EventCursor, in ledger: any Ledger, limit: Int) throws -> [RecordEntry] {
        var found = try events(from: cursor, in: ledger, limit: limit).map(RecordEntry.event)
        if query.readsAcceptances {
            let rows =
                switch cursor {
                case .after(let id): try ledger.acceptances(after: id, limit: limit)
                case .before(let id): try ledger.acceptances(before: id, limit: limit)
                }
            found += rows.map(RecordEntry.accepted)
        }
        let isForward = if case .after = cursor { true } else { false }
        let sorted = found.sorted { isForward ? $0.id < $1.id : $0.id > $1.id }
        // Rows from before the two kinds of entries shared their ids may have the id of an event.
        let last = sorted.prefix(limit).last?.id
        return Array(sorted.prefix(limit)) + sorted.dropFirst(limit).prefix { $0.id == last }
    }

    private func events(from cursor: EventCursor, in ledger: any Ledger, limit: Int) throws -> [Event] {
        let found = try subjects.map { subject in
            switch cursor {
            case .after(let id): try ledger.events(of: app, about: subject, after: id, limit: limit)
            case .before(let id): try ledger.newestEvents(of: app, about: subject, before: id, limit: limit)
            }
        }
        guard found.count > 1 else { return found.first ?? [] }
        // An event may be about several of the subjects.
        return Array(Dictionary(found.joined().map { ($0.id, $0) }, uniquingKeysWith: { $1 }).values)
    }

    /// Whether an entry is of a wanted kind. What Apple accepted has no app of its own.
    func wants(_ entry: RecordEntry, in ledger: any Ledger) throws -> Bool {
        guard query.wants(entry.kind) else { return false }
        guard case .accepted(let row) = entry else { return true }
        return try ledger.activity(row.activity)?.app == app
    }

    // MARK: Views

    /// The events that the query wants of an entry. Of what Apple accepted there is one for each card.
    func views(of entry: RecordEntry, in ledger: any Ledger) throws -> [EventView] {
        guard query.wants(entry.kind) else { return [] }
        switch entry {
        case .event(let event):
            let view = try EventView(event, in: ledger, query.depth)
            return query.wants(view) ? [view] : []
        case .accepted(let row):
            guard let activity = try ledger.activity(row.activity), activity.app == app else { return [] }
            guard query.activity.map({ $0 == activity.name }) ?? true else { return [] }
            var views = try AcceptedCards(row, in: activity, ledger, query.depth)
                .views(for: try ordinals(of: row, in: ledger)).filter { query.wants($0) }
            if !views.isEmpty { views[views.count - 1].isLastOfEntry = true }
            return views
        }
    }

    /// The cards of a row that may be about the subjects.
    private func ordinals(of row: Acceptances, in ledger: any Ledger) throws -> [Int] {
        var devices: [DeviceID] = []
        for case .device(let device) in subjects { devices.append(device) }
        guard !devices.isEmpty else { return row.slots.ordinals(onPage: row.page) }
        var found: [Int] = []
        for device in devices {
            try ledger.forEachReplica(of: device) { card in
                if card.activity == row.activity, row.slots.contains(card.ordinal),
                    RingPage.number(of: card.ordinal) == row.page
                {
                    found.append(card.ordinal)
                }
            }
        }
        return found.sorted()
    }
}
