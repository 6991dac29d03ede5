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
        }
    ]
}
