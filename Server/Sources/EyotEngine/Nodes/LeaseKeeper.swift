import EyotDomain
import Logging

/// The part of a node that takes, extends and gives back leases. ``tend()`` looks at the other nodes once and does what
/// is to be done.
struct LeaseKeeper {
    let id: NodeID
    let place: NodePlace
    let tenancy: Tenancy
    let store: any Store
    let clock: any WallClock
    let logger: Logger

    private let startedAt: Instant
    private var membership = Membership()
    private var watch = LeaseWatch()
    private var isFirst = true
    /// The uptime at this node's last beat; nil before the first.
    private var beatAt: Double?
    private var isDrained = false
    private var isClockApart = false
    /// Tenures that are recovered and begin later.
    private var beginning: [Int: Instant] = [:]
    private var setBack: ClockSetBack?
    private var hasSaid = false

    init(
        id: NodeID, place: NodePlace, tenancy: Tenancy, store: any Store, clock: any WallClock, logger: Logger
    ) {
        (self.id, self.place, self.tenancy) = (id, place, tenancy)
        (self.store, self.clock, self.logger) = (store, clock, logger)
        startedAt = clock.now
        tenancy.pushing.note(serving: [], of: place.sharding)
    }

    private var pushing: PushingState { tenancy.pushing }
    private var sharding: Sharding { place.sharding }

    /// Returns how far the clock was set back since a lease that this node took was last extended, once.
    mutating func takeSetBack() -> ClockSetBack? {
        defer { setBack = nil }
        return setBack
    }

    /// - Returns: The moment of the next thing to do, if that is known.
    mutating func tend() async -> Instant? {
        await release()
        do {
            if place.isAlone {
                if tenancy.held.isEmpty { try await enter(upTo: 1, in: [0]) }
            } else {
                try await beat()
                try await balance()
            }
            begin()
            note()
        } catch is CancellationError {
            return nil
        } catch {
            pushing.note(.storeFails)
            logger.stepFailed("The store failed; nothing is pushed until it answers", error)
        }
        return beginning.values.min()
    }

    /// Gives everything back when the workers have finished what is under way.
    mutating func finish() async {
        tenancy.giveBack(tenancy.held)
        while !tenancy.held.isEmpty {
            await release()
            guard !tenancy.held.isEmpty, !Task.isCancelled else { break }
            await tenancy.departures.wait()
        }
        guard !place.isAlone, beatAt != nil else { return }
        // The others need not find out by themselves that this node is gone.
        do {
            try await store.writeUrgently { [id] in try $0.removeNode(id) }
        } catch {
            logger.warning("The node's record was not removed; it is forgotten later", metadata: ["error": "\(error)"])
        }
    }

    /// Gives back the leases of shards that the workers have left.
    private func release() async {
        let (kept, lost) = tenancy.takeLeft()
        if !lost.isEmpty {
            logger.warning(
                "Another node has taken over; what was under way here counts as unknown there",
                metadata: ["shards": "\(lost.count)"])
        }
        guard !kept.isEmpty else { return }
        do {
            try await tenancy.release(kept)
        } catch {
            logger.warning("Leases were not given back; they run out", metadata: ["error": "\(error)"])
        }
    }

    /// Tells the other nodes that this one lives, extends leases for which nothing is written, and learns whether the
    /// node is drained.
    private mutating func beat() async throws {
        guard beatAt.map({ clock.uptime - $0 >= Membership.beat }) ?? true else { return }
        isClockApart = try await clockIsApart()
        let uptime = clock.uptime
        // If a lease turns out to be lost, the next look beats for those that are left.
        guard let own = try await raiseBeats() else { return }
        (isDrained, beatAt) = (own.isDrained, uptime)
    }

    /// - Returns: nil if another node has one of the leases.
    private func raiseBeats() async throws -> NodeRecord? {
        let fresh = NodeRecord(id: id, name: place.name, version: place.version, at: startedAt)
        let (clock, isClockApart) = (clock, isClockApart)
        do {
            return try await tenancy.write(for: tenancy.owned) { ledger, _ in
                var own = try ledger.nodes().first { $0.id == fresh.id } ?? fresh
                own.beats += 1
                (own.seenAt, own.isClockApart) = (clock.now, isClockApart)
                try ledger.put(own)
                return own
            }
        } catch is TenureLost {
            return nil
        }
    }

    /// Whether the clocks of this machine and of the store differ by too much. The time of the question is not counted.
    private func clockIsApart() async throws -> Bool {
        guard let storeTime = place.storeTime else { return false }
        let before = clock.now
        let time = try await storeTime()
        let after = clock.now
        let isAhead = before.seconds(since: time) > NodeLease.tolerance
        let isBehind = time.seconds(since: after) > NodeLease.tolerance
        if isAhead || isBehind, !isClockApart {
            logger.error(
                "The clocks of this machine and of the database differ by more than two seconds; nothing is pushed here",
                metadata: ["seconds": "\(Int(before.seconds(since: time).rounded()))"])
        }
        return isAhead || isBehind
    }

