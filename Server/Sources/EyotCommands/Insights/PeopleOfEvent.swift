import EyotDomain

/// The devices and users that an event happened to, a page at a time.
///
/// A page is made from the events of one kind in the order in which they happened. A device with several of them stands
/// once on a page, and may stand on a later page again.
package struct PeopleOfEvent: Sendable {
    /// What a caller asks. Nil stands for the last day up to now, for every reason, and for the first page.
    package struct Question: Sendable {
        package var kind: EventKind
        package var since: Instant?
        package var until: Instant?
        package var reason: String?
        package var after: EventPlace?

        package init(kind: EventKind) { self.kind = kind }
    }

    /// A device, and its user at that time.
    package struct Person: Sendable, Hashable {
        package var device: DeviceID
        /// Nil if the device had none, or has another one now (R12).
        package var user: String?
        package var count = 1
        package var firstAt: Instant
        package var lastAt: Instant
    }

    package private(set) var people: [Person] = []
    /// Where the next page begins; nil at the end.
    package fileprivate(set) var next: EventPlace?
    fileprivate var looked = 0
    private var places: [Key: Int] = [:]

    private struct Key: Hashable {
        var device: DeviceID
        var user: String?
    }

    fileprivate init(after place: EventPlace?) { next = place }

    /// Adds an event to the entry of its device.
    ///
    /// - Returns: False if there is no room for another entry.
    fileprivate mutating func add(_ event: Event, of user: String?, limit: Int) -> Bool {
        guard let device = event.device else { return true }
        let key = Key(device: device, user: user)
        if let place = places[key] {
            people[place].count += 1
            people[place].lastAt = event.at
            return true
        }
        guard people.count < limit else { return false }
        places[key] = people.count
        people.append(Person(device: device, user: user, firstAt: event.at, lastAt: event.at))
        return true
    }
}

extension PeopleOfEvent.Question {
    private static let usualRange = 86_400.0

    /// - Throws: `fieldInvalid` if no device has such events, and `dateOutOfRange`.
    fileprivate func range(at now: Instant) throws(EyotError) -> Range<Instant> {
        guard kind.isOfDevice else {
            throw EyotError(
                .fieldInvalid, "\(kind.rawValue) does not happen to a device: read it with GET /v1/events",
                field: "kind")
        }
        let last = until ?? now + 1
        let first = since ?? last - Self.usualRange
        guard first < last else {
            throw EyotError(.dateOutOfRange, "since must be earlier than until", field: "since")
        }
        return first..<last
    }
}

extension Commands {
    /// Events that one transaction looks at.
    private static let peopleAtOnce = 500
    /// Events that one call looks at. A caller that wants rare reasons goes on from the cursor.
    private static let eventsOfPeople = 5_000

    /// - Parameter limit: The most entries of the page.
    /// - Throws: `fieldInvalid`, `dateOutOfRange`.
    package func people(
        _ question: PeopleOfEvent.Question, of app: AppID, limit: Int
    ) async throws -> PeopleOfEvent {
        let range = try question.range(at: clock.now)
        var page = PeopleOfEvent(after: question.after)
        var isComplete = false
        while !isComplete, page.looked < Self.eventsOfPeople {
            let former = page
            (page, isComplete) = try await store.read { ledger in
                var page = former
                let found = try ledger.events(
                    of: app, question.kind, during: range, after: former.next, limit: Self.peopleAtOnce)
                for event in found {
                    if question.reason.map({ $0 == event.fact.reason }) ?? true {
                        let user = try event.user(in: ledger)
                        guard page.add(event, of: user, limit: limit) else { return (page, true) }
                    }
                    page.looked += 1
                    page.next = EventPlace(at: event.at, id: event.id)
                }
                if found.count < Self.peopleAtOnce { page.next = nil }
                return (page, found.count < Self.peopleAtOnce)
            }
        }
        return page
    }
}

extension Event {
    /// The user of its device at that time; nil if the device had none, or has another one now (R12).
    func user(in ledger: any Ledger) throws -> String? {
        guard let device = try device.flatMap({ try ledger.device($0) }) else { return nil }
        return device.userSince.map { $0 <= at } ?? true ? device.user : nil
    }
}
