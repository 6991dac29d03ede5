import APNSWire
import EyotContract
import EyotDomain
import EyotEngine
import PhoneSimulator

/// A page at the sender: some of its pushes have left, others have not.
struct SimulatedFlight {
    let id: EngineCore.PageID
    let page: PushPage
    var next = 0
    var verdicts: PageVerdicts

    init(_ id: EngineCore.PageID, _ page: PushPage) {
        self.id = id
        self.page = page
        verdicts = PageVerdicts(count: page.count)
    }
}

extension Simulation {
    /// Performs what the core decided, in one transaction each, as the engine's shell does.
    func perform(_ effect: EngineCore.Effect) throws {
        switch effect {
        case .take(let looks, let room): try take(looks, room)
        case .push(let id, _, let page): pending.append(.flight(SimulatedFlight(id, page)))
        case .settle(let id, let page, let verdicts, let resting): try settle(id, page, verdicts, resting)
        case .rest(let id, let plan): try rest(id, plan)
        case .pause(let app, let reason):
            record.note("pause: \(reason.name)")
            try PauseApp(ledger: ledger, now: now)(app, because: reason)
        case .findDue(let limit):
            enqueue(.due(try ledger.dueActivities(at: now, limit: limit), next: try ledger.nextDue(after: now)))
        case .wake(let moment): wakeAt = Instant.soonest(wakeAt, moment)
        case .stopped: break
        }
    }

    private func take(_ looks: [EngineCore.Look], _ room: EngineCore.TakeRoom) throws {
        var taken = try TakePages(ledger: ledger, now: now)(looks, in: room)
        if fault == .restsUnseen { for id in taken.looked.keys { taken.looked[id]?.blindStamp() } }
        record.note("take \(looks.map { "\($0.activity.rawValue)" }.joined(separator: " ")): \(taken.count)")
        enqueue(.took(looks.map(\.activity), taken))
    }

    private func rest(_ id: ActivityID, _ plan: EngineCore.RestPlan) throws {
        var plan = plan
        if fault == .restsUnseen, let stamp = try ledger.activity(id)?.stamp { plan.stamp = stamp }
        enqueue(.rested(id, try Rest(ledger: ledger, now: now)(id, plan)))
    }

    private func settle(
        _ id: EngineCore.PageID, _ page: TakenPage, _ verdicts: PageVerdicts,
        _ resting: [ActivityID: EngineCore.RestPlan]
    ) throws {
        var verdicts = verdicts
        for run in page.runs {
            for slot in run.slots {
                try noteSettled(page.sent[slot], verdicts, slot, of: run.activity)
                if fault == .deathsIgnored, verdicts.verdicts[slot].reason?.action == .buryToken {
                    verdicts.verdicts[slot] = .unknown
                }
            }
        }
        var settled = try SettlePage(ledger: ledger, now: now)(page, verdicts, resting: resting)
        if fault == .restsUnseen { for id in settled.activities.keys { settled.activities[id]?.stamp = .max } }
        if fault == .alertsRepeat {
            for run in page.runs { try forgetAlerts(page.sent[run.slots], of: run.activity) }
        }
        enqueue(.settled(id, settled))
    }

    private func noteSettled(_ push: SentPush, _ verdicts: PageVerdicts, _ slot: Int, of id: ActivityID) throws {
        guard let replica = try ledger.replica(push.ordinal, of: id), let instance = replica.instance else { return }
        // What a token that was replaced meanwhile was answered says nothing of the new one.
        guard let token = replica.token, token.version == push.tokenVersion, replica.phase == .live else { return }
        if verdicts.verdicts[slot] == .accepted, push.push.alertVersion > 0 {
            record.alerts.insert("\(instance) \(id.rawValue)-\(push.push.alertVersion)")
        }
        guard verdicts.verdicts[slot].reason?.action == .buryToken else { return }
        let since = verdicts.deadSince[slot].map { Instant(microseconds: $0 * 1_000) }
        if since.map({ token.setAt <= $0 }) ?? true { record.buried.insert(token.token) }
    }

