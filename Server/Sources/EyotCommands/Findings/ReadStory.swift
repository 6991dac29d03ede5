import EyotDomain

/// Reads the story of a phone, or of an activity on it: what was declared, sent, accepted and reported, oldest first.
package struct ReadStory: UseCase {
    /// The most entries of a story. The newest count.
    package static let limit = 200
    /// The most rows of acceptances that are looked at. A row may be about other cards of the same page.
    private static let acceptances = 2_000
    /// The most declarations that one push is said to have superseded.
    private static let superseded = 100

    package let transaction: Transaction
    let device: Device
    let app: AppID
    /// The moment from which the phone's part of the story is told; nil tells all of it.
    var since: Instant?

    package init(_ transaction: Transaction, of device: Device, in app: AppID, since: Instant? = nil) {
        self.transaction = transaction
        self.device = device
        self.app = app
        self.since = since
    }

    /// - Parameter activity: nil tells of the phone in all activities, without what Apple accepted.
    package func callAsFunction(_ activity: Activity?) throws -> [StoryEntry] {
        let places = try activity.map { activity in
            try ledger.replicas(of: device.id, named: activity.name, in: app).filter { $0.activity == activity.id }
        }
        let events = try events(activity)
        var found = try events.filter { $0.device == nil || isTold($0.at) }.map { try entry(of: $0, to: places ?? []) }
        if let activity, let places {
            found += try skipped(in: activity, places, events).filter { isTold($0.at) }
            for place in places { found += try entries(of: place, in: activity).filter { isTold($0.at) } }
        }
        // Entries of one moment keep their order, in which a declaration goes before what it led to.
        let sorted = found.enumerated().sorted { ($0.element.at, $0.offset) < ($1.element.at, $1.offset) }
        return sorted.suffix(Self.limit).map(\.element)
    }

    private func isTold(_ moment: Instant) -> Bool { since.map { $0 <= moment } ?? true }

    // MARK: Events

    /// Events of a phone, without those of other activities, and what was declared for the activity.
    private func events(_ activity: Activity?) throws -> [Event] {
        func newest(_ subject: EventSubject) throws -> [Event] {
            try ledger.newestEvents(of: app, about: subject, before: .max, limit: Self.limit)
        }
        var events = try newest(.device(device.id))
        if let activity {
            events = events.filter { $0.belongs(to: activity) }
            let ofAll = try newest(.activity(activity.id))
            // The conclusion of a request is no part of a phone's story.
            events += ofAll.filter { $0.device == nil && !$0.fact.kind.isConclusion }
            if ofAll.count == Self.limit {
                let declared = try declared(in: activity, besides: ofAll)
                events += try declared + broadcasts(to: activity, since: declared.first?.at, besides: ofAll)
            }
            events += try stops(of: activity)
        }
        // A broadcast of a version goes to the channel of each environment, and again for starts that it overtook.
        var told: Set<Version> = []
        return events.sorted { $0.id < $1.id }.filter {
            $0.fact.kind != .broadcastAccepted || told.insert($0.fact.version).inserted
        }
    }

    /// Halts and pauses of the app and of the activity's type while the activity ran, and their ends.
    private func stops(of activity: Activity) throws -> [Event] {
        let span = activity.createdAt..<Instant(microseconds: .max)
        return try EventKind.allCases.filter(\.isOfWholeApp)
            .flatMap { try ledger.events(of: app, $0, during: span, after: nil, limit: Self.limit) }
            .filter { $0.isStop(of: activity) }
    }

    /// What was declared before the newest events of an activity. In a large one those are all of other cards.
    private func declared(in activity: Activity, besides events: [Event]) throws -> [Event] {
        // Broadcasts and the ends of canaries have versions too.
        let kinds: Set<EventKind> = [.activityDeclared, .activityEnded]
        let known = Set(events.filter { kinds.contains($0.fact.kind) }.map(\.fact.version))
        let newest = try ledger.declarations(
            of: activity.id, after: max(0, activity.version - Self.limit), limit: Self.limit)
        return newest.filter { !known.contains($0.version) }.map {
            Event(app: app, at: $0.acceptedAt, Fact(.activityDeclared, version: $0.version), activity: activity.id)
        }
    }

    /// What Apple accepted for the activity's channels since a moment, before the newest events of the activity.
    private func broadcasts(to activity: Activity, since moment: Instant?, besides events: [Event]) throws -> [Event] {
        guard let moment, let first = events.map(\.at).min(), moment < first else { return [] }
        let known = Set(events.map(\.id))
        return try ledger.broadcasts(of: activity, during: moment..<first).filter { !known.contains($0.id) }
    }

    /// - Parameter places: The phone's cards of the activity.
    private func entry(of event: Event, to places: [Replica]) throws -> StoryEntry {
        if event.fact.kind == .broadcastAccepted, event.fact.version > 0 { return StoryEntry(broadcast: event) }
        guard event.fact.kind == .activityDeclared, let activity = event.activity else { return StoryEntry(event) }
        var entry = StoryEntry(
            event, by: try ledger.operation(declaring: event.fact.version, of: activity, at: event.at))
        if let declaration = try ledger.declaration(event.fact.version, of: activity) {
            entry.tell(declaration, concerns: places.contains { $0.isConcerned(by: declaration) })
        }
        return entry
    }

    /// Starts that led to no card on the phone.
    private func skipped(in activity: Activity, _ places: [Replica], _ events: [Event]) throws -> [StoryEntry] {
        let starts = events.filter(\.mayHaveStarted)
        guard let type = activity.type, !starts.isEmpty else { return [] }
        let token = try ledger.startToken(of: device.id, type: type)
        return SkippedStarts(
            device: device, type: type, events: events.filter { $0.device == device.id }, places: places,
            hasToken: token.map { $0.death == nil } ?? false
        ).entries(of: starts.map(\.at))
    }

    // MARK: Cards

    private func entries(of place: Replica, in activity: Activity) throws -> [StoryEntry] {
        var entries: [StoryEntry] = []
        if let lease = place.lease, let sentAt = lease.sentAt {
            entries.append(StoryEntry(sentAt: sentAt, version: lease.version))
        }
        let rows = try ledger.acceptances(
            of: activity.id, onPage: RingPage.number(of: place.ordinal), limit: Self.acceptances)
        var last: Version?
        for row in rows.reversed() where row.slots.contains(place.ordinal) {
            let passed = try last.map { try superseded(after: $0, before: row.content.version, place, activity) } ?? []
            entries.append(StoryEntry(row, of: place.ordinal, superseding: passed))
            if row.content.version > 0 { last = row.content.version }
        }
        if let echo = try ledger.echo(of: place.activity, ordinal: place.ordinal) { entries.append(StoryEntry(echo)) }
        return entries
    }

    /// The declarations for a card between two that Apple accepted.
    private func superseded(
        after former: Version, before version: Version, _ place: Replica, _ activity: Activity
    ) throws -> [Version] {
        guard version - former > 1 else { return [] }
        return try ledger.declarations(of: activity.id, after: former, limit: Self.superseded)
            .filter { $0.version < version && place.isConcerned(by: $0) }.map(\.version)
    }
}

extension Event {
    /// Whether it is a halt or a pause that holds the activity while others run, or the end of one.
    package func isStop(of activity: Activity) -> Bool {
        guard fact.kind.isOfWholeApp, activity.createdAt <= at else { return false }
        return [.typeHalted, .typeResumed].contains(fact.kind) ? fact.reason == activity.type : true
    }

    /// Whether it belongs to the story of a card of the activity: start tokens of other types do not.
    fileprivate func belongs(to activity: Activity) -> Bool {
        switch fact.kind {
        case .startTokenSet, .startTokenReplaced, .startTokenRemoved, .startTokenRestored:
            fact.reason == activity.type
        default: self.activity == nil || self.activity == activity.id
        }
    }
}
