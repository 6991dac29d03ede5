import EyotDomain
import EyotEngine
import Logging
import Synchronization
import Testing

@testable import EyotServer

@Suite("Steps of services")
struct AttemptTests {
    /// Runs a step, and returns what it gave and what was logged.
    private func attempt(_ step: () async throws -> Int) async -> (result: Int?, log: String) {
        let log = Recorded()
        let logger = Logger(label: "test") { label in JSONLogHandler(label: label, write: { log.add($0) }) }
        let result = await logger.attempt("The step failed", ["app": "a"], step)
        return (result, log.text)
    }

    @Test func `A failure is logged with its reason, and a stop of the server is none`() async {
        let done = await attempt { 1 }
        #expect(done == (1, ""))
        let failed = await attempt { throw EyotError(.unavailable, "8 writes wait") }
        #expect(failed.result == nil)
        for word in ["The step failed", "8 writes wait [unavailable]", #""app":"a""#] {
            #expect(failed.log.contains(word), "\(failed.log)")
        }
        let outage = await attempt { throw EyotError.databaseOutage }
        #expect(outage == (nil, ""), "the store has logged it")
        let stopped = await attempt { throw CancellationError() }
        #expect(stopped == (nil, ""))
    }
}

private final class Recorded: Sendable {
    private let lines = Mutex("")

    var text: String { lines.withLock(\.self) }

    func add(_ line: String) { lines.withLock { $0 += line } }
}
