import EyotDomain

/// Events in a store, each recorded in a transaction of its own. Those of a transaction that has not ended are in no
/// reader's feed, so these are no checks of a ledger.
private struct Feed {
    let store: any Store
    let one: AppID
    let two: AppID

    init(_ store: any Store) async throws {
        self.store = store
        (one, two) = try await store.write { ledger in
            let rows = ConformanceRows(ledger: ledger)
            return (try rows.app("one"), try rows.app("two"))
        }
    }

    /// Records an event, and waits until readers see it. Transactions of others may keep it back for a while.
    func record(_ event: Event) async throws {
        try await store.write { try $0.record(event) }
        let recorded = try await allOfKind(event)
        while try await newest(event.app) < recorded {
            try Task.checkCancellation()
            await Task.yield()
        }
    }

    /// The highest id of the events of the kind, seen or not.
    private func allOfKind(_ event: Event) async throws -> Int64 {
        let range = Instant(microseconds: 0)..<Instant(microseconds: .max)
        return try await store.read {
            try $0.events(of: event.app, event.fact.kind, during: range, after: nil, limit: 999).map(\.id).max() ?? 0
        }
    }

    private func newest(_ app: AppID) async throws -> Int64 {
        try await store.read { try $0.newestEvents(of: app, about: .app, before: .max, limit: 1).first?.id ?? 0 }
    }

    func events(_ app: AppID, _ about: EventSubject = .app, after id: Int64 = 0, _ limit: Int = 9) async throws
        -> [Event]
    {
        try await store.read { try $0.events(of: app, about: about, after: id, limit: limit) }
    }

    func moments(_ app: AppID, _ about: EventSubject, after id: Int64 = 0, _ limit: Int = 9) async throws -> [Instant] {
        try await events(app, about, after: id, limit).map(\.at)
    }

    func newest(_ app: AppID, _ about: EventSubject, before id: Int64, _ limit: Int = 9) async throws -> [Instant] {
        try await store.read { try $0.newestEvents(of: app, about: about, before: id, limit: limit) }.map(\.at)
    }

    /// The ids of the next entries of the record, of events and of what Apple accepted.
    func entries(_ app: AppID, after id: Int64, _ limit: Int) async throws -> [Int64] {
        try await store.read { ledger in
            let events = try ledger.events(of: app, about: .app, after: id, limit: limit).map(\.id)
            return (events + (try ledger.acceptances(after: id, limit: limit).map(\.id))).sorted().prefix(limit)
        }.map(\.self)
    }

    func ofKind(_ range: Range<Instant>, after place: EventPlace? = nil, _ limit: Int = 9) async throws -> [Event] {
        let app = one
        return try await store.read {
            try $0.events(of: app, .cardEnded, during: range, after: place, limit: limit)
        }
    }
}

