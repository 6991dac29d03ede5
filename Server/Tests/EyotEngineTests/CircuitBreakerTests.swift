import APNSWire
import EyotContract
import EyotDomain
import Testing

@testable import EyotEngine

@Suite("While Apple is out of order")
struct CircuitBreakerTests {
    private let start = Instant(second: 1_700_000_000)

    @Test func `It opens after so many answers in a row, for longer each time, and closes with the first good one`() {
        var breaker = CircuitBreaker(limit: 3)
        var now = start
        breaker.count(.refused(.serviceUnavailable), at: now)
        breaker.count(.refused(.internalServerError), at: now)
        breaker.count(.unknown, at: now)
        breaker.count(.notProcessed, at: now)
        #expect(breaker.closesAt == nil)
        for pause in [1.0, 2, 4, 5, 5] {
            while breaker.closesAt.map({ $0 <= now }) ?? true { breaker.count(.refused(.serviceUnavailable), at: now) }
            #expect(breaker.closesAt == now + pause)
            // What had left before.
            for _ in 1...9 { breaker.count(.refused(.serviceUnavailable), at: now) }
            #expect(breaker.closesAt == now + pause)
            now = now + pause
        }
        breaker.count(.accepted, at: now)
        #expect(breaker.isQuiet && breaker.closesAt == nil)
    }

    @Test func `One that was opened by a clock that has been set back since does not stay open for that long`() {
        var breaker = CircuitBreaker(limit: 1)
        breaker.count(.refused(.serviceUnavailable), at: start)
        #expect(breaker.isOpen(at: start))
        #expect(!breaker.isOpen(at: start + 1))
        #expect(!breaker.isOpen(at: start + -3_600))
    }

    @Test(
        "Any answer but such a one says that Apple works",
        arguments: [APNSReason.unregistered, .tooManyRequests, .shutdown])
    func works(_ reason: APNSReason) {
        var breaker = CircuitBreaker(limit: 2)
        breaker.count(.refused(.serviceUnavailable), at: start)
        breaker.count(.refused(reason), at: start)
        breaker.count(.refused(.serviceUnavailable), at: start)
        #expect(breaker.closesAt == nil)
    }

    @Test func `Declarations do not go into the outage, and all have the newest state soon after it`() throws {
        var limits = EngineCore.Limits()
        (limits.pushesPerApp, limits.pushesInFlight, limits.pushesPerTake) = (1_000, 4_000, 1_000)
        let drive = EngineDrive(limits: limits)
        let (app, other) = (try drive.app("m", cards: 3_000), try drive.app("other", cards: 70))
        var isDown = true
        drive.verdict = { isDown && $0.app == app.id ? .refused(.serviceUnavailable) : .accepted }
        for second in 1...30 {
            try drive.declare(app)
            try drive.declare(other)
            try drive.run()
            let reached = drive.pushes.filter { $0.app == other.id }.count
            #expect(reached == 70 * second, "who is in order does not wait (R10)")
            drive.now = drive.now + 1
        }
        let wasted = drive.pushes.filter { $0.app == app.id }.count
        // Each trial is at most what may be in flight, instead of all cards thirty times.
        #expect(wasted <= 9 * limits.pushesPerApp, "\(wasted)")
        isDown = false
        for _ in 1...12 {
            try drive.run()
            drive.now = drive.now + 1
        }
        let newest = Set(drive.pushes.filter { $0.app == app.id && $0.state == 29 }.map(\.ordinal))
        let missing = Set(1...3_000).subtracting(newest).count
        #expect(missing <= limits.pushesPerApp, "\(missing) were refused it, and have pauses of their own")
    }
}
