import EyotDomain
import Testing

@Suite("How far laps have come")
struct RingLapsTests {
    @Test func `a lap is over all pages where something was declared since the last one, else over unseen ones`() {
        var laps = RingLaps()
        #expect(laps.begin(newest: 3) == .all)
        laps.end()
        #expect(laps.begin(newest: 3) == .unseen)
        #expect(laps.begin(newest: 4) == .all)
        #expect((laps.begun, laps.ended) == (4, 3))
    }

    @Test func `a lap that broke off goes on with those that it had not come to, whatever was declared since`() {
        var laps = RingLaps()
        _ = laps.begin(newest: 3)
        #expect(laps.begin(newest: 5) == .resumed(3))
        laps.end()
        #expect(laps.begin(newest: 5) == .all)
    }

    @Test func `nothing is to be seen where nothing is declared`() {
        var laps = RingLaps()
        #expect(laps.begin(newest: 0) == .unseen)
    }

    @Test func `what has not been seen is told by the lap`() {
        let laps: [RingLap] = [.unseen, .all, .resumed(3)]
        #expect(laps.map { $0.version(newest: 5) } == [0, 5, 3])
    }
}
