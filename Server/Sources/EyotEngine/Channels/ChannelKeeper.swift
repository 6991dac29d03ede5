import APNSWire
import EyotContract
import EyotDomain
import Logging
import ServiceLifecycle
import Synchronization

/// Brings channels to what was declared for everyone, and keeps their pool. It decides nothing itself: what is due is said by
/// ``Channel/due(in:at:declaration:)``.
package struct ChannelKeeper: Service {
    /// Seconds between two looks at the store. What is due is found by an index.
    private static let pause = 0.2

    private let store: any Store
    private let pusher: any Pusher
    private let maker: any ChannelMaker
    private let credentials: Engine.CredentialsSource
    private let clock: any WallClock
    private let logger: Logger

    package init(
        store: any Store, pusher: any Pusher, maker: any ChannelMaker,
        credentials: @escaping Engine.CredentialsSource, clock: any WallClock, logger: Logger
    ) {
        self.store = store
        self.pusher = pusher
        self.maker = maker
        self.credentials = credentials
        self.clock = clock
        self.logger = logger
    }

    /// Runs until graceful shutdown, and then until what is under way has its answer and that is stored.
    package func run() async throws {
        let turns = SharedTurns(startedAt: clock.now)
        await withDiscardingTaskGroup { group in
            while !Task.isShuttingDownGracefully, !Task.isCancelled {
                let tasks = await take(in: turns.current)
                turns.change { $0.begin(tasks) }
                for task in tasks {
                    group.addTask {
                        await perform(task)
                        turns.change { $0.end(task) }
                    }
                }
                // Ends early when the service has to stop; then there is nothing to be done about it.
                try? await cancelWhenGracefulShutdown { try await clock.pause(seconds: Self.pause) }
            }
        }
    }

    private func take(in turns: ChannelTurns) async -> [ChannelTask] {
        let (clock, busy) = (clock, turns.busy)
        let room = turns.room(at: clock.now)
        guard room > 0 else { return [] }
        do {
            let hasWork = try await store.read { try !$0.dueChannels(at: clock.now, limit: busy.count + 1).isEmpty }
            guard hasWork else { return [] }
            return try await store.write { try TakeChannels(ledger: $0, now: clock.now)(limit: room, except: busy) }
        } catch {
            logger.error("The store failed; what is due for channels stays due", metadata: ["error": "\(error)"])
            return []
        }
    }

    private func perform(_ task: ChannelTask) async {
        let clock = clock
        let outcome = await outcome(of: task)
        do {
            try await store.write { try SettleChannel(ledger: $0, now: clock.now)(task, outcome) }
        } catch {
            logger.error(
                "What Apple said of a channel was not stored; it is asked again", metadata: ["error": "\(error)"])
        }
    }

    private func outcome(of task: ChannelTask) async -> ChannelOutcome {
        let key = await key(of: task)
        switch task.job {
        case .make:
            guard let key else { return .answered(.failed) }
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
            guard let key else { return .answered(.failed) }
            return .answered(await maker.delete(task.channel, of: task.app, with: key))
        case .broadcast(let push, let page, let isUrgent):
            guard let key else { return .broadcast(push, .notProcessed, isUrgent: isUrgent) }
            let verdict = await pusher.push(page, with: key).verdicts.first ?? .unknown
            return .broadcast(push, verdict, isUrgent: isUrgent)
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

/// What is under way, known to the loop that begins it and to the tasks that end it.
private final class SharedTurns: Sendable {
    private let turns: Mutex<ChannelTurns>

    init(startedAt: Instant) { turns = Mutex(ChannelTurns(startedAt: startedAt)) }

    var current: ChannelTurns { turns.withLock { $0 } }

    func change(_ body: (inout ChannelTurns) -> Void) { turns.withLock { body(&$0) } }
}
