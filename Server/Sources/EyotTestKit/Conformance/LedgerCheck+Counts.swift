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
            try ledger.removeCount(at: all[0])
            try require(ledger.count(at: all[0]), is: nil, "removed")
            try require(ledger.count(at: all[4]), is: 5, "another number of the same span")
            try require(ledger.removeCounts(of: match, in: app, limit: 2), is: 2, "up to the limit")
            try require(ledger.removeCounts(of: match, in: app, limit: 2), is: 1, "the rest")
            try require(ledger.count(at: all[3]), is: 8, "of another activity")
        },
        LedgerCheck("Numbers of an activity in a span are stored together, and found by their age") { ledger in
            let app = try ConformanceRows(ledger: ledger).app("one")
            func place(_ activity: Int64, _ second: Int) -> CountPlace {
                CountPlace(
                    app: app, activity: ActivityID(rawValue: activity), span: CountSpan(width: 10, second: second))
            }
            var numbers = SpanNumbers()
            numbers.add(3, to: .accepted, "")
            numbers.add(70, to: .longestAccepted, "")
            numbers.add(2, to: .dismissedAfter, "tab\tand\nline")
            let places = [place(7, 100), place(8, 100), place(7, 110)]
            for place in places.reversed() { try ledger.put(numbers, at: place) }
            try ledger.add(numbers, at: places[0])
            let sums = try ledger.numbers(at: places[0])
            try require(sums[.accepted, ""], is: 6, "the sum")
            try require(sums[.longestAccepted, ""], is: 70, "the highest")
            try require(sums[.dismissedAfter, "tab and line"], is: 4, "without the characters that divide")
            try require(sums[.dismissedAfter, "tab\tand\nline"], is: 4, "found as it was added")
            let key = places[0].key(.accepted, "")
            ledger.counted.add(1, to: key)
            try ledger.storeCounts()
            try require(ledger.count(at: key), is: 7, "as one number")
            func old(_ second: Int, _ limit: Int) throws -> [CountPlace] {
                try ledger.spans(ofWidth: 10, before: second, limit: limit).map(\.place)
            }
            try require(old(110, 9), is: [places[0], places[1]], "before a second")
            try require(old(200, 9), is: places, "oldest first")
            try require(old(200, 1), is: [places[0]], "up to a limit")
            try ledger.put(SpanNumbers(), at: places[0])
            try require(old(110, 9), is: [places[1]], "a place without numbers goes")
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
        LedgerCheck("What writers keep apart has the same limit of details when it is added up") { ledger in
            let rows = ConformanceRows(ledger: ledger)
            let app = try rows.app("one")
            let counter = KeptCounter.adoption(.devices).by(.build)
            let limit = counter.detailLimit ?? 0
            let day = CountSpan(width: CountSpan.day, second: 0)
            func change(_ detail: String, _ value: Int) throws {
                ledger.counted.add(value, to: CountKey(app: app, activity: .ofApp, counter, detail, in: day))
                try ledger.storeCounts()
            }
            func levels() throws -> [String: Int] {
                while try ledger.foldCounts(endedBy: CountSpan.day, limit: 7) == 7 {}
                return try ledger.counts(of: counter, of: .ofApp, in: app)
            }
            for number in 0..<limit { try change("\(number + 100)", 2) }
            try require(levels().count, is: limit, "as many as the limit")
            for detail in ["998", "999"] { try change(detail, 1) }
            try require(levels()[KeptCounter.otherDetail], is: 2, "those beyond the limit")
            // One device goes from another version to a known one, and the last two of a version go.
            for (detail, value) in [("998", -1), ("100", 1), ("101", -1), ("101", -1)] { try change(detail, value) }
            let found = try levels()
            try require(found["100"], is: 3, "a known one")
            try require(found["101"], is: nil, "one that no device has any more")
            try require(found[KeptCounter.otherDetail], is: 1, "the others")
            try require(ledger.foldCounts(endedBy: CountSpan.day, limit: 7), is: 0, "nothing is left")
        },
        LedgerCheck("Types have numbers in their app, and old days of types and apps go") { ledger in
            let rows = ConformanceRows(ledger: ledger)
            let (app, other) = (try rows.app("one"), try rows.app("two"))
            try require(ledger.typeNumber(of: "A", in: app), is: nil, "an unknown type")
            try require(ledger.addType("A", in: app, limit: 2), is: 1, "the first")
            try require(ledger.addType("B", in: app, limit: 2), is: 2, "the second")
            try require(ledger.addType("C", in: app, limit: 2), is: nil, "beyond the limit")
            try require(ledger.addType("B", in: other, limit: 2), is: 1, "of another app")
            try require(ledger.typeNumber(of: "B", in: app), is: 2, "a known type")
            let (early, late) = (
                CountSpan(width: CountSpan.day, second: 0), CountSpan(width: CountSpan.day, second: 86_400)
            )
            let keys = [
                CountKey(app: app, type: 1, .accepted, in: early), CountKey(app: app, type: 1, .accepted, in: late),
                CountKey(app: app, activity: .ofApp, .accepted, in: early),
                CountKey(app: app, activity: match, .accepted, in: early),
            ]
            for key in keys { try ledger.add(1, to: key) }
            let old = try ledger.counts(ofWidth: CountSpan.day, before: 1, limit: 9).map(\.key)
            try require(Set(old).isSubset(of: [keys[0], keys[2]]), is: true, "of types and apps, by their age")
            func range(_ seconds: Range<Int>) -> CountRange {
                CountRange(app: app, activity: .ofType(1), width: CountSpan.day, seconds: seconds)
            }
            try require(ledger.counts(in: range(0..<86_401), limit: 9).map(\.key), is: [keys[0], keys[1]], "a range")
            try require(ledger.counts(in: range(1..<86_401), limit: 9).map(\.key), is: [keys[1]], "its beginning")
            try require(ledger.counts(in: range(0..<86_400), limit: 9).map(\.key), is: [keys[0]], "its end")
            try require(ledger.counts(in: range(0..<86_401), limit: 1).count, is: 1, "up to a limit")
            for key in keys { try ledger.add(2, to: key) }
            _ = try ledger.foldCounts(endedBy: 86_400, limit: 9)
            try require(ledger.foldCounts(endedBy: 86_400, limit: 9), is: 0, "nothing is left to fold")
            for key in keys { try ledger.add(4, to: key) }
            for key in keys { try require(ledger.count(at: key), is: 7, "folded or not") }
            try require(ledger.counts(in: range(0..<86_401), limit: 9).map(\.value), is: [7, 7], "in a range")
            try require(ledger.removeInsights(before: 86_400, limit: 1), is: 1, "up to the limit")
            try require(ledger.removeInsights(before: 86_400, limit: 9), is: 1, "the rest")
            try require(ledger.count(at: keys[1]), is: 7, "a later day")
            try require(ledger.count(at: keys[3]), is: 7, "of an activity")
        },
        LedgerCheck("The updated cards of a page stay until their activity goes") { ledger in
            let rows = ConformanceRows(ledger: ledger)
            let app = try rows.app("one")
            let (one, two) = (try rows.activity("a", in: app), try rows.activity("b", in: app))
            var (few, many) = (RingSlots(), RingSlots())
            for ordinal in [1, 2, 3, 700] { few.insert(ordinal) }
            for ordinal in stride(from: 1, through: RingPage.capacity, by: 2) { many.insert(ordinal) }
            try require(ledger.updatedCards(onPage: 0, of: one.id), is: RingSlots(), "none yet")
            try ledger.put(updatedCards: few, onPage: 0, of: one.id)
            try ledger.put(updatedCards: few, onPage: 1, of: one.id)
            try ledger.put(updatedCards: many, onPage: 0, of: two.id)
            try require(ledger.updatedCards(onPage: 0, of: one.id), is: few, "the first page")
            try ledger.put(updatedCards: many, onPage: 0, of: one.id)
            try require(ledger.updatedCards(onPage: 0, of: one.id), is: many, "the first page, put again")
            try require(ledger.updatedCards(onPage: 1, of: one.id), is: few, "the second page")
            try ledger.removeActivity(one.id)
            try require(ledger.updatedCards(onPage: 0, of: one.id), is: RingSlots(), "of a removed activity")
            try require(ledger.updatedCards(onPage: 0, of: two.id), is: many, "of the other activity")
        },
        LedgerCheck("The phones of replicas are found by their ordinals") { ledger in
            let rows = ConformanceRows(ledger: ledger)
            let app = try rows.app("one")
            let first = try rows.device("a", in: app)
            let second = try rows.device("b", in: app, version: "2.0") {
                ($0.environment, $0.osVersion, $0.language) = (.production, OSVersion(26), "de-AT")
            }
            let (activity, other) = (try rows.activity("a", in: app), try rows.activity("b", in: app))
            for (ordinal, device) in [(1, first), (2, second), (1_002, first)] {
                try rows.replica(ordinal, of: activity, on: device)
            }
            try rows.replica(1, of: other, on: second)
            let found = try ledger.phones(of: 1...1_001, of: activity.id)
            try require(found, is: [1: CountedPhone(first), 2: CountedPhone(second)], "by ordinal")
            try require(found[2]?.language, is: "de-AT", "the language of the second")
            try require(ledger.phones(of: 2...1_002, of: activity.id).keys.sorted(), is: [2, 1_002], "of a range")
            try require(ledger.phones(of: 3...1_001, of: activity.id), is: [:], "where none is")
        },
        LedgerCheck("Watched activities are told apart by app and name, and marked once") { ledger in
            let rows = ConformanceRows(ledger: ledger)
            let all = try [
                WatchedActivity(app: rows.app("one"), name: "a"), WatchedActivity(app: rows.app("two"), name: "a"),
            ]
            for watched in all + all { try ledger.put(watched) }
            try require(ledger.watched(limit: 9), is: all, "all")
            try require(ledger.watched(limit: 1), is: [all[0]], "up to a limit")
            try ledger.remove(all[0])
            try require(ledger.watched(limit: 9), is: [all[1]], "what is left")
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
