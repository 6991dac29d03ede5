import EyotCommands
import EyotDomain
import EyotTestKit
import Testing

@Suite("Turns of lists")
struct ListTurnsTests {
    private let ledger = MemoryLedger()
    private let now = Instant(second: 1_671_375_600)

    /// Ids of new lists.
    private func lists(_ count: Int, of app: AppID) -> [Int64] {
        let activity = ledger.insertActivity(named: "m", in: app, generation: 1, type: nil, at: now)
        return (0..<count).map { _ in
            let list = MemberList(
                app: app, activity: activity.id, version: 1, operation: 1, purpose: .scope, acceptedAt: now)
            return ledger.insert(list, members: MemberRuns.chunks(of: [1])).id
        }
    }

    private func app(_ name: String) -> AppID {
        ledger.insertApp(bundleID: name, name: name, publicKey: name, at: now).id
    }

    @Test func `An app's list has as many turns beside a hundred of another's as beside one`() throws {
        let (one, two) = (app("one"), app("two"))
        let (many, few) = (lists(MemberList.listsPerApp, of: one), lists(1, of: two))
        var turns = ListTurns()
        for round in 0..<MemberList.listsPerApp * 2 {
            let next = try turns.next(in: ledger).map(\.id)
            #expect(next == [many[round % many.count], few[0]])
        }
    }

    @Test func `Those of one app follow each other, also where one is gone, and no app is kept that has none`() throws {
        let (one, two) = (app("one"), app("two"))
        let (many, few) = (lists(3, of: one), lists(1, of: two))
        var turns = ListTurns()
        #expect(try turns.next(in: ledger).map(\.id) == [many[0], few[0]])
        for list in ledger.memberLists(after: 0, limit: 9) where [many[0], few[0]].contains(list.id) {
            ledger.remove(list)
        }
        for id in [many[1], many[2], many[1]] { #expect(try turns.next(in: ledger).map(\.id) == [id]) }
    }

    @Test func `One that has to wait makes way for the next one of its app in the same round`() throws {
        let lists = lists(3, of: app("one"))
        var turns = ListTurns()
        let first = try #require(try turns.next(in: ledger).first)
        #expect(first.id == lists[0])
        #expect(try turns.next(of: first.app, in: ledger)?.id == lists[1])
        #expect(try turns.next(in: ledger).map(\.id) == [lists[2]])
        #expect(try turns.next(of: first.app, in: ledger)?.id == lists[0])
    }
}
