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
    /// Requests under way at a time. What is due beyond that waits in the store.
    private static let limit = 50

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
        let busy = BusyChannels()
        await withDiscardingTaskGroup { group in
            while !Task.isShuttingDownGracefully, !Task.isCancelled {
                for task in await take(except: busy.ids) {
                    busy.insert(task.channel.id)
                    group.addTask {
                        await perform(task)
                        busy.remove(task.channel.id)
                    }
                }
                // Ends early when the service has to stop; then there is nothing to be done about it.
                try? await cancelWhenGracefulShutdown { try await clock.sleep(until: clock.now + Self.pause) }
            }
        }
    }

    private func take(except busy: Set<ChannelID>) async -> [ChannelTask] {
        let clock = clock
        let room = Self.limit - busy.count
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

/// Channels for which something is under way.
private final class BusyChannels: Sendable {
    private let channels = Mutex<Set<ChannelID>>([])

    var ids: Set<ChannelID> { channels.withLock { $0 } }

    func insert(_ id: ChannelID) { channels.withLock { _ = $0.insert(id) } }

    func remove(_ id: ChannelID) { channels.withLock { _ = $0.remove(id) } }
}
