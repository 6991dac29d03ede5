import EyotDomain

extension LedgerCheck {
    static let overview = [
        LedgerCheck("Running activities are listed by their places, with their cards, up to a limit") { ledger in
            let rows = ConformanceRows(ledger: ledger)
            let (app, other) = (try rows.app("one"), try rows.app("two"))
            var all = try ["a", "b", "c", "d"].map { try rows.activity($0, in: app) }
            _ = try rows.activity("a", in: other)
            for (index, places) in [3, 8, 8, 20].enumerated() { all[index].nextOrdinal = places + 1 }
            (all[3].end, all[3].endedAt) = (1, .after(9))
            all[3].version = 1
            for activity in all { try ledger.update(activity) }
            for (word, count) in [("live", 5), ("waitingForAllow", 2), ("ended", 4)] {
                try ledger.add(count, to: CountKey(app: app, activity: all[1].id, .phase, word))
            }
            let found = try ledger.runningActivities(of: app, limit: 9)
            try require(found.map(\.id), is: [all[2].id, all[1].id, all[0].id], "most places first")
            try require(found.map(\.places), is: [8, 8, 3], "places")
            try require(found.map(\.cards), is: [0, 7, 0], "cards that run")
            try require(found.map(\.type), is: [all[2].type, all[1].type, all[0].type], "types")
            try require(ledger.runningActivities(of: app, limit: 1).map(\.id), is: [all[2].id], "up to a limit")
        },
        LedgerCheck("Halted and planned activities are found, unless they have ended") { ledger in
            let rows = ConformanceRows(ledger: ledger)
            let app = try rows.app("one")
            var all = try ["a", "b", "c", "d"].map { try rows.activity($0, in: app) }
            for index in [0, 2, 3] {
                all[index].haltedAt = .after(1)
                all[index].startsAt = .after(Int64(100 - index))
            }
            (all[3].end, all[3].endedAt, all[3].version) = (1, .after(9), 1)
            for activity in all { try ledger.update(activity) }
            try require(ledger.haltedActivities(of: app, limit: 9), is: [all[2].id, all[0].id], "the newest first")
            try require(ledger.haltedActivities(of: app, limit: 1), is: [all[2].id], "up to a limit")
            func planned(_ after: Int64, _ upTo: Int64, _ limit: Int = 9) throws -> [ActivityID] {
                try ledger.plannedActivities(of: app, after: .after(after), upTo: .after(upTo), limit: limit)
            }
            try require(planned(0, 100), is: [all[2].id, all[0].id], "soonest first")
            try require(planned(98, 100), is: [all[0].id], "after a moment")
            try require(planned(0, 99), is: [all[2].id], "up to a moment")
            try require(planned(0, 100, 1), is: [all[2].id], "up to a limit")
        },
        LedgerCheck("Activities and kept reports are listed from the newest") { ledger in
            let rows = ConformanceRows(ledger: ledger)
            let (app, other) = (try rows.app("one"), try rows.app("two"))
            let all = try ["a", "b", "c"].map { try rows.activity($0, in: app) }
            _ = try rows.activity("a", in: other)
            try require(ledger.newestActivities(of: app, before: nil, limit: 2), is: [all[2], all[1]], "the newest")
            try require(ledger.newestActivities(of: app, before: all[1].id, limit: 2), is: [all[0]], "the rest")
            let reports = all.map { KeptReport(of: $0, keptSince: .after(5)) }
            for report in reports { try ledger.put(report) }
            try require(ledger.newestReports(of: app, before: nil, limit: 2), is: [reports[2], reports[1]], "reports")
            try require(ledger.newestReports(of: app, before: all[1].id, limit: 2), is: [reports[0]], "older ones")
            try require(ledger.newestReports(of: other, before: nil, limit: 2), is: [], "of another app")
        },
        LedgerCheck("The numbers of one counter are found by their time") { ledger in
            let app = try ConformanceRows(ledger: ledger).app("one")
            let id = ActivityID(rawValue: 7)
            let keys = [100, 110, 120].map { second in
                CountKey(
                    app: app, activity: id, .longestAccepted, in: CountSpan(width: 10, second: second))
            }
            for key in keys { try ledger.add(5, to: key) }
            var other = keys[0]
            other.counter = .accepted
            try ledger.add(5, to: other)
            func found(_ seconds: Range<Int>, _ limit: Int = 9) throws -> [CountKey] {
                let range = CountRange(app: app, activity: id, width: 10, seconds: seconds)
                return try ledger.counts(of: .longestAccepted, in: range, limit: limit).map(\.key)
            }
            try require(found(100..<121), is: keys, "in the order of time")
            try require(found(101..<120), is: [keys[1]], "in the range")
            try require(found(100..<121, 1), is: [keys[0]], "up to a limit")
        },
    ]
}
