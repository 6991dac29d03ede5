import EyotContract
import EyotDomain
import Synchronization

/// Takes in what phones report. Usually each report is applied at once. While very many come together, those that bring a token
/// and nothing else are answered from one snapshot, go into the log together, and are merged in the order of the ordinals.
package final class Registrations: Sendable {
    package struct Limits: Sendable, Hashable {
        /// Reports of one app under way beyond which further ones of it go into the log.
        package var atOnce = 64
        /// Reports that wait for the log, and those of one app among them. Further ones are answered with `unavailable`.
        package var waiting = 4_096
        package var waitingOfApp = 3_072
        /// Reports that are answered and appended together, and how many such groups are under way.
        package var group = 1_024
        package var groups = 3
        /// Arrivals in the log, and those of one app among them. Beyond them reports are applied at once, as fast as that goes.
        package var log = 2_000_000
        package var logOfApp = 1_500_000
        /// Seconds for which arrivals gather before they are merged, and for how many they do at most while the flood goes on:
        /// the more there are, the fewer pages of the database each of them costs, and phones that wait come first.
        package var gathering = 1.0
        package var longestGathering = 10.0
        /// Arrivals that are merged in one go, in one transaction, and removed in one. Where several apps have some, a go is
        /// shorter, so that none of them waits long for its next.
        package var round = 500_000
        package var sharedRound = 100_000
        package var merge = 400
        package var remove = 5_000
        /// How much phones may fill.
        package var quotas = AppQuotas()

        package init() {}

        /// Whether arrivals that have gathered for so many seconds gather on.
        package func gatherOn(after seconds: Double, underWay: Int) -> Bool {
            seconds < longestGathering && underWay > atOnce
        }
    }

    /// A report that waits for the log.
    private struct Waiting: Sendable {
        var batch: DeviceChangeBatch
        var device: DeviceID
        /// Nil where it is to be applied at once after all.
        var answer: CheckedContinuation<DeviceAnswer?, any Error>
    }

    private let store: any Store
    private let clock: any WallClock
    private let limits: Limits
    private let complain: @Sendable (any Error) -> Void
    private let gate: Mutex<RegistrationGate<Waiting>>
    private let (gathered, gather) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
    private let (appended, append) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))

    /// - Parameter complain: told why a merge failed; it is tried again.
    package init(
        store: any Store, clock: any WallClock, limits: Limits = Limits(),
        complain: @escaping @Sendable (any Error) -> Void
    ) {
        self.store = store
        self.clock = clock
        self.limits = limits
        gate = Mutex(RegistrationGate(limits: limits))
        self.complain = complain
    }

    /// Applies a report, or has it applied. What it says is durable when this returns (R9).
    ///
    /// - Parameters:
    ///   - identities: what was found of the users that it names. A report that names one never goes into the log.
    ///   - opened: activities whose join secrets the phone has shown. A report goes into the log only where its card has a place.
    package func apply(
        _ batch: DeviceChangeBatch, of device: DeviceID, in app: AppID, at now: Instant,
        identities: [Int: IdentityVerdict] = [:], opened: Set<ActivityID> = []
    ) async throws -> DeviceAnswer {
        defer { gate.withLock { $0.leave(of: app) } }
        if let answer = try await log(batch, of: device, in: app) { return answer }
        return try await store.write { [limits] in
            try ApplyChanges(ledger: $0, now: now, identities: identities, opened: opened, quotas: limits.quotas)(
                batch, of: device)
        }
    }

    /// Keeps the log until this is cancelled. Before and after, every report is applied at once.
    package func run() async {
        gate.withLock { $0.open() }
        await withDiscardingTaskGroup { tasks in
            tasks.addTask { await self.mergeWhatCame() }
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

    /// Nil where the report is to be applied at once.
    private func log(
        _ batch: DeviceChangeBatch, of device: DeviceID, in app: AppID
    ) async throws -> DeviceAnswer? {
        try await withCheckedThrowingContinuation { answer in
            let report = Waiting(batch: batch, device: device, answer: answer)
            switch gate.withLock({ $0.enter(report, of: app) }) {
            case .waits: gather.yield()
            case .refused:
                answer.resume(throwing: EyotError(.unavailable, "too many reports are waiting already"))
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

    /// The answers of those that are in the log.
    private func appended(_ group: [(DeviceChangeBatch, DeviceID)]) async throws -> [DeviceAnswer?] {
        let now = clock.now
        let answered = try await store.read { ledger in
            var answer = AnswerArrivals(ledger: ledger, now: now)
            return try group.map { try answer($0.0, of: $0.1) }
        }
        let limits = limits
        let answers = try await store.write { try AppendArrivals(ledger: $0, limits: limits)(answered) }
        append.yield()
        return answers
    }

    // MARK: Out of the log

    private func mergeWhatCame() async {
        // What a process that is gone has left there comes first.
        append.yield()
        do {
            for await _ in appended {
                while await mergeRound() { try await gatherArrivals() }
            }
        } catch {
            // Cancelled: what is left waits for the next start.
        }
    }

    private func gatherArrivals() async throws {
        var gathered = 0.0
        repeat {
            try await clock.pause(seconds: limits.gathering)
            gathered += limits.gathering
        } while limits.gatherOn(after: gathered, underWay: gate.withLock(\.load))
    }

    /// - Returns: whether there may be more.
    private func mergeRound() async -> Bool {
        do {
            return try await merge()
        } catch {
            if !Task.isCancelled { complain(error) }
            return true
        }
    }

    /// - Returns: whether there was anything.
    private func merge() async throws -> Bool {
        let limits = limits
        let round = try await store.read { try MergeRound($0, limits: limits) }
        var (failed, failures, inARow) = (Set<Int64>(), [any Error](), 0)
        for ids in round.merges {
            // No app got on at its last turn: then it is the store, and the others would only take time.
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

    /// Merges some at once, or, where that fails, one by one: whatever is the matter with one keeps nobody else's waiting (R10).
    ///
    /// - Returns: those that failed. They stay in the log.
    /// - Throws: where none can be merged: then it is the store, or they are few.
    private func merge(_ ids: [Int64]) async throws -> Set<Int64> {
        let clock = clock
        do {
            try await store.write { try MergeArrivals(ledger: $0, now: clock.now)(ids) }
            return []
        } catch {
            guard ids.count > 1, !Task.isCancelled else { throw error }
        }
        var failures: [Int64: any Error] = [:]
        for id in ids {
            do {
                try await store.write { try MergeArrivals(ledger: $0, now: clock.now)([id]) }
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
