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
        package var group = 2_048
        package var groups = 2
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
        var app: AppID
        /// Nil where it is to be applied at once after all.
        var answer: CheckedContinuation<DeviceAnswer?, any Error>
    }

    private struct State {
        var isOpen = false
        var underWay: [AppID: Int] = [:]
        var waiting = AppTurns<Waiting>()
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
    package func apply(
        _ batch: DeviceChangeBatch, of device: DeviceID, in app: AppID, at now: Instant
    ) async throws -> DeviceAnswer {
        let isFlood = state.withLock { state in
            let underWay = (state.underWay[app] ?? 0) + 1
            state.underWay[app] = underWay
            return state.isOpen && underWay > limits.atOnce
        }
        defer {
            state.withLock { state in
                let left = (state.underWay[app] ?? 0) - 1
                state.underWay[app] = left > 0 ? left : nil
            }
        }
        if isFlood, let answer = try await log(batch, of: device, in: app) { return answer }
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
                state.isOpen = false
                return state.waiting.share(.max)
            }
            for report in left { report.answer.resume(returning: nil) }
        }
    }

    // MARK: Into the log

    private func log(
        _ batch: DeviceChangeBatch, of device: DeviceID, in app: AppID
    ) async throws -> DeviceAnswer? {
        try await withCheckedThrowingContinuation { answer in
            enum Place { case kept, full, closed }
            let place: Place = state.withLock { state in
                guard state.isOpen else { return .closed }
                guard state.waiting.count < limits.waiting, state.waiting.count(of: app) < limits.waitingOfApp else {
                    return .full
                }
                let report = Waiting(batch: batch, device: device, app: app, answer: answer)
                state.waiting.append(CollectionOfOne(report), of: app)
                return .kept
            }
            switch place {
            case .kept: gather.yield()
            case .full:
                answer.resume(
                    throwing: EyotError(.unavailable, "too many reports are waiting already"))
            case .closed: answer.resume(returning: nil)
            }
        }
    }

    private func nextGroup() -> [Waiting]? {
        state.withLock { state in
            guard !state.waiting.isEmpty, state.groups < limits.groups else { return nil }
            state.groups += 1
            // Devices that lie together share pages of the database.
            return state.waiting.share(limits.group).sorted { $0.device.rawValue < $1.device.rawValue }
        }
    }

    private func answer(_ group: [Waiting]) async {
        do {
            let answers = try await appended(group.map { ($0.batch, $0.device, $0.app) })
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
    private func appended(_ group: [(DeviceChangeBatch, DeviceID, AppID)]) async throws -> [DeviceAnswer?] {
        let now = clock.now
        let answered = try await store.read { ledger in
            var answer = AnswerArrivals(ledger: ledger, now: now)
            return try group.map { try answer($0.0, of: $0.1) }
        }
        let (limits, apps) = (limits, Set(group.map(\.2)))
        let answers: [DeviceAnswer?] = try await store.write { ledger in
            guard try ledger.arrivalSpan() + answered.count <= limits.log else { return answered.map { _ in nil } }
            let full = try apps.filter { try ledger.arrivalSpan(of: $0) + answered.count > limits.logOfApp }
            return try answered.map { report in
                guard let report, !full.contains(report.arrival.app), try ledger.append(report.arrival) else {
                    return nil
                }
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
        } while limits.gatherOn(after: gathered, underWay: state.withLock { $0.underWay.values.reduce(0, +) })
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
        let (limits, clock) = (limits, clock)
        var apps = try await store.read { ledger in
            try ledger.apps().map(\.id).filter { try ledger.arrivalSpan(of: $0) > 0 }
        }
        guard !apps.isEmpty else { return false }
        apps.sort { $0.rawValue < $1.rawValue }
        var (turns, ids) = (AppTurns<Int64>(), [Int64]())
        let share = apps.count > 1 ? max(1, limits.sharedRound / apps.count) : limits.round
        for app in apps {
            var places = try await store.read { try $0.arrivalPlaces(of: app, limit: share) }
            places.sort { ($0.activity.rawValue, $0.ordinal) < ($1.activity.rawValue, $1.ordinal) }
            turns.append(places.map(\.id), of: app)
            ids += places.map(\.id)
        }
        while !turns.isEmpty {
            let part = turns.next(limits.merge)
            try await store.write { try MergeArrivals(ledger: $0, now: clock.now)(part) }
        }
        ids.sort()
        for first in stride(from: 0, to: ids.count, by: limits.remove) {
            let part = ids[first..<min(first + limits.remove, ids.count)]
            try await store.write { ledger in for id in part { try ledger.removeArrival(id) } }
        }
        return true
    }
}
