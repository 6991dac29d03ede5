import EyotCommands
import EyotDomain
import Synchronization

/// The record of calls that were refused, so that the people of an app see them beside what Apple refused.
///
/// They are stored once a second, so a refusal costs no commit. Each app has a limit, because a program that goes wrong
/// repeats itself. The server's log and the metrics have all of them.
package final class RefusedCalls: Sendable {
    /// Calls of one app in a minute that are recorded.
    static let perMinute = 60
    /// The most calls that wait to be stored. Further ones are only in the server's log.
    private static let waiting = 2_000

    private struct State {
        var minute = 0
        var calls: [AppID: Int] = [:]
        var waiting: [NotedRefusal] = []
    }

    private let state = Mutex(State())

    package init() {}

    /// Whether a refusal is recorded: of a change that the caller can correct. The audit log has those of keys, and a
    /// caller that makes too many calls learns it at once.
    private static func isNoted(_ code: EyotError.Code) -> Bool {
        (400..<500).contains(code.status) && ![401, 429].contains(code.status)
    }

    /// Notes a refused call.
    ///
    /// - Parameters:
    ///   - route: The template of its route.
    ///   - name: The activity that it named; nil for none.
    func note(_ error: EyotError, _ call: Call, _ route: String, of app: AppID, key: Int64?, activity name: String?) {
        guard call.method != .get, Self.isNoted(error.code), let id = call.origin.request,
            (try? call.isDryRun) == false
        else { return }
        let refused = RefusedCall(
            id, call.method.rawValue, route, status: error.code.status, field: error.field, key: key)
        state.withLock { state in
            let minute = call.now.second / 60
            if state.minute != minute { (state.minute, state.calls) = (minute, [:]) }
            state.calls[app, default: 0] += 1
            guard state.calls[app, default: 0] <= Self.perMinute, state.waiting.count < Self.waiting else { return }
            state.waiting.append(NotedRefusal(app: app, at: call.now, refused, because: error.code, activity: name))
        }
    }

    /// Stores what was noted. If that fails, it is tried again the next time.
    package func write(by commands: Commands) async throws {
        let noted = state.withLock { $0.waiting }
        guard !noted.isEmpty else { return }
        try await commands.record(noted)
        state.withLock { $0.waiting.removeFirst(noted.count) }
    }
}
