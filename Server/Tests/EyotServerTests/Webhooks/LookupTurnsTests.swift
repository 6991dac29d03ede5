import EyotDomain
import NIOCore
import Testing

@testable import WebhookSender

@Suite("Webhooks: turns of look-ups")
struct LookupTurnsTests {
    private static func place(_ app: Int64, _ host: String) -> LookupTurns.Place {
        LookupTurns.Place(app: AppID(rawValue: app), host: host)
    }

    /// The turns as an object, because a check cannot change a value.
    private final class Turns {
        private var turns = LookupTurns()

        var isEmpty: Bool { turns.isEmpty }

        func add(_ place: LookupTurns.Place) -> Bool { turns.add(place) }
        func drop(_ place: LookupTurns.Place) { turns.drop(place) }
        func next() -> LookupTurns.Place? { turns.next() }
        func end(_ place: LookupTurns.Place, after seconds: Double?) { turns.end(place, after: seconds) }
    }

    /// Hosts of an app that wait.
    private static func add(_ count: Int, of app: Int64, to turns: Turns) {
        for number in 0..<count { _ = turns.add(place(app, "slow\(number)")) }
    }

    private static func all(_ turns: Turns) -> [LookupTurns.Place] {
        var begun: [LookupTurns.Place] = []
        while let next = turns.next() { begun.append(next) }
        return begun
    }

    @Test func `One app holds few threads, however many of its hosts wait, and others come at once`() {
        let turns = Turns()
        Self.add(20, of: 1, to: turns)
        #expect(Self.all(turns).count == LookupTurns.ofApp)
        #expect(LookupTurns.ofApp * 8 <= LookupTurns.strange)
        #expect(turns.add(Self.place(2, "good")))
        #expect(turns.next() == Self.place(2, "good"))
        #expect(turns.next() == nil)
    }

    @Test func `Many apps with hosts that hang leave threads to hosts that were found before`() {
        let turns = Turns()
        #expect(turns.add(Self.place(99, "good")))
        #expect(turns.next() == Self.place(99, "good"))
        turns.end(Self.place(99, "good"), after: 0.1)
        for app in 1...50 as ClosedRange<Int64> { Self.add(20, of: app, to: turns) }
        #expect(Self.all(turns).count == LookupTurns.strange)
        #expect(turns.add(Self.place(99, "good")))
        #expect(turns.next() == Self.place(99, "good"))
    }

    @Test func `A host that was slow, or was not found, has no such thread the next time`() {
        for seconds in [nil, LookupTurns.quick] {
            let turns = Turns()
            for time in [0.1, seconds] {
                #expect(turns.add(Self.place(99, "turned")))
                #expect(turns.next() == Self.place(99, "turned"))
                turns.end(Self.place(99, "turned"), after: time)
            }
            for app in 1...50 as ClosedRange<Int64> { Self.add(20, of: app, to: turns) }
            _ = Self.all(turns)
            #expect(turns.add(Self.place(99, "turned")))
            #expect(turns.next() == nil)
        }
    }

    @Test func `Apps take turns`() throws {
        let turns = Turns()
        for app in 1...30 as ClosedRange<Int64> { Self.add(9, of: app, to: turns) }
        let begun = Self.all(turns)
        #expect(Set(begun.map(\.app)).count == LookupTurns.strange)
        // The next free thread is for an app that had none.
        turns.end(begun[0], after: nil)
        let next = try #require(turns.next())
        #expect(!begun.map(\.app).contains(next.app))
    }

    @Test func `What nothing waits for any more is dropped, and a host is looked up once for all that wait`() {
        let turns = Turns()
        Self.add(5, of: 1, to: turns)
        Self.add(5, of: 1, to: turns)
        let begun = Self.all(turns)
        for number in 0..<5 { turns.drop(Self.place(1, "slow\(number)")) }
        for place in begun { turns.end(place, after: nil) }
        #expect(turns.next() == nil && turns.isEmpty)
    }

    @Test func `More hosts of an app than the limit do not wait`() {
        let turns = Turns()
        Self.add(LookupTurns.waitingOfApp, of: 1, to: turns)
        #expect(!turns.add(Self.place(1, "more")))
        #expect(turns.add(Self.place(1, "slow0")))
        #expect(turns.add(Self.place(2, "more")))
    }

    @Test(arguments: [
        ("127.0.0.1", "127.0.0.1"), ("127.1", "127.0.0.1"), ("2130706433", "127.0.0.1"), ("0x7f000001", "127.0.0.1"),
        ("::1", "::1"), ("localhost", nil), ("example.org", nil), ("", nil),
    ])
    func `A literal address needs no name service`(_ host: String, _ address: String?) {
        #expect(SystemResolver.literal(host)?.ipAddress == address)
    }
}
