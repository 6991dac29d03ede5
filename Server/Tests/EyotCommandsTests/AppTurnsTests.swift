import EyotDomain
import Testing

@testable import EyotCommands

@Suite("Turns of apps")
struct AppTurnsTests {
    private let one = AppID(rawValue: 1)
    private let two = AppID(rawValue: 2)

    private func turns(_ first: Int, _ second: Int) -> AppTurns<Int> {
        var turns = AppTurns<Int>()
        turns.append(Array(1...first), of: one)
        turns.append((1...second).map { 100 + $0 }, of: two)
        return turns
    }

    @Test func `Whoever has few does not wait for those who have many`() {
        var turns = turns(9, 2)
        var parts: [[Int]] = []
        while !turns.isEmpty { parts.append(turns.next(3)) }
        #expect(parts == [[1, 2, 3], [101, 102], [4, 5, 6], [7, 8, 9]])
    }

    @Test func `A group has an equal share of each, and is filled by who has more`() {
        var turns = turns(9, 2)
        #expect(turns.count == 11)
        #expect(turns.count(of: one) == 9)
        #expect(turns.share(6) == [1, 2, 3, 101, 102, 4])
        #expect(turns.count(of: two) == 0)
        #expect(turns.share(.max) == [5, 6, 7, 8, 9])
        #expect(turns.isEmpty)
    }
}
