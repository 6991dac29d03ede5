import EyotDomain
import HTTPConnections
import Logging
import ServiceLifecycle

/// A service that logs the listeners' refusals, and how many answers the log has left out, once a minute.
package struct RefusalLog: Service {
    /// Seconds between two lines.
    private static let interval = 60.0

    let refusals: Refusals
    let answers: AnswerLog
    let clock: any WallClock
    let logger: Logger

    package init(
        refusals: Refusals, answers: AnswerLog = AnswerLog(), clock: any WallClock, logger: Logger
    ) {
        self.refusals = refusals
        self.answers = answers
        self.clock = clock
        self.logger = logger
    }

    package func run() async throws {
        await cancelWhenGracefulShutdown {
            var written: [Refusals.Kind: Int] = [:]
            while (try? await clock.pause(seconds: Self.interval)) != nil { write(beyond: &written) }
            write(beyond: &written)
        }
    }

    /// Logs the refusals since the last line, if there are any.
    func write(beyond written: inout [Refusals.Kind: Int]) {
        let leftOut = answers.report()
        if leftOut > 0 {
            logger.notice("Answers were left out of the log", metadata: ["answers": "\(leftOut)"])
        }
        let sums = refusals.sums
        var counts: Logger.Metadata = [:]
        for (kind, sum) in sums where sum > written[kind] ?? 0 {
            counts[kind.rawValue] = "\(sum - (written[kind] ?? 0))"
        }
        guard !counts.isEmpty else { return }
        logger.notice("Refused connections and requests since the last such line", metadata: counts)
        written = sums
    }
}
