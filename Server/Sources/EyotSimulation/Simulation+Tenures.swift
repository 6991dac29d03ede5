import EyotDomain
import EyotEngine

/// The tenures of nodes: their beginning, their lease and their end.
extension Simulation {
    /// Seconds between two looks at another node's lease, normally and in peace.
    private static let poll = 3.0
    private static let longPoll = 50.0

    /// Begins a tenure if no other node has one, with the engine's recovery.
    func enter() throws {
        guard node.holding == nil, node.isRunning else { return }
        node.enterAt = nil
        var entry: NodeLease.Entry?
        try write {
            entry = try Tenure.begin(by: node.id, in: ledger, at: now, isAlone: !hasNodes)
            if case .granted = entry { try recover(ledger) }
        }
        switch entry {
        case .granted(let lease, let beginsAt):
            begin(lease, beginsAt)
            enqueue(.timer)
        case .held(let until): node.enterAt = isPeace ? now + Self.longPoll : min(until, now + Self.poll)
        case nil: break
        }
    }

    /// Begins a tenure with a single node, which knows that the process before it is dead.
    func beginAlone() throws {
        let entry = try store.write { ledger in
            try recover(ledger)
            try noteMoment(in: ledger)
            return try Tenure.begin(by: node.id, in: ledger, at: now, isAlone: true)
        }
        guard case .granted(let lease, let beginsAt) = entry else { return }
        begin(lease, beginsAt)
    }

    private func begin(_ lease: NodeLease, _ beginsAt: Instant) {
        guard let tenure = Tenure(of: lease) else { return }
        if hasNodes { record.note("\(node.number) begins tenure \(lease.epoch)") }
        let core = EngineCore(limits: Self.limits(of: plan, planting: fault), beginsAt: beginsAt)
        node.holding = SimulatedNode.Holding(tenure: tenure, until: lease.until, core: core)
        node.turns = ChannelTurns(beginsAt: beginsAt)
        node.isLooking = false
        node.wakeAt = nil
    }

    /// Writes in a transaction that holds the lease.
    func writeHeld(_ body: (NodeLease) throws -> Void) throws {
        guard let holding = node.holding else { throw TenureLost() }
        var held: NodeLease?
        try write {
            let lease: NodeLease
            if fault == .tenuresUnchecked {
                lease = NodeLease(owner: node.id, epoch: holding.tenure.epoch, renewedAt: now, until: now + 60)
            } else {
                lease = try holding.tenure.hold(in: ledger, at: now)
            }
            held = lease
            try body(lease)
        }
        if let held { node.holding?.until = held.until }
    }

    /// Handles the loss of the lease. The core stops, and its work under way ends.
    func lose() {
        guard node.holding?.isLost == false else { return }
        record.note("\(node.number) has lost its lease")
        node.holding?.isLost = true
        leave()
    }

    /// Begins nothing more. The lease is given back at the end.
    func leave() {
        guard node.holding?.isLeaving == false else { return }
        node.holding?.isLeaving = true
        enqueue(.stop)
    }

    /// Ends the tenure if nothing is under way.
    func finishTenure() throws {
        guard let holding = node.holding, holding.isLeaving, holding.isFinished, node.turns.isIdle else { return }
        if !holding.isLost {
            do {
                try write { try holding.tenure.end(in: ledger, at: now) }
                record.note("\(node.number) gives its lease back")
            } catch is TenureLost {
                // Another node has the lease already.
            }
        }
        node.holding = nil
        node.pending.removeAll(where: \.isOfTenure)
        (node.wakeAt, node.isRenewing) = (nil, false)
        node.enterAt = now + Self.poll
    }

    func renew() throws {
        node.isRenewing = false
        guard node.holding?.isLeaving == false else { return }
        do { try writeHeld { _ in } } catch is TenureLost { lose() }
    }

    /// Acts on the node's own clock.
    func watchClock() throws {
        if let alarm = node.wakeAt, alarm <= now {
            node.wakeAt = nil
            enqueue(.timer)
        }
        guard hasNodes else { return }
        if let moment = node.enterAt, moment <= now {
            node.enterAt = nil
            node.pending.append(.enter)
        }
        let isShort = node.holding.map { $0.until.seconds(since: now) < Double(NodeLease.duration) / 2 } ?? false
        guard isShort, !node.isRenewing, node.holding?.isLeaving == false else { return }
        // Usually the lease was extended in time while this time passed.
        if isPeace || random.percent(80) {
            try surviving(renew)
        } else {
            node.isRenewing = true
            node.pending.append(.renew)
        }
    }

    /// Whether another node has begun a tenure since this one.
    func isOvertaken(_ epoch: Int) throws -> Bool {
        try ledger.nodeLease(of: NodeLease.wholeStore).map { $0.epoch != epoch } ?? false
    }
}

extension Simulation.Pending {
    /// Whether the item belongs to the engine or the channels' reconciler.
    fileprivate var isOfTenure: Bool {
        switch self {
        case .input, .effect, .flight, .part, .look, .ask, .told, .renew: true
        default: false
        }
    }
}