    private func forgetAlerts(_ sent: ArraySlice<SentPush>, of id: ActivityID) throws {
        for push in sent where push.push.alertVersion > 0 {
            guard var replica = try ledger.replica(push.ordinal, of: id) else { continue }
            replica.alerted = 0
            replica.accepted = 0
            try ledger.update(replica)
        }
    }

    /// Tells the engine what became due, unless the hint gets lost.
    func hint() {
        let woken = ledger.woken.sorted { $0.rawValue < $1.rawValue }
        ledger.woken = []
        guard !woken.isEmpty, isPeace || !plan.troubles.contains(.silence) || !random.percent(15) else { return }
        enqueue(.woken(woken))
    }

    /// The process dies and starts again. What was only in its memory is gone; what had left it goes on.
    func crash() throws {
        record.note("crash")
        var survivors: [Pending] = []
        for item in pending {
            switch item {
            case .flight(let flight) where random.percent(50): try leaveAll(of: flight)
            case .input, .effect, .flight: break
            // The connection is gone with the process.
            case .request(let phone, _), .answer(let phone, _): survivors.append(.answer(phone: phone, nil))
            }
        }
        pending = survivors
        restartCore()
        wakeAt = nil
        for var replica in try ledger.unansweredStarts(limit: .max) {
            replica.loseStartAnswer()
            if fault == .startsAgain { replica.lease?.state = .planned }
            try ledger.update(replica)
        }
        if fault == .declarationsLost { try loseDeclarations() }
        enqueue(.timer)
    }

    private func loseDeclarations() throws {
        for name in Self.names {
            guard var activity = try ledger.newestActivity(named: name, in: app), activity.everyone > 1 else {
                continue
            }
            activity.everyone -= 1
            try ledger.update(activity)
        }
    }
}

extension LookedAt {
    /// Says of what was seen that it was seen at the end of time: for a planted fault.
    fileprivate mutating func blindStamp() {
        guard case .seen(_, let next, let later, let owes) = outcome else { return }
        outcome = .seen(stamp: .max, next: next, later: later, owes: owes)
    }
}

// MARK: - Sender and Apple

extension Simulation {
    /// Lets a few pushes of a page leave; after the last one its verdicts come back.
    func advance(_ flight: SimulatedFlight) throws {
        var flight = flight
        let end = min(flight.page.count, flight.next + 1 + random.below(3))
        while flight.next < end {
            try leave(slot: flight.next, of: &flight)
            flight.next += 1
        }
        if flight.next == flight.page.count {
            enqueue(.pushed(flight.id, flight.verdicts))
        } else {
            pending.append(.flight(flight))
        }
    }

    private func leaveAll(of flight: SimulatedFlight) throws {
        var flight = flight
        while flight.next < flight.page.count {
            try leave(slot: flight.next, of: &flight)
            flight.next += 1
        }
    }

    private enum Fate {
        case apple
        case refused(APNSReason)
        case notProcessed, lost, answerLost
    }

    private func fate() -> Fate {
        guard !isPeace else { return .apple }
        if plan.troubles.contains(.losses), random.percent(20) {
            return [.notProcessed, .lost, .answerLost][random.below(3)]
        }
        if plan.troubles.contains(.refusals), random.percent(8) {
            let reasons = APNSReason.allCases
            return .refused(reasons[random.below(reasons.count)])
        }
        return .apple
    }

    private func leave(slot: Int, of flight: inout SimulatedFlight) throws {
        let fate = fate()
        if case .notProcessed = fate {
            flight.verdicts.verdicts[slot] = .notProcessed
            return
        }
        guard let token = PushToken(bytes: flight.page.token(at: slot)) else { return }
        let template = flight.page.template(at: slot)
        let isHome = flight.page.environment == .sandbox
        try judgeLeaving(token, template, id: flight.page.ids[slot])
        let body = template.body(timestamp: second(for: token))
        switch fate {
        case .refused(let reason):
            flight.verdicts.verdicts[slot] = .refused(reason)
            record.note("refused: \(reason.name)")
        case .lost: flight.verdicts.verdicts[slot] = .unknown
        case .answerLost:
            flight.verdicts.verdicts[slot] = .unknown
            _ = deliver(body, template, token, isHome)
        case .apple, .notProcessed:
            let (verdict, since) = deliver(body, template, token, isHome)
            flight.verdicts.verdicts[slot] = verdict
            flight.verdicts.deadSince[slot] = since
        }
        // What Apple refused has started nothing.
        if flight.verdicts.verdicts[slot].reason != nil { record.startsOut.remove(flight.page.ids[slot]) }
    }

