import EyotDomain
import EyotEngine

/// The tenures of nodes: their beginning, their leases and their end.
extension Simulation {
    /// Seconds between two looks at other nodes' leases, normally and in peace.
    private static let poll = 3.0
    private static let longPoll = 50.0

    /// One node has one shard. Several nodes share few shards, so that each of them changes hands often.
    var sharding: Sharding { hasNodes ? Sharding(count: 4) : .whole }

    func shard(of id: ActivityID) -> Int { sharding.shard(of: id) }

    /// Begins the life of a process: its engine serves nothing yet.
    func startEngine() {
        let core = EngineCore(limits: Self.limits(of: plan, planting: fault), of: sharding)
        node.holding = SimulatedNode.Holding(core)
        node.turns = ChannelTurns(for: .none)
        (node.isLooking, node.wakeAt) = (false, nil)
    }

    /// Begins tenures of free shards, with the engine's recovery. A node does not always want more than its share.
    func enter() throws {
        guard let holding = node.holding, node.isRunning else { return }
        node.enterAt = nil
        let share = isPeace || random.percent(30) ? sharding.count : sharding.count / nodes.count
        let free = (0..<sharding.count).map { ($0 + node.number) % sharding.count }
            .filter { holding.tenures[$0] == nil }
        var granted: [(lease: NodeLease, beginsAt: Instant)] = []
        try write {
            for shard in free where holding.tenures.count + granted.count < share {
                let entry = try Tenure.begin(of: shard, by: node.id, in: ledger, at: now, isAlone: !hasNodes)
                if case .granted(let lease, let beginsAt) = entry { granted.append((lease, beginsAt)) }
            }
            if !granted.isEmpty { try recover(Set(granted.map(\.lease.shard)), in: ledger) }
        }
        for (lease, beginsAt) in granted { begin(lease, beginsAt) }
        node.enterAt = now + (isPeace ? Self.longPoll : Self.poll)
    }

    /// Begins a tenure with a single node, which knows that the process before it is dead.
    func beginAlone() throws {
        let entry = try store.write { ledger in
            try recover([0], in: ledger)
            try noteMoment(in: ledger)
            return try Tenure.begin(by: node.id, in: ledger, at: now, isAlone: true)
        }
        guard case .granted(let lease, let beginsAt) = entry else { return }
        begin(lease, beginsAt)
    }

    private func begin(_ lease: NodeLease, _ beginsAt: Instant) {
        if hasNodes { record.note("\(node.number) begins tenure \(lease.epoch) of shard \(lease.shard)") }
        node.holding?.tenures[lease.shard] = Tenure(of: lease)
        node.holding?.ends[lease.shard] = lease.until
        node.holding?.beginning[lease.shard] = beginsAt
        serveBegun()
    }

    /// Lets the engine and the channels' reconciler begin with the shards of which the moment has come.
    private func serveBegun() {
        guard let beginning = node.holding?.beginning, !beginning.isEmpty else { return }
        let capped = beginning.mapValues { NodeLease.beginning($0, at: now) }
        let begun = Set(capped.filter { $0.value <= now }.keys)
        node.holding?.beginning = capped.filter { !begun.contains($0.key) }
        guard !begun.isEmpty else { return }
        node.holding?.served.formUnion(begun)
        serve()
    }

    private func serve() {
        guard let served = node.holding?.served else { return }
        node.turns.shards = sharding.activities(of: served)
        enqueue(.serve(served))
    }

    /// Writes in a transaction that holds leases.
    func writeHeld(_ shards: Set<Int>, _ body: (HeldLeases) throws -> Void) throws {
        guard let holding = node.holding else { throw TenureLost(shards) }
        let tenures = shards.sorted().compactMap { holding.tenures[$0] }
        guard tenures.count == shards.count else { throw TenureLost(shards) }
        var held = HeldLeases(of: sharding)
        try write {
            if fault == .tenuresUnchecked {
                for shard in shards { held.ends[shard] = now + 60 }
            } else {
                held = try Tenure.hold(tenures, of: sharding, in: ledger, at: now)
            }
            try body(held)
        }
        node.holding?.ends.merge(held.ends) { _, end in end }
    }

    /// Handles the loss of leases. The core leaves the shards, and their work under way ends.
    func lose(_ shards: Set<Int>) {
        guard let holding = node.holding else { return }
        let lost = shards.intersection(holding.tenures.keys).subtracting(holding.lost)
        guard !lost.isEmpty else { return }
        record.note("\(node.number) has lost \(lost.sorted())")
        node.holding?.lost.formUnion(lost)
        leave(lost)
    }

    /// Begins nothing more, for all shards or for some of them. The leases are given back at the end.
    func leave() throws {
        guard let holding = node.holding else { return }
        let isOfAll = random.percent(50)
        leave(Set(holding.tenures.keys.sorted().filter { _ in isOfAll || random.percent(50) }))
        try giveBack()
    }

    private func leave(_ shards: Set<Int>) {
        guard let holding = node.holding else { return }
        // The engine was not told of these, so it has nothing under way for them.
        node.holding?.finished.formUnion(shards.intersection(holding.tenures.keys).subtracting(holding.known))
        for shard in shards { node.holding?.beginning[shard] = nil }
        node.holding?.served.subtract(shards)
        serve()
    }

    /// Ends the tenures of shards in which nothing is under way.
    func giveBack() throws {
        guard let holding = node.holding else { return }
        let busy = Set(node.turns.activities.map(shard(of:)))
        for shard in holding.finished.subtracting(busy).sorted() {
            if !holding.lost.contains(shard), let tenure = holding.tenures[shard] {
                do {
                    try write { try tenure.end(in: ledger, at: now) }
                    record.note("\(node.number) gives shard \(shard) back")
                } catch is TenureLost {
                    // Another node has the lease already.
                }
            }
            node.holding?.tenures[shard] = nil
            node.holding?.ends[shard] = nil
            node.holding?.finished.remove(shard)
            node.holding?.lost.remove(shard)
            node.holding?.former.remove(shard)
            node.enterAt = node.enterAt ?? now + Self.poll
        }
    }

    func renew() throws {
        node.isRenewing = false
        guard let holding = node.holding else { return }
        do {
            try writeHeld(Set(holding.tenures.keys).subtracting(holding.lost)) { _ in }
        } catch let lost as TenureLost {
            lose(lost.shards)
            try giveBack()
        }
    }

    /// Acts on the node's own clock.
    func watchClock() throws {
        if let alarm = node.wakeAt, alarm <= now {
            node.wakeAt = nil
            enqueue(.timer)
        }
        serveBegun()
        if node.holding?.finished.isEmpty == false { try surviving(giveBack) }
        guard hasNodes else { return }
        if let moment = node.enterAt, moment <= now {
            node.enterAt = nil
            node.pending.append(.enter)
        }
        let ends = node.holding?.ends.values.min()
        let isShort = ends.map { $0.seconds(since: now) < Double(NodeLease.duration) / 2 } ?? false
        guard isShort, !node.isRenewing else { return }
        // Usually the lease was extended in time while this time passed.
        if isPeace || random.percent(80) {
            try surviving(renew)
        } else {
            node.isRenewing = true
            node.pending.append(.renew)
        }
    }

    /// Whether another node has begun a tenure of the shard since this one.
    func isOvertaken(_ epoch: Int, of shard: Int) throws -> Bool {
        try ledger.nodeLease(of: shard).map { $0.epoch != epoch } ?? false
    }
}
