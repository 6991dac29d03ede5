import EyotContract
import EyotDomain
import Synchronization

/// The record of calls as it goes on: every call that is on record is told to whoever collects the record elsewhere,
/// and reads and refusals wait here until they are stored together.
///
/// Changes are stored with what they change, so they do not wait here.
package final class AuditTrail: Sendable {
    /// What a line of the record is about.
    package enum Kind: String, Sendable {
        case change, declaration, read, refusal
    }

    /// Entries that wait to be stored. Further ones are only counted.
    static let waitingLimit = 20_000
    /// Kinds of refusals that are told apart within a minute.
    static let refusalLimit = 10_000
    /// Seconds within which the same refusal is counted and not told again.
    static let refusalPeriod = 60.0

    /// What makes refusals the same.
    private struct Refused: Hashable {
        var app: AppID?
        var key: Int64
        var address: String?
        var route: String
        var status: Int
    }

    private struct State {
        var waiting: [AccessEntry] = []
        var lost = 0
        var refused: [Refused: (first: AuditEntry, repeated: Int)] = [:]
    }

    private let state = Mutex(State())
    private let tell: (@Sendable (JSONObject) -> Void)?

    /// - Parameter tell: takes each line of the record in its order; nil where nobody collects it.
    package init(tell: (@Sendable (JSONObject) -> Void)? = nil) { self.tell = tell }

    /// A call that changed something, or declared something.
    func note(_ kind: Kind, _ entry: @autoclosure () -> AuditEntry) { tell?(entry().line(kind)) }

    /// A call that read what is known of people.
    func noteRead(_ entry: AuditEntry) {
        keep(AccessEntry(.read, entry))
        note(.read, entry)
    }

    /// A call that was refused. The same one is told once a minute.
    ///
    /// - Returns: whether it was told.
    @discardableResult
    func noteRefusal(_ entry: AuditEntry) -> Bool {
        // Who guesses keys at many doors is one who guesses keys.
        let route = entry.status == 401 ? "" : entry.route
        let refused = Refused(
            app: entry.app, key: entry.key, address: entry.address, route: route, status: entry.status)
        let isNew = state.withLock { state in
            if let known = state.refused[refused], entry.at.seconds(since: known.first.at) < Self.refusalPeriod {
                state.refused[refused]?.repeated += 1
                return false
            }
            if state.refused.count >= Self.refusalLimit { state.refused = [:] }
            state.refused[refused] = (entry, 0)
            return true
        }
        guard isNew else { return false }
        keep(AccessEntry(.refusal, entry))
        note(.refusal, entry)
        return true
    }

    private func keep(_ entry: AccessEntry) {
        state.withLock { state in
            if state.waiting.count < Self.waitingLimit { state.waiting.append(entry) } else { state.lost += 1 }
        }
    }

    /// Stores what waits. What cannot be stored is lost here, and was told.
    ///
    /// - Returns: how many entries were not kept since the last time, since too many waited.
    package func write(to store: any Store, at now: Instant) async throws -> Int {
        let (entries, lost) = state.withLock { state in
            defer { (state.waiting, state.lost) = ([], 0) }
            // How often a refusal came again is known when its minute is over.
            for (key, refused) in state.refused where now.seconds(since: refused.first.at) >= Self.refusalPeriod {
                state.refused[key] = nil
                guard refused.repeated > 0 else { continue }
                var again = AccessEntry(.refusal, refused.first)
                again.call.at = now
                again.repeated = refused.repeated
                state.waiting.append(again)
                var line = again.call.line(.refusal)
                line["repeated"] = .integer(refused.repeated)
                tell?(line)
            }
            return (state.waiting, state.lost)
        }
        guard !entries.isEmpty else { return lost }
        try await store.write { try $0.note(entries, limit: AccessEntry.limit) }
        return lost
    }
}

extension AuditEntry {
    fileprivate func line(_ kind: AuditTrail.Kind) -> JSONObject {
        var line = JSONObject([("at", .string(at.rfc3339)), ("kind", .string(kind.rawValue))])
        line["app"] = bundleID.map(JSONValue.string)
        if key != 0 { (line["key"], line["hint"]) = (.string(String(key)), .string(hint)) }
        (line["method"], line["route"]) = (.string(method), .string(route))
        if !subject.isEmpty { line["subject"] = .string(subject) }
        line["status"] = .integer(status)
        line["address"] = address.map(JSONValue.string)
        return line
    }
}
