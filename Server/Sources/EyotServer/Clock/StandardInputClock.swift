import Foundation
import Logging
import ServiceLifecycle

/// The service that lets a lab move the clock with lines `advance <seconds>` on standard input. When standard input
/// closes, the lab is gone and the server ends, too.
struct StandardInputClock: Service {
    private static let longestStep = 400 * 86_400.0

    let clock: AdjustableClock
    let logger: Logger

    func run() async throws {
        let (lines, continuation) = AsyncStream.makeStream(of: String.self, bufferingPolicy: .bufferingOldest(1_000))
        // Reading blocks, so it has a thread of its own, which ends with the process.
        Thread.detachNewThread {
            while let line = readLine() { continuation.yield(line) }
            continuation.finish()
        }
        await cancelWhenGracefulShutdown {
            for await line in lines { advance(line) }
        }
    }

    private func advance(_ line: String) {
        let words = line.split(separator: " ")
        guard words.count == 2, words[0] == "advance", let seconds = Double(words[1]),
            (0...Self.longestStep).contains(seconds)
        else {
            logger.warning("A line on standard input is not understood")
            return
        }
        clock.advance(seconds: seconds)
    }
}
