import EyotDomain

extension LedgerCheck {
    static let insider = [
        LedgerCheck("Insider's activities are kept by app and id, and forgotten when they have long been over") {
            ledger in
            let rows = ConformanceRows(ledger: ledger)
            let (one, two) = (try rows.app("one"), try rows.app("two"))
            func activity(_ app: AppID, _ id: String, _ end: Int64) -> InsiderActivity {
                InsiderActivity(app: app, id: id, type: "T", users: ["é", "a\"b"], endsAt: .after(end))
            }
            var first = activity(one, "a", 1)
            for activity in [first, activity(one, "b", 2), activity(two, "a", 3)] { try ledger.put(activity) }
            (first.state, first.users, first.endsAt, first.endedGeneration) = (.started, [], .after(4), 7)
            try ledger.put(first)
            try require(ledger.insiderActivity("a", in: one), is: first, "as it was stored last")
            try require(ledger.insiderActivity("a", in: two), is: activity(two, "a", 3), "another app's")
            try require(ledger.insiderActivity("b", in: two), is: nil, "another app's id")
            try ledger.forgetInsiderActivities(endedBefore: .after(4), limit: 1)
            try require(ledger.insiderActivity("b", in: one), is: nil, "the oldest")
            try require(ledger.insiderActivity("a", in: two) != nil, "beyond the limit")
            try ledger.forgetInsiderActivities(endedBefore: .after(4), limit: 5)
            try require(ledger.insiderActivity("a", in: two), is: nil, "over before")
            try require(ledger.insiderActivity("a", in: one), is: first, "not over yet")
        },
        LedgerCheck("Activities are found by a user whom they name, page by page, whatever letters the id has") {
            ledger in
            let rows = ConformanceRows(ledger: ledger)
            let (one, two) = (try rows.app("one"), try rows.app("two"))
            let user = #"a%_\"é"#
            func activity(_ name: String, _ app: AppID, _ users: Set<String>) throws -> ActivityID {
                var activity = try ledger.insertActivity(named: name, in: app, generation: 1, type: nil, at: .after(1))
                activity.users = users
                try ledger.update(activity)
                try ledger.put(
                    InsiderActivity(app: app, id: name, type: "T", users: users.sorted(), endsAt: .after(9)))
                return activity.id
            }
            let first = try activity("a", one, ["b", user])
            for (name, users) in [("b", ["b"]), ("c", []), ("d", [#"axx\"é"#])] {
                _ = try activity(name, one, Set(users))
            }
            _ = try activity("e", two, [user])
            let last = try activity("f", one, [user])
            let none = ActivityID(rawValue: 0)
            try require(ledger.activities(naming: user, in: one, after: none, limit: 9), is: [first, last], "all")
            try require(ledger.activities(naming: user, in: one, after: first, limit: 9), is: [last], "the next page")
            try require(ledger.activities(naming: user, in: one, after: none, limit: 1), is: [first], "the first page")
            try require(
                ledger.insiderActivities(naming: user, in: one, after: "", limit: 9), is: ["a", "f"], "Insider's")
            try require(
                ledger.insiderActivities(naming: user, in: one, after: "a", limit: 9), is: ["f"], "the next ones")
        },
    ]
}
