import EyotDomain
import Logging
import ServiceLifecycle

/// A task of a node while it pushes.
package protocol TenureWorker: Sendable {
    /// Works on the shards that are served until all is over, and leaves those that are not served any longer when it
    /// has finished what is under way (``Tenancy/leave(_:)``).
    func run(in tenancy: Tenancy) async
}

/// The service that pushes what the store has due, alone or together with other nodes. It takes the leases of its share
/// of the shards, lets its workers run, and gives leases back that other nodes are to have (``Tenancy``).
package struct Node: Service {
    /// Seconds between two looks at the other nodes and their leases, and after a failure.
    private static let poll = 1.0
    private static let shortestWait = 0.01

    private let tenancy: Tenancy
    private let workers: [any TenureWorker]
    private let keeper: @Sendable () -> LeaseKeeper
    private let store: any Store
    private let clock: any WallClock
    private let pushing: PushingState
    private let logger: Logger

    /// - Parameters:
    ///   - workers: Run side by side.
    ///   - place: How the node shares the store with others.
    ///   - pushing: Records whether this node pushes, and why not.
    package init(
        store: any Store, workers: [any TenureWorker], place: NodePlace, clock: any WallClock,
        pushing: PushingState? = nil, logger: Logger
    ) {
        var random = SystemRandomNumberGenerator()
        let id = NodeID(rawValue: [random.next(), random.next()].map { String($0, radix: 16) }.joined(separator: "-"))
        let state = pushing ?? PushingState(at: clock.now)
        let tenancy = Tenancy(
            of: place.sharding, workers: workers.count, store: store, clock: clock, pushing: state)
        keeper = { LeaseKeeper(id: id, place: place, tenancy: tenancy, store: store, clock: clock, logger: logger) }
        (self.tenancy, self.workers) = (tenancy, workers)
        (self.store, self.clock, self.pushing, self.logger) = (store, clock, state, logger)
    }

    /// Runs until graceful shutdown, and then until everything in flight has its verdict and the verdicts are stored.
    package func run() async throws {
        await withDiscardingTaskGroup { group in
            // A hint for a shard that is not served is dropped, because the store has what is due.
            group.addTask { for await ids in store.woken { tenancy.wake(ids) } }
            group.addTask { await watchClock() }
            group.addTask {
                await withDiscardingTaskGroup { workers in
                    for worker in self.workers { workers.addTask { await worker.run(in: tenancy) } }
                }
            }
            var keeper = keeper()
            while !Task.isCancelled, !Task.isShuttingDownGracefully {
                let next = await keeper.tend()
                if let setBack = keeper.takeSetBack() {
                    group.addTask { await tenancy.recall(after: setBack, logger: logger) }
                }
                await pause(until: next)
            }
            if !Task.isCancelled { await keeper.finish() }
            tenancy.end()
            group.cancelAll()
        }
    }

    /// Waits until a moment, until a worker has left a shard, or until the node is to stop.
    private func pause(until moment: Instant?) async {
        let now = clock.now
        let seconds = min(Self.poll, max(Self.shortestWait, moment.map { $0.seconds(since: now) } ?? Self.poll))
        await withTaskGroup(of: Void.self) { group in
            // An error means that the node stops, which the loop checks.
            group.addTask { try? await cancelWhenGracefulShutdown { try await clock.pause(seconds: seconds) } }
            group.addTask { await tenancy.departures.wait() }
            await group.next()
            group.cancelAll()
        }
    }

    /// Checks once a second whether the clock was set back.
    private func watchClock() async {
        var watch = ClockWatch()
        while !Task.isCancelled {
            if let setBack = watch.read(clock.now, uptime: clock.uptime) {
                pushing.note(setBack)
                logger.warning(
                    "The clock was set back, so cards that were pushed with later seconds wait for it",
                    metadata: ["seconds": "\(Int(setBack.seconds.rounded()))"])
                await tenancy.recall(after: setBack, logger: logger)
            }
            // An error means that the node has stopped, which the loop checks.
            try? await clock.pause(seconds: Self.poll)
        }
    }
}

/// How a node shares a store with others.
package struct NodePlace: Sendable {
    /// No other process can use the store. The node does not wait for the lease of a dead process, and writes nothing
    /// while it is idle.
    package static let alone = NodePlace(sharding: .whole, isAlone: true)

    package let sharding: Sharding
    let isAlone: Bool
    /// What people call the node, and the version of its program.
    let name: String
    let version: String
    /// Asks the store for its time; nil for a store without a clock of its own.
    let storeTime: (@Sendable () async throws -> Instant)?

    private init(sharding: Sharding, isAlone: Bool) {
        (self.sharding, self.isAlone, name, version, storeTime) = (sharding, isAlone, "", "", nil)
    }

    /// A place among other nodes.
    package init(
        among sharding: Sharding, name: String, version: String,
        storeTime: (@Sendable () async throws -> Instant)? = nil
    ) {
        (self.sharding, isAlone, self.name, self.version) = (sharding, false, name, version)
        self.storeTime = storeTime
    }
}
