import EyotContract
import EyotDomain
import Synchronization

/// Takes in what phones report. Usually each report is applied at once. While very many come together, those that bring a token
/// and nothing else are answered from one snapshot, go into the log together, and are merged in the order of the ordinals.
package final class Registrations: Sendable {
    package struct Limits: Sendable, Hashable {
        /// Reports under way beyond which further ones go into the log.
        package var atOnce = 64
        /// Reports that wait for the log. Further ones are answered with `unavailable`.
        package var waiting = 4_096
        /// Reports that are answered and appended together, and how many such groups are under way.
        package var group = 2_048
        package var groups = 2
        /// Arrivals in the log. Beyond them reports are applied at once, as fast as that goes.
        package var log = 2_000_000
        /// Seconds for which arrivals gather before they are merged: the more there are, the fewer pages of the database each
        /// of them costs.
        package var gathering = 1.0
        /// Arrivals that are merged in one go, in one transaction, and removed in one.
        package var round = 500_000
        package var merge = 400
        package var remove = 5_000

        package init() {}
    }

    /// A report that waits for the log.
    private struct Waiting: Sendable {
        var batch: DeviceChangeBatch
        var device: DeviceID
        /// Nil where it is to be applied at once after all.
        var answer: CheckedContinuation<DeviceAnswer?, any Error>
    }

    private struct State {
        var isOpen = false
        var underWay = 0
        var waiting: [Waiting] = []
        var groups = 0
    }

    private let store: any Store
    private let clock: any WallClock
    private let limits: Limits
    private let complain: @Sendable (any Error) -> Void
    private let state = Mutex(State())
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
        self.complain = complain
    }

    /// Applies a report, or has it applied. What it says is durable when this returns (R9).
    package func apply(_ batch: DeviceChangeBatch, of device: DeviceID, at now: Instant) async throws -> DeviceAnswer {
        let isFlood = state.withLock { state in
            state.underWay += 1
            return state.isOpen && state.underWay > limits.atOnce
        }
        defer { state.withLock { $0.underWay -= 1 } }
        if isFlood, let answer = try await log(batch, of: device) { return answer }
        return try await store.write { try ApplyChanges(ledger: $0, now: now)(batch, of: device) }
    }

    /// Keeps the log until this is cancelled. Before and after, every report is applied at once.
    package func run() async {
        state.withLock { $0.isOpen = true }
        await withDiscardingTaskGroup { tasks in
            tasks.addTask { await self.mergeWhatCame() }
            for await _ in gathered {
                while let group = nextGroup() { tasks.addTask { await self.answer(group) } }
            }
            let left = state.withLock { state in
                defer { state.waiting = [] }
                state.isOpen = false
                return state.waiting
            }
            for report in left { report.answer.resume(returning: nil) }
        }
    }

    // MARK: Into the log

    private func log(_ batch: DeviceChangeBatch, of device: DeviceID) async throws -> DeviceAnswer? {
        try await withCheckedThrowingContinuation { answer in
            enum Place { case kept, full, closed }
            let place: Place = state.withLock { state in
                guard state.isOpen else { return .closed }
                guard state.waiting.count < limits.waiting else { return .full }
                state.waiting.append(Waiting(batch: batch, device: device, answer: answer))
                return .kept
            }
            switch place {
            case .kept: gather.yield()
            case .full:
                answer.resume(
                    throwing: EyotError(.unavailable, "\(limits.waiting) reports are waiting already"))
            case .closed: answer.resume(returning: nil)
            }
        }
    }

    private func nextGroup() -> [Waiting]? {
        state.withLock { state in
            guard !state.waiting.isEmpty, state.groups < limits.groups else { return nil }
            state.groups += 1
            let group = Array(state.waiting.prefix(limits.group))
            state.waiting.removeFirst(group.count)
            return group
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
        state.withLock { $0.groups -= 1 }
        gather.yield()
    }

    /// The answers of those that are in the log.
    private func appended(_ group: [(DeviceChangeBatch, DeviceID)]) async throws -> [DeviceAnswer?] {
        let now = clock.now
        let answered = try await store.read { ledger in
            var answer = AnswerArrivals(ledger: ledger, now: now)
            return try group.map { try answer($0.0, of: $0.1) }
        }
        let limit = limits.log
        let answers: [DeviceAnswer?] = try await store.write { ledger in
            guard try ledger.arrivalSpan() + answered.count <= limit else { return answered.map { _ in nil } }
            return try answered.map { report in
                guard let report, try ledger.append(report.arrival) else { return nil }
                return report.answer
            }
        }
        append.yield()
        return answers
    }

    // MARK: Out of the log

    private func mergeWhatCame() async {
        // What a process that is gone has left there comes first.
        append.yield()
        do {
            for await _ in appended {
                while await mergeRound() { try await clock.pause(seconds: limits.gathering) }
            }
        } catch {
            // Cancelled: what is left waits for the next start.
        }
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
        let (limit, clock) = (limits.round, clock)
        var places = try await store.read { try $0.arrivalPlaces(limit: limit) }
        guard !places.isEmpty else { return false }
        places.sort { ($0.activity.rawValue, $0.ordinal) < ($1.activity.rawValue, $1.ordinal) }
        var ids = places.map(\.id)
        try await inTurns(ids, limits.merge) { try MergeArrivals(ledger: $0, now: clock.now)($1) }
        ids.sort()
        try await inTurns(ids, limits.remove) { ledger, ids in for id in ids { try ledger.removeArrival(id) } }
        return true
    }

    private func inTurns(
        _ ids: [Int64], _ count: Int, _ body: @escaping @Sendable (any Ledger, ArraySlice<Int64>) throws -> Void
    ) async throws {
        for first in stride(from: 0, to: ids.count, by: count) {
            let slice = ids[first..<min(first + count, ids.count)]
            try await store.write { try body($0, slice) }
        }
    }
}
