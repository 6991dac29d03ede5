import EyotDomain

extension LedgerCheck {
    static let histories = [
        LedgerCheck("The newest history of the database counts") { ledger in
            let former = try ledger.history()
            let now = Instant(second: 1_671_375_600)
            for cause in History.Cause.allCases {
                let history = History(id: "history-\(cause.rawValue)", beganAt: now, cause: cause)
                try ledger.begin(history)
                try require(ledger.history(), is: history, "after it began")
            }
            try require(ledger.history() != former, "another one")
        },
        LedgerCheck("Each change of person of an app has a number of its own") { ledger in
            let rows = ConformanceRows(ledger: ledger)
            let (one, two) = (try rows.app("one"), try rows.app("two"))
            try require(ledger.personNumber(of: one), is: 0, "none yet")
            try require(ledger.raisePersonNumber(of: one), is: 1, "the first")
            try require(ledger.raisePersonNumber(of: one), is: 2, "the second")
            try require(ledger.raisePersonNumber(of: two), is: 1, "of another app")
            try require(ledger.personNumber(of: one), is: 2, "the newest")
            var device = try rows.device("a", in: one)
            device.personNumber = 2
            try ledger.update(device)
            try require(ledger.device(device.id)?.personNumber, is: 2, "a phone's number")
            let activity = try rows.activity("m", in: one)
            var place = Replica(
                activity: activity.id, ordinal: 1, device: device.id, phase: .waitingForToken,
                createdAt: Instant(second: 5))
            place.personNumber = 7
            try ledger.insert(place)
            try require(ledger.replica(1, of: activity.id)?.personNumber, is: 7, "a place's number")
        },
    ]
}
