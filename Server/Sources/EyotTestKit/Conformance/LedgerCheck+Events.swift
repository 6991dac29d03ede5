import EyotDomain

extension LedgerCheck {
    static let events = [
        LedgerCheck("Events are found by app, activity and device, from both ends, and keep their order") { ledger in
            let rows = ConformanceRows(ledger: ledger)
            let (one, two) = (try rows.app("one"), try rows.app("two"))
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
            for event in all { try ledger.record(event) }
            func read(_ app: AppID, _ about: EventSubject, after id: Int64 = 0, _ limit: Int = 9) throws -> [Instant] {
                try ledger.events(of: app, about: about, after: id, limit: limit).map(\.at)
            }
            func latest(_ app: AppID, _ about: EventSubject, before id: Int64, _ limit: Int = 9) throws -> [Instant] {
                try ledger.newestEvents(of: app, about: about, before: id, limit: limit).map(\.at)
            }
            let stored = try ledger.events(of: one, about: .app, after: 0, limit: 9)
            var bare = stored
            for index in bare.indices { bare[index].id = 0 }
            try require(bare, is: [all[0], all[2], all[3], all[5]], "as they were recorded")
            try require(stored.map(\.id), is: stored.map(\.id).sorted(), "rising ids")
            try require(read(one, .app, after: stored[1].id), is: [.after(4), .after(6)], "after an id")
            try require(read(one, .app, 1), is: [.after(1)], "up to a limit")
            try require(read(one, .activity(match)), is: [.after(3), .after(4), .after(6)], "of an activity")
            try require(read(two, .device(phone)), is: [.after(5)], "of a device, in its app")
            try require(latest(one, .app, before: .max, 2), is: [.after(6), .after(4)], "newest first")
            try require(
                latest(one, .activity(match), before: stored[3].id), is: [.after(4), .after(3)], "before an id")
            try require(latest(one, .device(phone), before: stored[2].id), is: [], "none before the first")
        },
        LedgerCheck("Events of a kind come in the order of their moments, within a range and after a place") { ledger in
            let rows = ConformanceRows(ledger: ledger)
            let (one, two) = (try rows.app("one"), try rows.app("two"))
            for (app, second) in [(one, 5), (one, 3), (two, 3), (one, 3), (one, 9)] {
                try ledger.record(Event(app: app, at: .after(Int64(second)), Fact(.cardEnded)))
            }
            try ledger.record(Event(app: one, at: .after(4), Fact(.cardDismissed)))
            func read(_ range: Range<Instant>, after place: EventPlace? = nil, _ limit: Int = 9) throws -> [Event] {
                try ledger.events(of: one, .cardEnded, during: range, after: place, limit: limit)
            }
            let all = try read(.after(3)..<(.after(9)))
            try require(all.map(\.at), is: [.after(3), .after(3), .after(5)], "in order, without the end")
            try require(all.map(\.id), is: [2, 4, 1], "of the app")
            let place = EventPlace(at: all[0].at, id: all[0].id)
            try require(try read(.after(3)..<(.after(9)), after: place).map(\.id), is: [4, 1], "after a place")
            try require(try read(.after(3)..<(.after(9)), 1).map(\.id), is: [2], "up to a limit")
        },
        LedgerCheck("An event keeps the fingerprint of a token, and its operation") { ledger in
            let rows = ConformanceRows(ledger: ledger)
            let app = try rows.app("one")
            var event = Event(app: app, at: .after(1), Fact(.startTokenSet, token: try rows.token(9)))
            event.operation = 7
            try ledger.record(event)
            let stored = try ledger.events(of: app, about: .app, after: 0, limit: 9).first
            event.id = stored?.id ?? 0
            try require(stored, is: event, "as it was recorded")
        },
        LedgerCheck("The newest echo of a card is kept, and goes with its replica") { ledger in
            let rows = ConformanceRows(ledger: ledger)
            let app = try rows.app("one")
            let device = try rows.device("phone", in: app)
            let owner = try rows.activity(in: app)
            for ordinal in 1...2 { try rows.replica(ordinal, of: owner, on: device) }
            let activity = owner.id
            func echo(_ ordinal: Int, _ version: Version) -> Echo {
                Echo(activity: activity, ordinal: ordinal, version: version, at: .after(Int64(version)))
            }
            for one in [echo(1, 3), echo(2, 4), echo(1, 5)] { try ledger.put(one) }
            try require(ledger.echo(of: activity, ordinal: 1), is: echo(1, 5), "the newest")
            try require(ledger.echo(of: activity, ordinal: 3), is: nil, "of no card")
            try ledger.removeEcho(of: activity, ordinal: 1)
            try require(ledger.echo(of: activity, ordinal: 1), is: nil, "removed")
            _ = try ledger.removeReplicas(of: activity, limit: 1)
            try require(ledger.echo(of: activity, ordinal: 2), is: nil, "gone with the replica")
        },
        LedgerCheck("Old events go first, and those of a forgotten device go at once") { ledger in
            let app = try ConformanceRows(ledger: ledger).app("one")
            let phone = DeviceID(rawValue: 9)
            for second in 1...4 {
                let device = second % 2 == 0 ? phone : nil
                try ledger.record(Event(app: app, at: .after(Int64(second)), Fact(.cardEnded), device: device))
            }
            func left() throws -> [Instant] { try ledger.events(of: app, about: .app, after: 0, limit: 9).map(\.at) }
            try require(ledger.removeEvents(before: .after(3), limit: 1), is: 1, "up to the limit")
            try require(ledger.removeEvents(before: .after(3), limit: 9), is: 1, "the rest")
            try require(left(), is: [.after(3), .after(4)], "not old enough")
            try require(ledger.removeEvents(of: phone, limit: 9), is: 1, "of the device")
            try require(left(), is: [.after(3)], "of others")
            try ledger.record(Event(app: app, at: .after(5), Fact(.cardEnded)))
            try require(try ledger.events(of: app, about: .app, after: 4, limit: 9).count, is: 1, "no id twice")
        },
    ]
}
