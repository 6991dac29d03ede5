import EyotContract
import EyotDomain
import Synchronization

/// The record of calls while the process runs. It passes each line on at once, and keeps reads and refusals until they
/// are stored together.
///
/// Changes do not wait here, because they are stored in the transaction that makes them, or behind it. Only if that
/// second transaction fails, a change waits for the next one.
package final class AuditTrail: Sendable {
    /// The kind of a line in the record.
    package enum Kind: String, Sendable {
        case change, declaration, read, refusal
    }

    /// How many entries may wait to be stored. Further ones are only counted.
    static let waitingLimit = 20_000
    /// How many different refusals are tracked within a minute.
    static let refusalLimit = 10_000
    /// How many seconds the same refusal is only counted after it was reported once.
    static let refusalPeriod = 60.0
    /// How many different reads of open pages are tracked within a minute.
    static let readLimit = 20_000
    /// How many seconds the same read by an open page is not recorded again.
    static let readPeriod = 60.0

    /// The properties that make two refusals the same.
    private struct Refused: Hashable {
        var app: AppID?
        var key: Int64
        var address: String?
        var route: String
        var status: Int
    }

    /// The properties that make two reads of a member the same.
    private struct Read: Hashable {
        var app: AppID?
        var key: Int64
        var hint: String
        var address: String?
        var route: String
        var subject: String
    }

    private struct State {
        var waiting: [AccessEntry] = []
        var changes: [AuditEntry] = []
        var lost = 0
        var refused: [Refused: (first: AuditEntry, repeated: Int)] = [:]
        var reads: [Read: Instant] = [:]
    }

    private let state = Mutex(State())
    private let tell: (@Sendable (JSONObject) -> Void)?

    /// - Parameter tell: receives each line of the record in order; nil if no log collects them.
    package init(tell: (@Sendable (JSONObject) -> Void)? = nil) { self.tell = tell }

    /// Reports a call that changed or declared something.
    func note(_ kind: Kind, _ entry: @autoclosure () -> AuditEntry) { tell?(entry().line(kind)) }

    /// Reports and keeps a call that read people's data.
    func noteRead(_ entry: AuditEntry) {
        keep(AccessEntry(.read, entry))
        note(.read, entry)
    }

    /// Reports and keeps what a page of the panel read for a member. The same read is recorded once a minute, because
    /// an open page reads each second.
    package func notePageRead(_ entry: AuditEntry) {
        let read = Read(
            app: entry.app, key: entry.key, hint: entry.hint, address: entry.address, route: entry.route,
            subject: entry.subject)
        let isNew = state.withLock { state in
            if let last = state.reads[read], entry.at.seconds(since: last) < Self.readPeriod { return false }
            if state.reads.count >= Self.readLimit { state.reads = [:] }
            state.reads[read] = entry.at
            return true
        }
        if isNew { noteRead(entry) }
    }

    /// Reports and keeps a refused call. The same refusal is reported once a minute.
    ///
    /// - Returns: whether it was reported.
    @discardableResult
    package func noteRefusal(_ entry: AuditEntry) -> Bool {
        // Unknown keys are counted without the route, because guesses at several routes are still one attempt.
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

    /// Keeps a change that is made, because its entry could not be stored.
    func postpone(_ change: AuditEntry) {
        state.withLock { state in
            if state.changes.count < Self.waitingLimit { state.changes.append(change) } else { state.lost += 1 }
        }
    }

    private func keep(_ entry: AccessEntry) {
        state.withLock { state in
            if state.waiting.count < Self.waitingLimit { state.waiting.append(entry) } else { state.lost += 1 }
        }
    }

    /// Stores the waiting entries. If the store fails, reads and refusals are lost here, but they were reported.
    /// Changes go on waiting.
    ///
    /// - Returns: how many entries were dropped since the last call because too many waited.
    package func write(to store: any Store, at now: Instant) async throws -> Int {
        let (entries, lost) = state.withLock { state in
            defer { (state.waiting, state.lost) = ([], 0) }
            // The number of repetitions is known when the minute of a refusal is over.
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
            state.reads = state.reads.filter { now.seconds(since: $0.value) < Self.readPeriod }
            return (state.waiting, state.lost)
        }
        let changes = state.withLock { $0.changes }
        guard !entries.isEmpty || !changes.isEmpty else { return lost }
        try await store.write { ledger in
            for change in changes { try ledger.note(change) }
            if !entries.isEmpty { try ledger.note(entries) }
        }
        state.withLock { $0.changes.removeFirst(changes.count) }
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
