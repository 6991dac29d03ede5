/// An entry of the record: an event, or what Apple accepted for the cards of one page.
package enum RecordEntry: Sendable, Hashable {
    case event(Event)
    case accepted(Acceptances)

    package var id: Int64 {
        switch self {
        case .event(let event): event.id
        case .accepted(let row): row.id
        }
    }

    package var at: Instant {
        switch self {
        case .event(let event): event.at
        case .accepted(let row): row.at
        }
    }

    package var kind: EventKind {
        switch self {
        case .event(let event): event.fact.kind
        case .accepted: .pushAccepted
        }
    }

    /// The activity that it is about; nil if it is about none.
    package var activity: ActivityID? {
        switch self {
        case .event(let event): event.activity
        case .accepted(let row): row.activity
        }
    }
}

extension Ledger {
    /// The entry of an app with an id; nil if it is not kept.
    package func entry(_ id: Int64, of app: AppID) throws -> RecordEntry? {
        let event = try events(of: app, about: .app, after: id - 1, limit: 1).first
        if let event, event.id == id { return .event(event) }
        guard let row = try acceptances(after: id - 1, limit: 1).first, row.id == id,
            try activity(row.activity)?.app == app
        else { return nil }
        return .accepted(row)
    }
}
