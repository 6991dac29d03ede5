import EyotContract
import EyotDomain

extension LedgerCheck {
    private static func arrival(
        on device: Device, _ ordinal: Int = 1, of activity: Activity, _ rows: ConformanceRows
    ) throws -> Arrival {
        Arrival(
            id: 0, app: device.app, device: device.id, epoch: 2, sequence: 9, activity: activity.id, ordinal: ordinal,
            instance: "ü",
            token: try rows.token(UInt8(ordinal)), environment: .production, answeredAt: .after(3), answerSecond: 4,
            accepted: 6, lastSecond: 7)
    }

    private static func requireRingCard(of replica: Replica, on device: Device, _ ledger: any Ledger) throws {
        guard let card = try ledger.ringCard(ofInstance: "i", on: device.id) else { throw Violation("it is not found") }
        try require(card.reporter, is: Reporter(device), "the phone")
        // Fields that an arrival may lack.
        var found = card.replica
        (found.token, found.alertedVersion, found.scopedAlert) = (
            replica.token, replica.alertedVersion, replica.scopedAlert
        )
        (found.startsAt, found.isPardoned, found.following) = (
            replica.startsAt, replica.isPardoned, replica.following
        )
        try require(found, is: replica, "the card")
    }

    static let arrivals = [
        LedgerCheck("An arrival is kept whole, and each device finds its own") { ledger in
            let rows = ConformanceRows(ledger: ledger)
            let app = try rows.app()
            let activity = try rows.activity(in: app)
            let (one, two) = (try rows.device("one", in: app), try rows.device("two", in: app))
            var first = try arrival(on: one, of: activity, rows)
            try ledger.append([
                first, try arrival(on: two, 7, of: activity, rows), try arrival(on: one, 2, of: activity, rows),
            ])
            let places = try ledger.arrivalPlaces(of: app, limit: 10)
            first.id = places.first?.id ?? 0
            try require(places.map(\.ordinal), is: [1, 7, 2], "their ordinals")
            try require(places.map(\.activity), is: Array(repeating: activity.id, count: 3), "their activities")
            try require(places.map(\.device), is: [one.id, two.id, one.id], "their devices")
            try require(
                ledger.arrivalPlaces(of: try rows.app("two"), limit: 9).map(\.id), is: [], "another app's")
            try require(ledger.arrivalPlaces(of: app, limit: 1).map(\.id), is: [first.id], "the oldest one")
            try require(ledger.arrival(first.id), is: first, "by its id")
            try require(
                ledger.arrivals(of: one.id).map(\.id), is: [places[0].id, places[2].id],
                "one device's, the oldest first")
            try require(ledger.arrivals(of: one.id).first, is: first, "by its device")
            try require(ledger.arrivals(of: two.id).map(\.id), is: [places[1].id], "the other device's")
            (first.token, first.instance) = (nil, "without a token")
            first.digest = StateDigest(of: ["n": 1])
            try ledger.append([first])
            try require(
                ledger.arrivals(of: one.id).last?.digest, is: first.digest, "what the card shows, by its digest")
            try require(ledger.arrivals(of: one.id).last?.token, is: nil, "the token of a card without one")
        },
        LedgerCheck("An arrival that is removed is gone, and its id is not given again") { ledger in
            let rows = ConformanceRows(ledger: ledger)
            let app = try rows.app()
            let activity = try rows.activity(in: app)
            let device = try rows.device("one", in: app)
            try require(ledger.arrivalSpan(), is: 0, "an empty log")
            let arrival = try arrival(on: device, of: activity, rows)
            var ids: [Int64] = []
            for _ in 1...2 {
                try ledger.append([arrival])
                try require(ledger.arrivalSpan(), is: 1, "one")
                try require(ledger.arrivalSpan(of: app), is: 1, "one of the app")
                try require(ledger.arrivalSpan(of: AppID(rawValue: app.rawValue + 1)), is: 0, "none of another")
                ids += try ledger.arrivalPlaces(of: app, limit: 10).map(\.id)
                try ledger.removeArrivals(ids)
            }
            try require(Set(ids).count, is: 2, "ids")
            try require(ledger.arrivals(of: device.id), is: [], "the device's")
        },
        LedgerCheck("Many arrivals are kept in their order, and a part of them is removed") { ledger in
            let rows = ConformanceRows(ledger: ledger)
            let app = try rows.app()
            let activity = try rows.activity(in: app)
            let device = try rows.device("one", in: app)
            let ordinals = Array(1...37)
            try ledger.append(ordinals.map { try arrival(on: device, $0, of: activity, rows) })
            let places = try ledger.arrivalPlaces(of: app, limit: 99)
            try require(places.map(\.ordinal), is: ordinals, "all")
            try require(
                ledger.arrivals(of: device.id).map(\.token), is: ordinals.map { try rows.token(UInt8($0)) },
                "their tokens")
            let leaving = Set([36, 3, 4, 5, 20].map { places[$0 - 1].id })
            try ledger.removeArrivals(leaving.shuffled())
            let left = try ledger.arrivalPlaces(of: app, limit: 99).map(\.id)
            try require(left, is: places.map(\.id).filter { !leaving.contains($0) }, "those that are left")
        },
        LedgerCheck("A card of the ring is found with its phone, as far as an answer needs them") { ledger in
            let rows = ConformanceRows(ledger: ledger)
            let app = try rows.app()
            var device = try rows.device("one", in: app)
            device.permissions.frequentPushes.toggle()
            (device.epoch, device.sequence) = (3, 5)
            try ledger.update(device)
            let activity = try rows.activity(in: app)
            try rows.replica(1, of: activity, on: device) { replica in
                (replica.phase, replica.instance) = (.live, "i")
                replica.token = UpdateToken(
                    token: try rows.token(1), environment: .sandbox, version: 1, setAt: .after(1))
                (replica.acceptedVersion, replica.scopedState, replica.lastSecond) = (2, 4, 6)
            }
            let steps: [(inout Replica) -> Void] = [
                { _ in }, { $0.appearedAt = .after(2) }, { $0.locallyChanged = 3 }, { $0.isPardoned = true },
            ]
            for step in steps {
                guard var replica = try ledger.replica(1, of: activity.id) else { throw Violation("it is gone") }
                step(&replica)
                try ledger.update(replica)
                try requireRingCard(of: replica, on: device, ledger)
            }
            var page = RingPage(activity: activity.id, number: 0)
            (page.taken, page.credit.accepted, page.credit.lastSecond, page.credit.spacedSecond) = (1, 9, 11, 10)
            for settled in 0...1 {
                page.settled = settled
                try ledger.put(page)
                guard let replica = try ledger.replica(1, of: activity.id) else { throw Violation("it is gone") }
                try require(replica.acceptedVersion, is: settled == 1 ? 9 : 2, "what it has")
                try requireRingCard(of: replica, on: device, ledger)
            }
            try require(ledger.ringCard(ofInstance: "j", on: device.id), is: nil, "another instance")
            try require(
                ledger.ringCard(ofInstance: "i", on: rows.device("two", in: app).id), is: nil, "another phone's")
            page.credit.isEnd = true
            try ledger.put(page)
            try require(ledger.ringCard(ofInstance: "i", on: device.id), is: nil, "one that has ended")
            page.credit.isEnd = false
            try ledger.put(page)
            guard var replica = try ledger.replica(1, of: activity.id) else { throw Violation("it is gone") }
            replica.retry = Retry(attempts: 1, notBefore: .after(9), version: nil)
            try ledger.update(replica)
            try require(ledger.ringCard(ofInstance: "i", on: device.id), is: nil, "one in no ring")
        },
        LedgerCheck("A device's reports count once, and in their order") { ledger in
            let rows = ConformanceRows(ledger: ledger)
            var device = try rows.device("one", in: rows.app())
            (device.epoch, device.sequence) = (2, 5)
            try ledger.update(device)
            try require(ledger.advance(device.id, epoch: 2, to: 5, at: .after(9)), is: false, "the same again")
            try require(ledger.advance(device.id, epoch: 1, to: 9, at: .after(9)), is: false, "a former epoch")
            try require(ledger.device(device.id), is: device, "the device")
            try require(ledger.advance(device.id, epoch: 2, to: 7, at: .after(9)), is: true, "a newer one")
            (device.sequence, device.seenAt) = (7, .after(9))
            try require(ledger.device(device.id), is: device, "the device")
        },
        LedgerCheck("A replica that is written beside what it was is kept whole") { ledger in
            let rows = ConformanceRows(ledger: ledger)
            let app = try rows.app()
            let (activity, device) = (try rows.activity(in: app), try rows.device("one", in: app))
            var former = try rows.replica(1, of: activity, on: device)
            let steps: [(inout Replica) throws -> Void] = [
                { $0.lastSecond = 7 }, { $0.instance = "i" },
                { replica in
                    replica.phase = .live
                    replica.token = UpdateToken(
                        token: try rows.token(1), environment: .sandbox, version: 1, setAt: .after(1))
                },
                { $0.token?.suspicion = .badDeviceToken }, { $0.scopedState = 8 }, { $0.appearedAt = .after(2) },
                { $0.phase = .ended },
            ]
            for step in steps {
                var replica = former
                try step(&replica)
                try ledger.update(replica, from: former)
                try require(ledger.replica(1, of: activity.id), is: replica, "the replica")
                former = replica
            }
            try require(ledger.suspectReplicas(in: app, limit: 9).count, is: 1, "suspects")
        },
        LedgerCheck("A replica that its page has ended stays ended when it is written beside what it was") { ledger in
            let rows = ConformanceRows(ledger: ledger)
            let app = try rows.app()
            let (activity, device) = (try rows.activity(in: app), try rows.device("one", in: app))
            try rows.replica(1, of: activity, on: device) { replica in
                replica.phase = .live
                replica.token = UpdateToken(
                    token: try rows.token(1), environment: .sandbox, version: 1, setAt: .after(1))
            }
            var page = RingPage(activity: activity.id, number: 0)
            (page.taken, page.settled, page.credit.isEnd) = (1, 1, true)
            try ledger.put(page)
            guard let former = try ledger.replica(1, of: activity.id) else { throw Violation("it is gone") }
            var replica = former
            replica.lastSecond += 1
            try ledger.update(replica, from: former)
            try require(ledger.replica(1, of: activity.id), is: replica, "the replica")
        },
    ]
}
