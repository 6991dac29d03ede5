import EyotDomain
import Synchronization

/// The limit of lines for answers with a status of 400 or higher, so that a flood of them cannot fill the disk.
///
/// Failures of the server (5xx) have a limit of their own, so that wrong calls do not hide them.
package final class AnswerLog: Sendable {
    /// Lines in a minute, of 4xx and of 5xx each.
    static let linesPerMinute = 600

    private struct Minute {
        var number = 0
        var lines = 0
    }

    private struct State {
        var minutes: [Bool: Minute] = [:]
        /// Answers that were left out since the process began, and since the last report.
        var (leftOut, unreported) = (0, 0)
    }

    private let state = Mutex(State())

    package init() {}

    /// Answers that were left out since the process began.
    package var leftOut: Int { state.withLock { $0.leftOut } }

    /// Whether a line may be written. Otherwise the answer is counted.
    func take(isFailure: Bool, at now: Instant) -> Bool {
        state.withLock { state in
            var minute = state.minutes[isFailure] ?? Minute()
            if minute.number != now.second / 60 { minute = Minute(number: now.second / 60) }
            minute.lines += 1
            state.minutes[isFailure] = minute
            guard minute.lines > Self.linesPerMinute else { return true }
            state.leftOut += 1
            state.unreported += 1
            return false
        }
    }

    /// Returns how many answers were left out since the last report, and begins a new one.
    func report() -> Int {
        state.withLock { state in
            defer { state.unreported = 0 }
            return state.unreported
        }
    }
}
