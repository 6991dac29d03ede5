import EyotContract
import EyotDomain

extension LedgerCheck {
    static let planning = [
        LedgerCheck("What a start asks of devices is read together, in their order") { ledger in
            let rows = ConformanceRows(ledger: ledger)
            let app = try rows.app()
            let devices = try ["a", "b", "c", "d"].map { try rows.device($0, in: app) }
            let token = StartToken(
                device: devices[1].id, type: "T", token: try rows.token(1), environment: .production, setAt: .after(1))
            var dead = token
            (dead.device, dead.token) = (devices[2].id, try rows.token(2))
            dead.death = TokenDeath(reason: .unregistered, isQuarantine: false)
            for each in [token, dead] { try ledger.put(each, in: app) }
            let wanted = try devices[1...].map { StartCandidate($0, try ledger.startToken(of: $0.id, type: "T")) }
            let ids = devices[1].id.rawValue...devices[3].id.rawValue
            try require(ledger.startCandidates(ids, type: "T"), is: wanted, "those that are asked for")
            try require(wanted.map(\.failure), is: [nil, .noStartToken, .noStartToken], "why they get none")
        },
        LedgerCheck("Devices of whom a start is known are told from the others") { ledger in
            let rows = ConformanceRows(ledger: ledger)
            let app = try rows.app()
            let (final, other) = (try rows.activity(in: app), try rows.activity("other", in: app))
            let devices = try ["a", "b", "c", "d", "e"].map { try rows.device($0, in: app).id.rawValue }
            for (ordinal, place) in [(final, 0), (other, 1), (other, 2), (other, 3)].enumerated() {
                let (activity, device) = place
                try ledger.insert(
                    Replica(
                        activity: activity.id, ordinal: max(1, ordinal), device: DeviceID(rawValue: devices[device]),
                        phase: .ended, startsAt: device == 0 ? nil : .after(Int64(ordinal) * 10), createdAt: .after(0)))
            }
            let known = try ledger.devicesWithStarts(
                devices[0]...devices[4], of: final.id, after: .after(10), before: .after(30))
            try require(known, is: [devices[0], devices[2]], "its own, and those within the time")
            let fewer = try ledger.devicesWithStarts(
                devices[1]...devices[2], of: final.id, after: .after(5), before: .after(15))
            try require(fewer, is: [devices[1]], "those between two")
        },
        LedgerCheck("Places that are kept together are as those that are kept one by one") { ledger in
            let rows = ConformanceRows(ledger: ledger)
            let app = try rows.app()
            let activity = try rows.activity(in: app)
            let devices = try (1...260).map { try rows.device("d\($0)", in: app).id }
            var first = Replica(
                activity: activity.id, ordinal: 1, device: devices[0], phase: .starting, lease: Lease(version: 3),
                startsAt: .after(5), createdAt: .after(4))
            (first.scopedState, first.alertedVersion) = (3, 2)
            try ledger.insert(places: devices, like: first)
            let wanted = devices.enumerated().map { first.place($0 + 1, for: $1) }
            try require(ledger.replicas(of: activity.id, after: 0, limit: 1_000), is: wanted, "the places")
            try require(ledger.exceptions(onPage: 0, of: activity.id), is: wanted, "on their page")
            try ledger.insert(places: [], like: first)
        },
    ]
}
