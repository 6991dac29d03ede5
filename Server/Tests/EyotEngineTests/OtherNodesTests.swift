import EyotDomain
import Testing

@testable import EyotEngine

@Suite("Wake-ups by other nodes")
struct OtherNodesTests {
    private let start = Instant(second: 1_000_000)

    private func looks(_ effects: [EngineCore.Effect]) -> Int {
        effects.count { if case .findDue = $0 { true } else { false } }
    }

    private func moments(_ effects: [EngineCore.Effect]) -> [Instant] {
        effects.compactMap { if case .wake(let moment) = $0 { moment } else { nil } }
    }

    @Test func `A wake-up by another node looks up what is due, once at a time`() {
        var core = EngineCore()
        #expect(looks(core.step(.woken([], andOthers: true), now: start)) == 1)
        #expect(looks(core.step(.woken([], andOthers: true), now: start + 0.01)) == 0)
        let answered = core.step(.due([], next: nil), now: start + 0.02)
        #expect(moments(answered) == [start + 0.02 + 4 * 0.02], "the look-up began before the second wake-up")
        #expect(looks(core.step(.timer, now: start + 0.1)) == 1)
        #expect(moments(core.step(.due([], next: nil), now: start + 0.11)) == [start + 1.11], "nobody woke it again")
    }

    @Test func `Hints keep the activities of this node apart from the word of another one`() {
        let hints = Hints(limit: 2)
        let own = ActivityID(rawValue: 3)
        #expect(hints.add([own]))
        #expect(!hints.add([]))
        guard case .woken([own], andOthers: true) = hints.take() else { return #expect(Bool(false)) }
        guard case .woken([], andOthers: false) = hints.take() else { return #expect(Bool(false)) }
        #expect(hints.add([]))
    }
}
