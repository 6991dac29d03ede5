import EyotDomain
import Logging
import ServiceLifecycle
import Synchronization

/// A task of a node while it holds the lease.
package protocol TenureWorker: Sendable {
    /// Works until the tenure is over, and then finishes what is under way.
    func run(in tenancy: Tenancy) async throws
}

/// The service that pushes while no other node on the store does. It takes the lease, lets its workers run, and waits
/// for the next tenure when another node has taken it (``Tenancy``).
package struct Node: Service {
    /// Seconds between two looks at another node's lease, and after a failure.
    private static let poll = 1.0
    private static let shortestWait = 0.01

    private let id: NodeID
    private let store: any Store
    private let workers: [any TenureWorker]
    private let isAlone: Bool
    private let clock: any WallClock
    private let pushing: PushingState
    private let logger: Logger

    /// - Parameters:
    ///   - workers: Run side by side in each tenure.
    ///   - isAlone: Whether no other process can use the store. Then the node does not wait for the lease of a dead
    ///     process, and an idle node writes nothing.
    ///   - pushing: Records whether this node pushes, and why not.
    package init(
        store: any Store, workers: [any TenureWorker], isAlone: Bool, clock: any WallClock,
        pushing: PushingState? = nil, logger: Logger
    ) {
        var random = SystemRandomNumberGenerator()
        id = NodeID(rawValue: [random.next(), random.next()].map { String($0, radix: 16) }.joined(separator: "-"))
        self.store = store
        self.workers = workers
        self.isAlone = isAlone
        self.clock = clock
        self.pushing = pushing ?? PushingState(at: clock.now)
        self.logger = logger
    }

    /// Runs until graceful shutdown, and then until everything in flight has its verdict and the verdicts are stored.
    package func run() async throws {
        let current = CurrentTenancy()
        await withDiscardingTaskGroup { group in
            // One consumer for all tenures. A hint between two tenures is dropped, because the store has what is due.
            group.addTask { for await ids in store.woken { current.value?.wake(ids) } }
            group.addTask { await watchClock(current) }
            var isFirst = true
            while let beginning = await begin(isAlone: isAlone && isFirst) {
                isFirst = false
                current.value = beginning.tenancy
                await serve(beginning)
                current.value = nil
            }
            group.cancelAll()
        }
    }

    /// A tenure that begins.
    private struct Beginning {
        var tenancy: Tenancy
        /// How far the clock was set back since the store was last pushed from; nil if it was not.
        var setBack: ClockSetBack?
    }

    /// Waits for the lease.
    ///
    /// - Returns: nil if the node must stop first.
    private func begin(isAlone: Bool) async -> Beginning? {
        var hasSaid = false
        var watch = LeaseWatch()
        while !Task.isCancelled, !Task.isShuttingDownGracefully {
            var wait = Self.poll
            do {
                let (entry, setBack) = try await enter(isAlone: isAlone, &watch)
                switch entry {
                case .granted(let lease, let beginsAt):
                    guard let tenure = Tenure(of: lease) else { continue }
                    logger.debug("This node pushes", metadata: ["epoch": "\(lease.epoch)"])
                    pushing.note(epoch: lease.epoch, beginsAt: beginsAt)
                    note(setBack, beginsAt)
                    let tenancy = Tenancy(
                        tenure, until: lease.until, beginsAt: beginsAt, store: store, clock: clock, pushing: pushing)
                    return Beginning(tenancy: tenancy, setBack: setBack)
                case .held(let until):
                    pushing.note(.otherNode)
                    wait = min(wait, max(Self.shortestWait, until.seconds(since: clock.now)))
                    if !hasSaid { logger.info("Another node pushes; this one takes over when that one is gone") }
                    hasSaid = true
                }
            } catch is CancellationError {
                return nil
            } catch {
                pushing.note(.storeFails)
                logger.error("The store failed; nothing is pushed until it answers", metadata: ["error": "\(error)"])
            }
            // An error means that the service stops, which the loop checks.
            try? await cancelWhenGracefulShutdown { [wait] in try await clock.pause(seconds: wait) }
        }
        return nil
    }

    /// Tries to take the lease. While another node has it, this node only reads.
    private func enter(
        isAlone: Bool, _ watch: inout LeaseWatch
    ) async throws -> (entry: NodeLease.Entry, setBack: ClockSetBack?) {
        let (id, clock) = (id, clock)
        let former = try await store.read { try $0.nodeLease(of: NodeLease.wholeStore) }
        let abandoned = watch.abandoned(former, uptime: clock.uptime)
        let now = clock.now
        let seen = NodeLease.entry(
            of: id, after: former, at: now, isAlone: isAlone, isAbandoned: abandoned != nil)
        if case .held = seen { return (seen, nil) }
        let entry = try await store.writeUrgently {
            try Tenure.begin(by: id, in: $0, at: clock.now, isAlone: isAlone, abandoned: abandoned)
        }
        return (entry, former?.setBack(at: now))
    }

    /// Records that a tenure begins, and whether it waits because the clock was set back.
    private func note(_ setBack: ClockSetBack?, _ beginsAt: Instant) {
        guard let setBack else { return pushing.note(nil) }
        pushing.note(setBack)
        pushing.note(.clockSetBack, until: beginsAt)
        logger.warning(
            "The clock reads less than when this store was last pushed from, so pushing waits",
            metadata: ["seconds": "\(Int(setBack.seconds.rounded()))", "until": "\(beginsAt.rfc3339)"])
    }

    /// Checks once a second whether the clock was set back.
    private func watchClock(_ current: CurrentTenancy) async {
        var watch = ClockWatch()
        while !Task.isCancelled {
            if let setBack = watch.read(clock.now, uptime: clock.uptime) {
                pushing.note(setBack)
                logger.warning(
                    "The clock was set back, so cards that were pushed with later seconds wait for it",
                    metadata: ["seconds": "\(Int(setBack.seconds.rounded()))"])
                await current.value?.recall(after: setBack, logger: logger)
            }
            // An error means that the node has stopped, which the loop checks.
            try? await clock.pause(seconds: Self.poll)
        }
    }

    private func serve(_ beginning: Beginning) async {
        let tenancy = beginning.tenancy
        await withDiscardingTaskGroup { group in
            if let setBack = beginning.setBack {
                group.addTask { await tenancy.recall(after: setBack, logger: logger) }
            }
            group.addTask {
                try? await gracefulShutdown()
                tenancy.end()
            }
            if !isAlone { group.addTask { await tenancy.renew() } }
            await withDiscardingTaskGroup { group in
                for worker in workers { group.addTask { await run(worker, in: tenancy) } }
            }
            group.cancelAll()
        }
        if tenancy.isLost {
            logger.warning("Another node has taken over; what was under way here counts as unknown there")
        } else if !Task.isCancelled {
            await release(tenancy)
        }
    }

    private func run(_ worker: any TenureWorker, in tenancy: Tenancy) async {
        do {
            try await worker.run(in: tenancy)
        } catch is TenureLost, is CancellationError {
            // A lost tenure is logged when all workers have ended.
        } catch {
            logger.error("Pushing failed; it begins anew", metadata: ["error": "\(error)"])
        }
        tenancy.end()
    }

    private func release(_ tenancy: Tenancy) async {
        do {
            try await tenancy.release()
        } catch {
            logger.warning("The lease was not given back; it runs out", metadata: ["error": "\(error)"])
        }
    }
}

/// The tenure that this node has at the moment; nil between two.
private final class CurrentTenancy: Sendable {
    private let tenancy = Mutex<Tenancy?>(nil)

    var value: Tenancy? {
        get { tenancy.withLock(\.self) }
        set { tenancy.withLock { $0 = newValue } }
    }
}