    private func second(for token: PushToken) -> Int {
        guard fault == .secondsRepeat, let card = tokens[token]?.card else { return now.second }
        return record.seconds[card] ?? now.second
    }

    /// Apple's own answer: it knows which tokens live.
    private func deliver(
        _ body: [UInt8], _ template: PushTemplate, _ token: PushToken, _ isHome: Bool
    ) -> (PushVerdict, Int64?) {
        guard let known = tokens[token], isHome else { return (.refused(.badDeviceToken), nil) }
        if let since = known.diedAt {
            return (.refused(.unregistered), Int64(since.timeIntervalSince1970 * 1_000))
        }
        let owner = known.phone
        let effect = phones[owner].state.receive(
            DeliveredPush(
                token: token, topic: template.topic, priority: template.priority, expiration: template.expiration,
                collapseID: template.collapseID, payload: body), now: now.date)
        record.note(
            "phone-\(owner + 1) \(effect.word) \(effect.reason?.code ?? "") \(String(decoding: body, as: UTF8.self))")
        absorbEvents(of: owner)
        return (.accepted, nil)
    }

    /// Rules that show at the moment in which a push leaves.
    private func judgeLeaving(_ token: PushToken, _ template: PushTemplate, id: APNSID) throws {
        if record.buried.contains(token) { record.violate("R8: a push to a token that is known to be dead") }
        guard let known = tokens[token] else { return }
        guard let card = known.card else {
            if !record.startsOut.insert(id).inserted { record.violate("R6: the start \(id) left twice") }
            return try judgeStart(template, known.phone)
        }
        let second = second(for: token)
        if let last = record.seconds[card], second <= last { record.violate("R7: second \(second) after \(last)") }
        record.seconds[card] = second
        try judgeAlert(template, card, known.phone)
    }

    private func judgeStart(_ template: PushTemplate, _ owner: Int) throws {
        guard let replica = try startingReplica(of: owner, template),
            let activity = try ledger.activity(replica.activity)
        else { return }
        let generation = SimulationRecord.Generation(name: activity.name, number: activity.generation)
        // One that was taken before the report came may still leave.
        if let since = record.dismissed[generation]?[owner], let sentAt = replica.lease?.sentAt, since < sentAt {
            record.violate("R13: \(activity.name) starts again on phone-\(owner + 1), where it was dismissed")
        }
    }

    /// The replica whose start this is.
    private func startingReplica(of owner: Int, _ template: PushTemplate) throws -> Replica? {
        let body = try JSONValue(parsing: template.body(timestamp: now.second)).object
        let name = body?["aps"]?.object?["attributes"]?.object?["eyotActivityName"]?.string
        return try ledger.replicas(of: phones[owner].device, named: name ?? "", in: app).first {
            $0.phase == .starting
        }
    }

    /// An alert that Apple took, and whose verdict is stored, is not given again.
    private func judgeAlert(_ template: PushTemplate, _ card: String, _ owner: Int) throws {
        guard let replica = try ledger.replica(ofInstance: card, on: phones[owner].device) else { return }
        let aps = try JSONValue(parsing: template.body(timestamp: now.second)).object?["aps"]?.object
        guard let words = aps?["alert"]?.object?["body"]?.string, let version = Int(words) else { return }
        if record.alerts.contains("\(card) \(replica.activity.rawValue)-\(version)") {
            record.violate("R4: alert \(version) is given twice")
        }
    }
}
