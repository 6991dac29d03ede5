import EyotContract
import EyotDomain
import Synchronization

/// The intake of phone reports, with a log for floods of tokens.
///
/// **Problem.** At kick-off a million phones report a token within seconds, in no order. SQLite writes whole pages, so
/// a token that is set alone writes about 24 kB. Neighbours by ordinal share pages, but only if they are set together.
///
/// **Approach.** Usually ``ApplyChanges`` applies each report at once. If more than `atOnce` reports of an app are
/// under way, further reports of it wait for a log of *arrivals*:
///
/// ```
/// report -> RegistrationGate - waits -> AnswerArrivals ---> AppendArrivals --> answer to the phone
///              |                        one snapshot         one transaction
///              +- at once -> ApplyChanges                        |
///                                                          log of arrivals
///                                                                | every one to ten seconds
///                                           MergeRound -> MergeArrivals -> removal from the log
/// ```
///
/// `AnswerArrivals` accepts only reports of one card that has a clear place, mostly with its token. All others are
/// applied at once, like reports that do not fit into the log. `MergeRound` sorts the arrivals of each app by activity
/// and ordinal, so that a transaction changes few pages.
///
/// **Why it is right.**
/// - A report is answered after its arrival is on disk (R9). A new process first merges what the last one left.
/// - An arrival keeps the epoch and sequence of its report. Other reports of the device merge its arrivals first (R8).
///   A repeated merge changes nothing, so arrivals may be removed in a later transaction than their merge.
/// - The answer counts as a push, and its second goes into the arrival: later pushes carry a later second (R7).
/// - An arrival notes how far pushes had brought the replica when it was answered. If pushes were settled since, they
///   went to the former token. The merge sets the replica back to that point, and it is pushed again (R1). What is
///   noted of alerts stays, so no alert is repeated (R4).
/// - If the place is gone at the merge, the token is set in a new place of the card.
///
/// **Several nodes.** Tokens of one activity change the same rows, so that transactions of several writers would be in
/// conflict and run again and again. An append conflicts with nothing. So on a shared store two reports of an app are
/// enough for the log (``Limits/besideOthers``), and the node that pushes for an activity merges its arrivals, in line
/// with the engine's own writes. If a device has arrivals of several activities, the node of the first one merges them
/// all, in their order.
/// - Apps share groups and take turns in merges. If a merge fails, its arrivals are merged singly, and only those that
///   fail stay in the log (R10).
package final class Registrations: Sendable {
    package struct Limits: Sendable, Hashable {
        /// Reports of one app under way. Further ones wait for the log.
        package var atOnce = 64
        /// Whether all wait for the log while others are on their way into it.
        package var waitsBesideGroups = false
        /// Reports under way that are a flood, so that arrivals gather.
        package var flood = 64
        /// Reports that wait for the log, of all apps and of one app. Further ones are answered with `unavailable`.
        package var waiting = 4_096
        package var waitingOfApp = 3_072
        /// Reports that are answered and appended together, and how many such groups are under way.
        package var group = 1_024
        package var groups = 3
        /// Arrivals in the log, of all apps and of one app. Beyond them reports are applied at once.
        package var log = 2_000_000
        package var logOfApp = 1_500_000
        /// Seconds for which arrivals gather before a merge, and the most while the flood goes on. With more arrivals
        /// each one changes fewer pages of the database, and phones that wait for an answer come first.
        package var gathering = 1.0
        package var longestGathering = 10.0
        /// Arrivals of one round, merged in one transaction, and removed in one. If several apps have arrivals, a round
        /// is shorter, so that no app waits long for its next one.
        package var round = 500_000
        package var sharedRound = 100_000
        package var merge = 400
        package var remove = 5_000
        /// Seconds between looks for what other processes have appended.
        package var sweeping = 3.0
        /// How much phones may fill.
        package var quotas = AppQuotas()

        package init() {}

        /// The limits of a node on a store that others use too. What a node has appended waits for the node that merges
        /// it, and a merge stands in line with what the engine writes.
        package static var besideOthers: Limits {
            var limits = Limits()
            (limits.atOnce, limits.waitsBesideGroups) = (1, true)
            (limits.merge, limits.sweeping) = (100, 1.0)
            return limits
        }

        /// Whether arrivals that have gathered for `seconds` gather on.
        package func gatherOn(after seconds: Double, underWay: Int) -> Bool {
            seconds < longestGathering && underWay > flood
        }
    }

    /// A report that waits for the log.
    private struct Waiting: Sendable {
        var batch: DeviceChangeBatch
        var device: DeviceID
        /// Resumed with nil if the report is to be applied at once after all.
        var answer: CheckedContinuation<DeviceAnswer?, any Error>
    }

    private let store: any Store
    private let clock: any WallClock
    private let limits: Limits
    private let merges: (@Sendable (ActivityID) -> Bool)?
    private let complain: @Sendable (any Error) -> Void
    private let gate: Mutex<RegistrationGate<Waiting>>
    private let (gathered, gather) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
    private let (appended, append) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))

    /// - Parameters:
    ///   - merges: Whether this process merges the arrivals of an activity, also those that others have appended. Nil
    ///     if no other process is on the store.
    ///   - complain: Receives the error of a failed merge. The merge is tried again.
    package init(
        store: any Store, clock: any WallClock, limits: Limits = Limits(),
        merges: (@Sendable (ActivityID) -> Bool)? = nil,
        complain: @escaping @Sendable (any Error) -> Void
    ) {
        self.store = store
        self.clock = clock
        self.limits = limits
        self.merges = merges
        gate = Mutex(RegistrationGate(limits: limits))
        self.complain = complain
    }

    /// Applies a report, or appends it to the log. The report is durable when this returns (R9).
    ///
    /// - Parameter proofs: What was checked about it. A report that names a user never goes into the log, and another
    ///   one only if its card has a place.
    package func apply(
        _ batch: DeviceChangeBatch, of device: DeviceID, in app: AppID, at now: Instant,
        proofs: ReportProofs = ReportProofs()
    ) async throws -> DeviceAnswer {
        defer { gate.withLock { $0.leave(of: app) } }
        if let answer = try await log(batch, of: device, in: app) { return answer }
        return try await store.write { [limits] in
            try ApplyChanges(Transaction($0, at: now), proofs: proofs, quotas: limits.quotas)(batch, of: device)
        }
    }

    /// Keeps the log until the task is cancelled. Before and after, every report is applied at once.
    package func run() async {
        gate.withLock { $0.open() }
        await withDiscardingTaskGroup { tasks in
            tasks.addTask { await self.mergeWhatCame() }
            if merges != nil { tasks.addTask { await self.sweep() } }
            for await _ in gathered {
                while let group = gate.withLock({ $0.nextGroup() }) {
                    // Devices that lie together share pages of the database.
                    let sorted = group.sorted { $0.device.rawValue < $1.device.rawValue }
                    tasks.addTask { await self.answer(sorted) }
                }
            }
            for report in gate.withLock({ $0.close() }) { report.answer.resume(returning: nil) }
        }
    }

    // MARK: Into the log

    /// Returns the answer of a logged report, or nil if the report is to be applied at once.
    private func log(
        _ batch: DeviceChangeBatch, of device: DeviceID, in app: AppID
    ) async throws -> DeviceAnswer? {
        try await withCheckedThrowingContinuation { answer in
            let report = Waiting(batch: batch, device: device, answer: answer)
            switch gate.withLock({ $0.enter(report, of: app) }) {
            case .waits: gather.yield()
            case .refused:
                answer.resume(throwing: EyotError(.unavailable, "too many device reports are already waiting"))
            case .atOnce: answer.resume(returning: nil)
            }
        }
    }

    private func answer(_ group: [Waiting]) async {
        do {
            let answers = try await appended(group.map { ($0.batch, $0.device) })
            for (report, answer) in zip(group, answers) { report.answer.resume(returning: answer) }
        } catch is CancellationError {
            for report in group { report.answer.resume(returning: nil) }
        } catch {
            for report in group { report.answer.resume(throwing: error) }
        }
        gate.withLock { $0.endGroup() }
        gather.yield()
    }

    /// Returns the answers of the reports that are in the log now, and nil for the others.
    private func appended(_ group: [(DeviceChangeBatch, DeviceID)]) async throws -> [DeviceAnswer?] {
        let now = clock.now
        let logged = try await store.read { [limits] ledger in
            var answer = AnswerArrivals(Transaction(ledger, at: now))
            return try RoomInLog(ledger: ledger, limits: limits)(for: group.map { try answer($0.0, of: $0.1) })
        }
        let arrivals = logged.compactMap { $0?.arrival }
        guard !arrivals.isEmpty else { return logged.map { _ in nil } }
        try await store.write { try $0.append(arrivals) }
        append.yield()
        return logged.map { $0?.answer }
    }

    // MARK: Out of the log

    private func mergeWhatCame() async {
        // What an earlier process has left in the log comes first.
        append.yield()
        do {
            for await _ in appended {
                while await mergeRound() { try await gatherArrivals() }
            }
        } catch {
            // Cancelled: the rest waits for the next start.
        }
    }

    private func sweep() async {
        while (try? await clock.pause(seconds: limits.sweeping)) != nil { append.yield() }
    }

    private func gatherArrivals() async throws {
        var gathered = 0.0
        repeat {
            try await clock.pause(seconds: limits.gathering)
            gathered += limits.gathering
        } while limits.gatherOn(after: gathered, underWay: gate.withLock(\.load))
    }

    /// - Returns: Whether there may be more.
    private func mergeRound() async -> Bool {
        do {
            return try await merge()
        } catch {
            if !Task.isCancelled { complain(error) }
            return true
        }
    }

    /// - Returns: Whether there was anything to merge.
    private func merge() async throws -> Bool {
        let limits = limits
        let round = try await store.read { [merges] in try MergeRound($0, limits: limits, of: merges) }
        var (failed, failures, inARow) = (Set<Int64>(), [any Error](), 0)
        for ids in round.merges {
            // Each app failed at its last turn, so the cause is the store, and further attempts would only take time.
            guard inARow < round.apps else {
                failed.formUnion(ids)
                continue
            }
            do {
                failed.formUnion(try await merge(ids))
                inARow = 0
            } catch {
                guard !Task.isCancelled else { throw error }
                failed.formUnion(ids)
                failures.append(error)
                inARow += 1
            }
        }
        if let one = failures.first {
            guard failed.count < round.count else { throw one }
            complain(one)
        }
        for ids in round.removals {
            let merged = ids.filter { !failed.contains($0) }
            try await store.write { try $0.removeArrivals(merged) }
        }
        return !round.isEmpty
    }

    /// Writes in line with the engine if others use the store, so that the two are never in conflict.
    private func write(_ body: @escaping @Sendable (any Ledger) throws -> Void) async throws {
        if merges == nil { try await store.write(body) } else { try await store.writeUrgently(body) }
    }

    /// Merges arrivals in one transaction. If that fails, it merges them singly, so that a bad arrival does not block
    /// the others (R10).
    ///
    /// - Returns: The ids that failed. They stay in the log.
    /// - Throws: The error if none can be merged. Then the cause is the store, or the arrivals are few.
    private func merge(_ ids: [Int64]) async throws -> Set<Int64> {
        let clock = clock
        do {
            try await write { try MergeArrivals(Transaction($0, at: clock.now))(ids) }
            return []
        } catch {
            guard ids.count > 1, !Task.isCancelled else { throw error }
        }
        var failures: [Int64: any Error] = [:]
        for id in ids {
            do {
                try await write { try MergeArrivals(Transaction($0, at: clock.now))([id]) }
            } catch {
                failures[id] = error
            }
        }
        guard let one = failures.values.first else { return [] }
        if failures.count == ids.count { throw one }
        complain(one)
        return Set(failures.keys)
    }
}
