import APNSWire
import EyotContract
import EyotDomain
import EyotEngine
import PhoneSimulator

/// A page at the sender. Some of its pushes have left, and the sender knows some verdicts.
struct SimulatedFlight {
    let id: EngineCore.PageID
    let page: PushPage
    /// The shard, the tenure and the node that took the page.
    let shard: Int
    private(set) var epoch: Int
    let node: Int
    var next = 0
    /// The outcomes of the pushes that have left, even if the sender does not know them.
    var verdicts: PageVerdicts
    /// The slots without a verdict at the sender.
    var open: [Int]
    /// The number of slots without a verdict at the engine.
    var pending: Int
    /// The second of the next pushes, if the node stalled when they were about to leave.
    var stamped: Int?
    /// Whether the sender's time is over.
    var isExpired = false

    init(_ id: EngineCore.PageID, _ page: PushPage, of node: SimulatedNode) {
        self.id = id
        self.page = page
        shard = node.holding?.core.shard(of: id) ?? 0
        epoch = node.epoch(of: shard)
        self.node = node.number
        verdicts = PageVerdicts(count: page.count)
        open = Array(0..<page.count)
        pending = page.count
    }

    /// Whether it was taken in a former history of the database, which may have forgotten what it carries.
    var isFormer: Bool { epoch == SimulationRecord.formerTenure }

    /// Lets it belong to a former history.
    mutating func outlive() { epoch = SimulationRecord.formerTenure }

    /// Returns the known verdicts if there are more than at the last report.
    mutating func tell() -> PageVerdicts? {
        guard open.count < pending else { return nil }
        pending = open.count
        var known = verdicts
        for slot in open { (known.verdicts[slot], known.deadSince[slot]) = (.unknown, nil) }
        known.open = open
        return known
    }
}

extension Simulation {
    /// Lets a few pushes of a page leave and some answers arrive. A complete page returns its verdicts. Before that the
    /// sender may report the known ones.
    func advance(_ flight: SimulatedFlight) throws {
        var flight = flight
        var end = min(flight.page.count, flight.next + 1 + random.below(3))
        if flight.isExpired, flight.stamped == nil { end = flight.next }
        while flight.next < end {
            try leave(slot: flight.next, of: &flight)
            flight.next += 1
        }
        flight.stamped = nil
        if flight.isExpired {
            for slot in flight.next..<flight.page.count { flight.verdicts.verdicts[slot] = .notProcessed }
            flight.next = flight.page.count
        }
        // A lost push stays unknown for longer.
        let (left, verdicts) = (flight.next, flight.verdicts.verdicts)
        flight.open.removeAll { $0 < left && random.percent(verdicts[$0] == .unknown ? 30 : 80) }
        if flight.open.isEmpty {
            enqueue(.pushed(flight.id, flight.verdicts))
        } else if random.percent(40), let known = flight.tell() {
            node.pending.append(.part(flight, known))
        } else {
            node.pending.append(.flight(flight))
        }
    }

    /// Reports the known verdicts of a page to the engine. The page continues.
    func hear(_ known: PageVerdicts, of flight: SimulatedFlight) {
        record.note("known but for \(known.open.count) of \(flight.page.count)")
        step(.pushed(flight.id, known))
        node.pending.append(.flight(flight))
    }

    func leaveAll(of flight: SimulatedFlight) throws {
        var flight = flight
        while flight.next < flight.page.count {
            try leave(slot: flight.next, of: &flight)
            flight.next += 1
        }
    }

    enum Fate {
        case apple
        case refused(APNSReason)
        case notProcessed, lost, answerLost
    }

    func fate() -> Fate {
        guard !isPeace else { return .apple }
        if plan.troubles.contains(.losses), random.percent(20) {
            return [.notProcessed, .lost, .answerLost][random.below(3)]
        }
        if plan.troubles.contains(.refusals), random.percent(8) {
            let reasons = APNSReason.allCases
            let reason = reasons[random.below(reasons.count)]
            return .refused(isComplaint(reason) ? .forbidden : reason)
        }
        return .apple
    }

