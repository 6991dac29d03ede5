import APNSWire
import EyotContract
import EyotDomain
import EyotMetrics
import Logging
import Synchronization

/// The reconciler of channels: it broadcasts what was declared for everyone, and keeps the pool of channels.
/// ``Channel/due(in:at:profile:declaration:)`` decides what is due.
package struct ChannelKeeper: TenureWorker {
    /// Seconds between two looks at the store. An index finds what is due.
    private static let pause = 0.2

    private let pusher: any Pusher
    private let maker: any ChannelMaker
    private let credentials: Engine.CredentialsSource
    private let clock: any WallClock
    private let logger: Logger
    private let meters: Meters

    package init(
        pusher: any Pusher, maker: any ChannelMaker, credentials: @escaping Engine.CredentialsSource,
        clock: any WallClock, logger: Logger, meters: Meters = Meters()
    ) {
        self.meters = meters
        self.pusher = pusher
        self.maker = maker
        self.credentials = credentials
        self.clock = clock
        self.logger = logger
    }

    /// Runs until the tenure is over, and then until each errand under way has its answer and the answer is stored.
    package func run(in tenancy: Tenancy) async {
        let (turns, worker) = (SharedTurns(), tenancy.join())
        var known: Set<Int> = []
        await withDiscardingTaskGroup { group in
            while !tenancy.isOver, !Task.isCancelled {
                let version = tenancy.version
                known = leave(known, tenancy, turns, as: worker)
                let room = turns.change { $0.room() }
                let tasks = room.left.isEmpty ? [] : await take(in: room, of: tenancy)
                turns.change { $0.begin(tasks) }
                for task in tasks {
                    group.addTask {
                        await perform(task, in: tenancy)
                        turns.change { $0.end(task) }
                    }
                }
                await tenancy.pause(seconds: Self.pause, since: version)
            }
        }
    }

    /// Begins with the shards that the node has now, and reports the others when they have no errand under way.
    ///
    /// - Parameter known: The shards that were not left before.
    private func leave(
        _ known: Set<Int>, _ tenancy: Tenancy, _ turns: SharedTurns, as worker: Tenancy.WorkerID
    ) -> Set<Int> {
        let (served, sharding) = (tenancy.served(by: worker), tenancy.sharding)
        let busy = turns.change { turns in
            turns.shards = sharding.activities(of: served)
            return Set(turns.activities.map(sharding.shard(of:)))
        }
        let left = known.subtracting(served).subtracting(busy)
        tenancy.leave(left, by: worker)
        return known.union(served).subtracting(left)
    }

    private func take(in room: ChannelRoom, of tenancy: Tenancy) async -> [ChannelTask] {
        let clock = clock
        do {
            let (channels, clockWait) = try await tenancy.read { ledger in
                let now = clock.now
                let due = try TakeChannels(Transaction(ledger, at: now)).due(in: room)
                return (due.map(\.activity), due.compactMap { $0.clockWait(at: now) }.max())
            }
            if let clockWait { tenancy.noteCards(waitingUntil: clockWait, logger: logger) }
            guard !channels.isEmpty else { return [] }
            let shards = Set(channels.map(tenancy.sharding.shard(of:)))
            return try await tenancy.write(for: shards) { ledger, held in
                var room = room
                room.shards = held.activities
                return try TakeChannels(Transaction(ledger, at: clock.now), holding: held)(in: room)
            }
        } catch is TenureLost, is CancellationError {
            return []
        } catch {
            logger.stepFailed("The store failed; what is due for channels stays due", error)
            return []
        }
    }

    private func perform(_ task: ChannelTask, in tenancy: Tenancy) async {
        let clock = clock
        let outcome = await outcome(of: task)
        do {
            let shard = tenancy.sharding.shard(of: task.channel.activity)
            try await tenancy.writeVerdicts(for: [shard], logger: logger) { ledger in
                try SettleChannel(Transaction(ledger, at: clock.now))(task, outcome)
            }
        } catch {
            logger.stepFailed("What Apple said of a channel was not stored; it is asked again", error)
        }
    }

    private func outcome(of task: ChannelTask) async -> ChannelOutcome {
        let key = await key(of: task)
        let isLate = task.until.map { clock.now >= $0 } ?? false
        switch task.job {
        case .make:
            guard let key, !isLate else { return .answered(.failed) }
            let answer = await maker.makeChannel(of: task.app, in: task.channel.environment, with: key)
            if case .refused(let reason) = answer {
                logger.warning(
                    "Apple makes no channel",
                    metadata: [
                        "app": "\(task.app.bundleID)", "reason": "\(reason.name)", "meaning": "\(reason.meaning)",
                    ])
            }
            return .answered(answer)
        case .delete:
            guard let key, !isLate else { return .answered(.failed) }
            return .answered(await maker.delete(task.channel, of: task.app, with: key))
        case .broadcast(let push, let page, let isUrgent):
            guard let key else { return .broadcast(push, .notProcessed, stampedUpTo: 0, isUrgent: isUrgent) }
            let verdicts = await pusher.push(page, with: key)
            let verdict = verdicts.verdicts.first ?? .unknown
            meters.count(verdict, ofBroadcastIn: task.channel.environment, app: task.app)
            return .broadcast(
                push, verdict, stampedUpTo: verdicts.stampedUpTo, isUrgent: isUrgent)
        }
    }

    private func key(of task: ChannelTask) async -> PushCredentials? {
        do {
            return try await credentials(task.app.id, task.channel.environment)
        } catch {
            logger.error("The APNs key cannot be read", metadata: ["app": "\(task.app.bundleID)", "error": "\(error)"])
            return nil
        }
    }
}

/// The errands under way, shared by the loop that begins them and the tasks that end them.
private final class SharedTurns: Sendable {
    private let turns = Mutex(ChannelTurns(for: .none))

    func change<Result: Sendable>(_ body: (inout ChannelTurns) -> Result) -> Result {
        turns.withLock { body(&$0) }
    }
}
