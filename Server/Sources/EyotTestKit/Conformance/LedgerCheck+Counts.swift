import EyotDomain

extension LedgerCheck {
    private static let match = ActivityID(rawValue: 7)

    static let counts = [
        LedgerCheck("Kept numbers add up, the longest age stays, and each activity has its own") { ledger in
            let app = try ConformanceRows(ledger: ledger).app("one")
            let place = { CountKey(app: app, activity: $0, $1, $2, in: $3) }
            let (early, late) = (CountSpan(width: 10, second: 100), CountSpan(width: 10, second: 110))
            let all = [
                place(match, .accepted, "", early), place(match, .accepted, "", late),
                place(match, .phase, "live", .life),
                place(ActivityID(rawValue: 8), .accepted, "", early), place(match, .longestAccepted, "", early),
            ]
            for key in all { try ledger.add(5, to: key) }
            for key in all { try ledger.add(3, to: key) }
            for key in all.dropLast() { try require(ledger.count(at: key), is: 8, "the sum of \(key.counter.name)") }
            try require(ledger.count(at: all[4]), is: 5, "the highest")
            try require(ledger.count(at: place(match, .ended, "", early)), is: nil, "never added to")
            let found = try ledger.counts(of: match, in: app, limit: 9).map(\.key)
            try require(found, is: [all[2], all[4], all[0], all[1]], "in order")
            try require(ledger.counts(of: match, in: app, limit: 2).count, is: 2, "up to a limit")
            try require(ledger.counts(of: .phase, of: match, in: app), is: ["live": 8], "by detail")
            let old = try ledger.counts(ofWidth: 10, before: 110, limit: 9)
            try require(Set(old.map(\.key)), is: [all[0], all[3], all[4]], "before a second")
            try require(ledger.counts(ofWidth: 10, before: 200, limit: 9).last?.key, is: all[1], "oldest first")
            try ledger.removeCount(at: all[0])
            try require(ledger.count(at: all[0]), is: nil, "removed")
            try require(ledger.removeCounts(of: match, in: app, limit: 2), is: 2, "up to the limit")
            try require(ledger.removeCounts(of: match, in: app, limit: 2), is: 1, "the rest")
            try require(ledger.count(at: all[3]), is: 8, "of another activity")
        },
        LedgerCheck("Numbers of one width are read by a range of seconds, and those of the app go by their age") {
            ledger in
            let rows = ConformanceRows(ledger: ledger)
            let (one, two) = (try rows.app("one"), try rows.app("two"))
            func place(_ app: AppID, _ activity: ActivityID, _ width: Int, _ second: Int) -> CountKey {
                CountKey(
                    app: app, activity: activity, KeptCounter(.cardEnded), in: CountSpan(width: width, second: second))
            }
            let hours = [0, 3_600, 7_200].map { place(one, .wholeApp, 3_600, $0) }
            let others = [
                place(one, match, 3_600, 0), place(two, .wholeApp, 3_600, 0), place(one, .wholeApp, 86_400, 0),
            ]
            for key in hours + others { try ledger.add(1, to: key) }
            func read(_ seconds: Range<Int>, _ limit: Int = 9) throws -> [CountKey] {
                try ledger.counts(of: .wholeApp, in: one, width: 3_600, beginning: seconds, limit: limit).map(\.key)
            }
            try require(read(0..<7_200), is: Array(hours.prefix(2)), "within the range")
            try require(read(1..<9_999, 1), is: [hours[1]], "up to a limit")
            func remove(_ limit: Int) throws -> Int {
                try ledger.removeCounts(forApp: one, width: 3_600, before: 7_200, limit: limit)
            }
            try require(remove(1), is: 1, "up to the limit")
            try require(remove(9), is: 1, "the rest")
            try require(read(0..<9_999), is: [hours[2]], "not old enough")
            for key in others { try require(ledger.count(at: key), is: 1, "another number") }
        },
        LedgerCheck("Details beyond the limit count as others, and a state that none has leaves room") { ledger in
            let app = try ConformanceRows(ledger: ledger).app("one")
            let counter = KeptCounter(.cardAppeared, by: .build)
            let limit = counter.detailLimit ?? 0
            func key(_ detail: String, _ counter: KeptCounter) -> CountKey {
                CountKey(app: app, activity: match, counter, detail)
            }
            for number in 0..<limit + 3 { ledger.counted.add(2, to: key("\(number + 100)", counter)) }
            try ledger.storeCounts()
            try require(ledger.counted.isEmpty, "something is left to store")
            ledger.counted.add(1, to: key("100", counter))
            ledger.counted.add(1, to: key("999", counter))
            try ledger.storeCounts()
            let found = try ledger.counts(of: counter, of: match, in: app)
            try require(found.count, is: limit + 1, "details")
            try require(found["100"], is: 3, "a known one")
            try require(found[KeptCounter.otherDetail], is: 7, "the others")
            for (version, change) in [("1", 2), ("2", 1), ("1", -2)] {
                ledger.counted.add(change, to: key(version, .showing))
                try ledger.storeCounts()
            }
            try require(ledger.counts(of: .showing, of: match, in: app), is: ["2": 1], "what is shown")
        },
        LedgerCheck("The report of an activity that is gone is found by its name, until its time is over") { ledger in
            let rows = ConformanceRows(ledger: ledger)
            let app = try rows.app("one")
            var reports: [KeptReport] = []
            for generation in 1...3 {
                var activity = try ledger.insertActivity(
                    named: "m", in: app, generation: generation, type: nil, at: .after(1))
                (activity.version, activity.common.state, activity.endedAt) = (4, 3, .after(2))
                reports.append(KeptReport(of: activity, keptSince: .after(Int64(generation) * 10)))
            }
            for report in reports { try ledger.put(report) }
            try ledger.put(reports[1])
            try require(ledger.keptReports(named: "m", in: app, limit: 2), is: [reports[2], reports[1]], "by name")
            try require(ledger.keptReports(named: "n", in: app, limit: 2), is: [], "of another name")
            try require(ledger.keptReports(since: .after(30), limit: 9), is: [reports[0], reports[1]], "old ones")
            try ledger.removeKeptReport(of: reports[2].activity)
            try require(ledger.keptReports(named: "m", in: app, limit: 1), is: [reports[1]], "the newest that is left")
        },
    ]
}
