import EyotDomain
import EyotServer
import Testing

@Suite("The machine's clock", .timeLimit(.minutes(10)))
struct ClockTests {
    @Test func `A nap takes no longer than it may, though the clock is set back meanwhile`() async throws {
        let clock = AdjustableClock()
        let moment = clock.now + 0.01
        clock.advance(seconds: -3_600)
        try await clock.nap(until: moment, atMost: 0.01)
        #expect(clock.now < moment)
    }

    @Test func `A nap ends where the clock has been moved past its moment`() async throws {
        let clock = AdjustableClock()
        let moment = clock.now + 3_600
        clock.advance(seconds: 3_600)
        try await clock.nap(until: moment, atMost: 3_600)
        #expect(clock.now >= moment)
    }
}
