import EyotDomain

extension LedgerCheck {
    static let alertMarks = [
        LedgerCheck("The alerts of a page stay noted until its verdicts or its activity's removal") { ledger in
            let rows = ConformanceRows(ledger: ledger)
            let app = try rows.app("one")
            let (one, two) = (try rows.activity("a", in: app), try rows.activity("b", in: app))
            func mark(_ activity: ActivityID, _ ordinal: Int, _ second: Int) -> AlertMark {
                var mark = AlertMark(AlertMark.Key(activity: activity, ordinal: ordinal, second: second))
                for further in 0..<3 { mark.add(ordinal + further, of: activity, alert: 1 << 30) }
                mark.add(1, of: two.id, alert: 2)
                return mark
            }
            var marks = [mark(one.id, 1, 5), mark(one.id, 1, 6), mark(one.id, 70_000, 5), mark(two.id, 1, 5)]
            for mark in marks.reversed() { try ledger.insert(mark) }
            try require(ledger.alertMarks(limit: 9, in: .all), is: marks, "by their keys")
            try require(ledger.alertMarks(limit: 1, in: .all), is: [marks[0]], "up to a limit")
            try require(ledger.alertMark(marks[1].key), is: marks[1], "by its key")
            try require(ledger.alertMark(.init(activity: one.id, ordinal: 1, second: 7)), is: nil, "by no key")
            _ = marks[1].removeFirst(1)
            try ledger.update(marks[1])
            try ledger.removeAlertMark(marks[0].key)
            try ledger.update(marks[0])
            try require(ledger.alertMarks(limit: 9, in: .all), is: Array(marks.dropFirst()), "changed and removed")
            try ledger.removeActivity(one.id)
            try require(ledger.alertMarks(limit: 9, in: .all), is: [marks[3]], "of the other activity")
        }
    ]
}