    private func leave(slot: Int, of flight: inout SimulatedFlight) throws {
        let fate = fate()
        if case .notProcessed = fate, brokenKey != flight.page.environment {
            flight.verdicts.verdicts[slot] = .notProcessed
            return
        }
        let stamped = flight.stamped ?? now.second
        guard mayLeave(flight.page, in: stamped) else {
            flight.verdicts.verdicts[slot] = .notProcessed
            record.note("a push is kept back")
            return
        }
        if let stamped = flight.stamped { record.note("a push leaves late, with \(stamped)") }
        guard let token = PushToken(bytes: flight.page.token(at: slot)) else { return }
        let template = flight.page.template(at: slot)
        let environment = flight.page.environment
        let second = second(for: token, stamped: stamped)
        if fault != .stampsForgotten { flight.verdicts.stampedUpTo = max(flight.verdicts.stampedUpTo, second) }
        try judgeLeaving(token, template, at: second, slot: slot, of: flight)
        let body = template.body(timestamp: second)
        switch brokenKey == environment ? .refused(complaint) : fate {
        case .refused(let reason):
            flight.verdicts.verdicts[slot] = .refused(reason)
            record.note("refused: \(reason.name)")
        case .lost: flight.verdicts.verdicts[slot] = .unknown
        case .answerLost:
            flight.verdicts.verdicts[slot] = .unknown
            _ = try deliver(body, template, token, in: environment, of: flight)
        case .apple, .notProcessed:
            let (verdict, since) = try deliver(body, template, token, in: environment, of: flight)
            flight.verdicts.verdicts[slot] = verdict
            flight.verdicts.deadSince[slot] = since
        }
        guard !flight.isFormer else { return }
        if flight.verdicts.verdicts[slot] == .accepted { record.passed.insert(flight.page.ids[slot]) }
        try noteSaid(
            flight.verdicts.verdicts[slot], of: token, in: environment, since: flight.verdicts.deadSince[slot],
            to: body)
        if let card = tokens[token]?.card { try noteAlert(in: body, to: card, flight.verdicts.verdicts[slot]) }
        // A refused push has started nothing.
        if flight.verdicts.verdicts[slot].reason != nil { record.startsOut.remove(.init(flight.page.ids[slot])) }
    }

    func mayLeave(_ page: PushPage, in second: Int) -> Bool { fault == .stampsLate || page.stamps.contains(second) }

    private func second(for token: PushToken, stamped second: Int) -> Int {
        guard fault == .secondsRepeat, let card = tokens[token]?.card else { return second }
        return record.seconds[card]?.values.map(\.upperBound).max() ?? second
    }

    /// Returns Apple's own answer. Apple knows which tokens live.
    private func deliver(
        _ body: [UInt8], _ template: PushTemplate, _ token: PushToken, in environment: PushEnvironment,
        of flight: SimulatedFlight
    ) throws -> (PushVerdict, Int64?) {
        guard let known = tokens[token], phones[known.phone].environment == environment else {
            return (.refused(.badDeviceToken), nil)
        }
        if let since = known.diedAt {
            return (.refused(.unregistered), Int64(since.timeIntervalSince1970 * 1_000))
        }
        let owner = known.phone
        let before = phones[owner].state.cards
        let effect = phones[owner].state.receive(
            DeliveredPush(
                token: token, topic: template.topic, priority: template.priority, expiration: template.expiration,
                collapseID: template.collapseID, payload: body), now: time.date)
        record.note(
            "phone-\(owner + 1) \(effect.word) \(effect.reason?.code ?? "") \(String(decoding: body, as: UTF8.self))")
        if !flight.isFormer { try noteStarted(template, on: owner, besides: before) }
        // The successor of a node that stalled after the stamp cannot know that the push still leaves.
        if flight.stamped == nil, !flight.isFormer { try judgeSound(of: known, template) }
        for card in phones[owner].state.cards where record.follows[card.id] == nil {
            try noteFollower(card.id, on: owner)
        }
        if let card = known.card {
            if effect.reason?.code == "budgetSpent" { record.spent.insert(card) } else { record.spent.remove(card) }
        }
        absorbEvents(of: owner)
        return (.accepted, nil)
    }
}