    /// Takes free leases up to this node's share, or gives back what is above it.
    private mutating func balance() async throws {
        let (nodes, leases) = try await store.read { (try $0.nodes(), try $0.nodeLeases()) }
        let (living, forgotten) = membership.note(nodes, uptime: clock.uptime)
        if !forgotten.isEmpty {
            try await store.write { ledger in for node in forgotten { try ledger.removeNode(node) } }
        }
        let abandoned = watch.abandoned(leases, uptime: clock.uptime)
        let share = Membership.share(of: id, among: living, in: sharding)
        let wanted = isClockApart ? 0 : share.count
        let held = tenancy.held
        if held.count > wanted {
            // Those that come first in this node's order are kept.
            let surplus = share.order.isEmpty ? held.sorted() : share.order.filter(held.contains)
            let given = Set(surplus.suffix(held.count - wanted))
            for shard in given { beginning[shard] = nil }
            tenancy.giveBack(given)
        } else if held.count < wanted {
            let known = Dictionary(leases.map { ($0.shard, $0) }, uniquingKeysWith: { first, _ in first })
            let free = share.order.filter { shard in
                guard !held.contains(shard) else { return false }
                let entry = NodeLease.entry(
                    of: id, to: shard, after: known[shard], at: clock.now, isAlone: false,
                    isAbandoned: abandoned[shard] != nil)
                if case .granted = entry { return true }
                return false
            }
            try await enter(upTo: wanted - held.count, in: free, abandoned)
        }
    }

    /// Tries to take leases. While other nodes have them, this node only reads.
    private mutating func enter(
        upTo count: Int, in shards: [Int], _ abandoned: [Int: NodeLease] = [:]
    ) async throws {
        guard count > 0, !shards.isEmpty else { return }
        let (id, clock, isAlone) = (id, clock, place.isAlone && isFirst)
        if place.isAlone, try await isHeldByOther(shards, isAlone: isAlone) { return }
        let (entries, setBack) = try await store.writeUrgently { ledger in
            var entries: [NodeLease.Entry] = []
            var setBack: ClockSetBack?
            let now = clock.now
            for shard in shards where entries.count < count {
                let former = try ledger.nodeLease(of: shard)
                let entry = try Tenure.begin(
                    of: shard, by: id, in: ledger, at: now, isAlone: isAlone, abandoned: abandoned[shard])
                guard case .granted = entry else { continue }
                entries.append(entry)
                if let back = former?.setBack(at: now), back.seconds > setBack?.seconds ?? 0 { setBack = back }
            }
            return (entries, setBack)
        }
        isFirst = false
        try await begin(entries, setBack)
    }

    /// Whether another tenure of the one lease has not ended. That is asked in a read, so waiting writes nothing.
    private mutating func isHeldByOther(_ shards: [Int], isAlone: Bool) async throws -> Bool {
        let lease = try await store.read { try $0.nodeLease(of: 0) }
        let abandoned = watch.abandoned([lease].compactMap(\.self), uptime: clock.uptime)
        let entry = NodeLease.entry(
            of: id, after: lease, at: clock.now, isAlone: isAlone, isAbandoned: !abandoned.isEmpty)
        if case .held = entry { return true }
        return false
    }

    /// Marks starts and alerts of former tenures as unknown (R4, R6), and notes when the new tenures begin.
    private mutating func begin(_ entries: [NodeLease.Entry], _ back: ClockSetBack?) async throws {
        var leases: [NodeLease] = []
        for case .granted(let lease, let beginsAt) in entries {
            leases.append(lease)
            beginning[lease.shard] = beginsAt
        }
        guard let last = leases.max(by: { $0.epoch < $1.epoch }) else { return }
        tenancy.add(leases)
        let shards = Set(leases.map(\.shard))
        do {
            try await recover(shards)
        } catch {
            for shard in shards { beginning[shard] = nil }
            tenancy.giveBack(shards)
            throw error
        }
        if leases.contains(where: { $0.hasFreshDoubts(at: clock.now) }) {
            logger.warning(
                """
                The database may have forgotten its last changes. Starts that were due count as unknown: where no card \
                is reported, they are made again after 11 minutes
                """)
        }
        logger.debug("This node pushes", metadata: ["epoch": "\(last.epoch)", "shards": "\(leases.count)"])
        let moment = shards.compactMap { beginning[$0] }.max() ?? clock.now
        pushing.note(epoch: last.epoch, beginsAt: moment)
        guard let back else { return }
        setBack = back
        pushing.note(back)
        pushing.note(.clockSetBack, until: moment)
        logger.warning(
            "The clock reads less than when this store was last pushed from, so pushing waits",
            metadata: ["seconds": "\(Int(back.seconds.rounded()))", "until": "\(moment.rfc3339)"])
    }

    private func recover(_ shards: Set<Int>) async throws {
        let batch = 200
        let now = clock.now
        let activities = sharding.activities(of: shards)
        var count = batch
        while count == batch {
            count = try await tenancy.write(for: shards) { ledger, _ in
                let replicas = try ledger.unansweredStarts(limit: batch, in: activities)
                for replica in replicas { try Transaction(ledger, at: now).loseAnswer(ofStart: replica) }
                return replicas.count
            }
        }
        var hasMore = true
        while hasMore {
            hasMore = try await tenancy.write(for: shards) { ledger, _ in
                try Transaction(ledger, at: now).loseAnswers(ofAlertsIn: activities, limit: batch)
            }
        }
    }

    /// Lets the workers begin with the shards of which the moment has come. The former node may have pushed until then,
    /// and no card is pushed twice in a second (R7).
    private mutating func begin() {
        let now = clock.now
        beginning = beginning.mapValues { NodeLease.beginning($0, at: now) }
        let begun = beginning.filter { $0.value <= now }
        for shard in begun.keys { beginning[shard] = nil }
        tenancy.serve(Set(begun.keys))
    }

    /// Records whether this node pushes, and why not.
    private mutating func note() {
        let served = tenancy.served
        pushing.note(serving: served, of: sharding)
        if !served.isEmpty || !beginning.isEmpty {
            if !served.isEmpty { pushing.note(nil) }
            hasSaid = false
        } else if isClockApart {
            pushing.note(.clockApart)
        } else if isDrained {
            pushing.note(.drained)
        } else {
            pushing.note(.otherNode)
            if !hasSaid { logger.info("Other nodes push; this one takes over when one of them is gone") }
            hasSaid = true
        }
    }
}