extension StoreCheck {
    package static let events = [
        StoreCheck("Events are found by app, activity and device, from both ends, and keep their order") { store in
            let feed = try await Feed(store)
            let (one, two) = (feed.one, feed.two)
            let (match, phone) = (ActivityID(rawValue: 7), DeviceID(rawValue: 9))
            func event(_ app: AppID, _ kind: EventKind, _ second: Int64, _ about: EventSubject = .app) -> Event {
                var event = Event(app: app, at: .after(second), Fact(kind, version: 3, reason: "why"))
                if case .activity(let id) = about { event.activity = id }
                if case .device(let id) = about { (event.activity, event.ordinal, event.device) = (match, 2, id) }
                return event
            }
            let all = [
                event(one, .appPaused, 1), event(two, .appPaused, 2),
                event(one, .activityDeclared, 3, .activity(match)),
                event(one, .cardAppeared, 4, .device(phone)), event(two, .cardAppeared, 5, .device(phone)),
                event(one, .cardDismissed, 6, .device(phone)),
            ]
            for event in all { try await feed.record(event) }
            let stored = try await feed.events(one)
            var bare = stored
            for index in bare.indices { bare[index].id = 0 }
            try require(bare, is: [all[0], all[2], all[3], all[5]], "as they were recorded")
            try require(stored.map(\.id), is: stored.map(\.id).sorted(), "rising ids")
            try require(await feed.moments(one, .app, after: stored[1].id), is: [.after(4), .after(6)], "after an id")
            try require(await feed.moments(one, .app, 1), is: [.after(1)], "up to a limit")
            let ofActivity = try await feed.moments(one, .activity(match))
            try require(ofActivity, is: [.after(3), .after(4), .after(6)], "of an activity")
            try require(await feed.moments(two, .device(phone)), is: [.after(5)], "of a device, in its app")
            try require(await feed.newest(one, .app, before: .max, 2), is: [.after(6), .after(4)], "newest first")
            let before = try await feed.newest(one, .activity(match), before: stored[3].id)
            try require(before, is: [.after(4), .after(3)], "before an id")
            try require(await feed.newest(one, .device(phone), before: stored[2].id), is: [], "none before the first")
        },
        StoreCheck("Events of a kind come in the order of their moments, within a range and after a place") { store in
            let feed = try await Feed(store)
            let one = feed.one
            for (app, second) in [(one, 5), (one, 3), (feed.two, 3), (one, 3), (one, 9)] {
                try await feed.record(Event(app: app, at: .after(Int64(second)), Fact(.cardEnded)))
            }
            try await feed.record(Event(app: one, at: .after(4), Fact(.cardDismissed)))
            let recorded = try await feed.events(one).map(\.id)
            let range = Instant.after(3)..<(.after(9))
            let all = try await feed.ofKind(range)
            try require(all.map(\.at), is: [.after(3), .after(3), .after(5)], "in order, without the end")
            try require(all.map(\.id), is: [recorded[1], recorded[2], recorded[0]], "of the app")
            let place = EventPlace(at: all[0].at, id: all[0].id)
            try require(
                await feed.ofKind(range, after: place).map(\.id), is: [recorded[2], recorded[0]], "after a place")
            try require(await feed.ofKind(range, 1).map(\.id), is: [recorded[1]], "up to a limit")
        },
        StoreCheck("Old events go first, and those of a forgotten device go at once") { store in
            let feed = try await Feed(store)
            let (one, phone) = (feed.one, DeviceID(rawValue: 9))
            for second in 1...4 {
                let device = second % 2 == 0 ? phone : nil
                try await feed.record(Event(app: one, at: .after(Int64(second)), Fact(.cardEnded), device: device))
            }
            let last = try await feed.events(one).last?.id ?? 0
            try require(
                await store.write { try $0.removeEvents(before: .after(3), limit: 1) }, is: 1, "up to the limit")
            try require(await store.write { try $0.removeEvents(before: .after(3), limit: 9) }, is: 1, "the rest")
            try require(await feed.moments(one, .app), is: [.after(3), .after(4)], "not old enough")
            try require(await store.write { try $0.removeEvents(of: phone, limit: 9) }, is: 1, "of the device")
            try require(await feed.moments(one, .app), is: [.after(3)], "of others")
            try await feed.record(Event(app: one, at: .after(5), Fact(.cardEnded)))
            try require(await feed.events(one, after: last).count, is: 1, "no id twice")
        },
        StoreCheck("An event keeps the fingerprint of a token, and its operation") { store in
            let feed = try await Feed(store)
            let token = try await store.read { try ConformanceRows(ledger: $0).token(9) }
            var event = Event(app: feed.one, at: .after(1), Fact(.startTokenSet, token: token))
            event.operation = 7
            try await feed.record(event)
            let stored = try await feed.events(feed.one).first
            event.id = stored?.id ?? 0
            try require(stored, is: event, "as it was recorded")
        },
        neverSkipsLateEvents,
    ]

    /// Fails if a reader that has seen an event may miss one that a slower transaction recorded before. What Apple
    /// accepted has its ids among those of events.
    package static let neverSkipsLateEvents = StoreCheck("A reader of events never skips one that is committed late") {
        store in
        let feed = try await Feed(store)
        let (writers, rounds) = (8, 25)
        let app = feed.one
        try await withThrowingTaskGroup { group in
            for writer in 0..<writers {
                group.addTask {
                    for round in 0..<rounds {
                        try await store.write { ledger in
                            if writer.isMultiple(of: 2) {
                                try ledger.record(Event(app: app, at: .after(Int64(round)), Fact(.cardEnded)))
                            } else {
                                try ledger.record(accepted(at: .after(Int64(round))))
                            }
                            // Some transactions take longer than others.
                            for _ in 0..<(writer * 10) { _ = try ledger.app(app) }
                        }
                    }
                }
            }
            var (cursor, seen): (Int64, Set<Int64>) = (0, [])
            while seen.count < writers * rounds {
                let entries = try await feed.entries(app, after: cursor, 100)
                cursor = entries.last ?? cursor
                seen.formUnion(entries)
                let all = try await feed.entries(app, after: 0, 999)
                let skipped = Set(all.filter { $0 <= cursor }).subtracting(seen)
                try require(skipped.isEmpty, "\(skipped.count) events came below what was read")
                try require(Set(all).count == all.count, "two entries have one id")
                try Task.checkCancellation()
            }
            try await group.waitForAll()
        }
    }

    private static func accepted(at moment: Instant) -> Acceptances {
        var slots = RingSlots()
        slots.insert(1)
        return Acceptances(
            activity: ActivityID(rawValue: 7), page: 0, at: moment,
            .init(event: .update, version: 1, alertVersion: 0), slots: slots)
    }
}
