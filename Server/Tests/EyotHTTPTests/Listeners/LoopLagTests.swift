import NIOCore
import NIOEmbedded
import Synchronization
import Testing

@testable import HTTPConnections

@Suite("How late a loop is")
struct LoopLagTests {
    @Test func `A loop is as late as its last beat was, or as its next one is`() {
        let time = Mutex(NIODeadline.uptimeNanoseconds(1_000_000_000))
        let lag = LoopLag { time.withLock { $0 } }
        let loop = EmbeddedEventLoop()
        func pass(_ milliseconds: Int64) { time.withLock { $0 = $0 + .milliseconds(milliseconds) } }
        func beat() { loop.advanceTime(by: .milliseconds(50)) }
        #expect(lag(on: loop) == .zero)
        pass(50)
        beat()
        #expect(lag(on: loop) == .zero)
        // The loop is busy with something else.
        pass(700)
        #expect(lag(on: loop) == .milliseconds(650))
        beat()
        #expect(lag(on: loop) == .milliseconds(650))
        pass(60)
        beat()
        #expect(lag(on: loop) == .milliseconds(10))
        pass(50)
        beat()
        #expect(lag(on: loop) == .zero)
    }

    @Test func `Each loop has its own beat, which ends with the value`() {
        let time = Mutex(NIODeadline.uptimeNanoseconds(1_000_000_000))
        var lag: LoopLag? = LoopLag { time.withLock { $0 } }
        let (one, two) = (EmbeddedEventLoop(), EmbeddedEventLoop())
        #expect(lag?(on: one) == .zero)
        time.withLock { $0 = $0 + .milliseconds(250) }
        #expect(lag?(on: two) == .zero)
        #expect(lag?(on: one) == .milliseconds(200))
        weak let weakly = lag
        lag = nil
        #expect(weakly == nil)
        one.advanceTime(by: .seconds(1))
    }
}
