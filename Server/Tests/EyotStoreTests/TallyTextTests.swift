import EyotDomain
import Testing

@testable import EyotStore

@Suite("An activity's counts as text")
struct TallyTextTests {
    private static let zeros = Array(repeating: "0", count: 11).joined(separator: " ")

    @Test func `are read as they were written`() throws {
        var tally = Tally()
        (tally.started, tally.accepted, tally.unknown) = (1, 1_000_000, .max / 10 - 2)
        tally.broadcasts.refused = 7
        tally.ages.record(seconds: 0.25, count: 3)
        tally.ages.record(seconds: 90)
        #expect(Tally(text: tally.text) == tally)
        #expect(Tally(text: Tally().text) == Tally())
    }

    @Test(
        "are unreadable where something else stands there",
        arguments: [
            "", " ", "0", "0 0", "x \(zeros)", "0 \(zeros) ", "0  \(zeros)", "0 \(zeros) -1", "0 \(zeros) 1x",
            "0 \(zeros) 1.5",
            "0 \(zeros) 99999999999999999999", "0\(zeros)",
        ])
    func areUnreadable(_ text: String) { #expect(Tally(text: text) == nil) }
}
