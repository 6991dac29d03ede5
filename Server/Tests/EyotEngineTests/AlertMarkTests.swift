import EyotTestKit
import Testing

@testable import EyotDomain

@Suite("Alerts that are on their way (R4)")
struct AlertMarkTests {
    private let activity = ActivityID(rawValue: 1)
    private let now = Instant(second: 1_000)

    private func mark(_ ordinals: Int...) -> AlertMark {
        var mark = AlertMark(AlertMark.Key(activity: activity, ordinal: ordinals[0], second: now.second))
        for ordinal in ordinals { mark.add(ordinal, of: activity, alert: 1) }
        return mark
    }

    private func noted(_ ledger: MemoryLedger) -> [[Int]] {
        ledger.alertMarks(limit: 9, in: .all).map { $0.runs.flatMap(\.ordinals) }
    }

    @Test(arguments: [false, true])
    func `Parts of a page take their own alerts off its mark, in any order`(isReversed: Bool) throws {
        let ledger = MemoryLedger()
        let transaction = Transaction(ledger, at: now)
        let page = try transaction.note(mark(1, 2, 5))
        let parts = [page.keeping { $1 == 1 }, page.keeping { $1 != 1 }]
        try transaction.settle(parts[isReversed ? 1 : 0], isPart: true)
        #expect(noted(ledger) == (isReversed ? [[1]] : [[2, 5]]))
        try transaction.settle(parts[isReversed ? 0 : 1], isPart: true)
        #expect(noted(ledger).isEmpty)
    }

    @Test func `A card that goes again while others of its page are open gets a mark beside theirs`() throws {
        let ledger = MemoryLedger()
        let transaction = Transaction(ledger, at: now)
        let page = try transaction.note(mark(1, 2))
        try transaction.settle(page.keeping { $1 == 1 }, isPart: true)
        let again = try transaction.note(mark(1))
        #expect(noted(ledger) == [[2], [1]])
        try transaction.settle(again, isPart: false)
        #expect(noted(ledger) == [[2]])
    }
}
