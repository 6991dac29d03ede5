import EyotDomain
import HTTPConnections
import Logging

/// Says in the log what the listeners refused: one line a minute at most, however much that was.
struct RefusalLog: Sendable {
    /// Seconds between two lines.
    private static let interval = 60.0

    let refusals: Refusals
    let clock: any WallClock
    let logger: Logger
    private var written: [Refusals.Kind: Int] = [:]

    init(refusals: Refusals, clock: any WallClock, logger: Logger) {
        self.refusals = refusals
        self.clock = clock
        self.logger = logger
    }

    /// Returns when its task is cancelled.
    mutating func run() async {
        do {
            while true {
                try await clock.pause(seconds: Self.interval)
                write()
            }
        } catch {
            // Cancelled: the server stops.
        }
        write()
    }

    /// Writes what was refused since the last line, if anything was.
    mutating func write() {
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
