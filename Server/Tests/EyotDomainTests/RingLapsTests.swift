import EyotDomain
import Testing

@Suite("How far laps have come")
struct RingLapsTests {
    @Test func `a lap is for what was the newest when it began, and the next one for what came since`() {
        var laps = RingLaps()
        #expect(laps.begin(newest: 3) == 3)
        laps.end()
        #expect(laps.begin(newest: 3) == 0, "all have seen it, or are unseen")
        #expect(laps.begin(newest: 4) == 4)
        #expect((laps.begun, laps.ended) == (4, 3))
    }

    @Test func `a lap that broke off goes on, whatever was declared since`() {
        var laps = RingLaps()
        _ = laps.begin(newest: 3)
        #expect(laps.begin(newest: 5) == 3)
        laps.end()
        #expect(laps.begin(newest: 5) == 5)
    }

    @Test func `nothing is to be seen where nothing is declared`() {
        var laps = RingLaps()
        #expect(laps.begin(newest: 0) == 0)
    }
}
