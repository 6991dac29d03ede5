import APNSWire
import EyotContract
import EyotDomain
import EyotEngine
import PhoneSimulator

extension Simulation {
    /// Performs the core's effects, in one transaction each, as the engine's shell does.
    func perform(_ effect: EngineCore.Effect) throws {
        do {
            try attempt(effect)
        } catch let lost as TenureLost {
            lose(lost.shards)
            effect.answerToLoss.map(enqueue)
        }
    }

    private func attempt(_ effect: EngineCore.Effect) throws {
        switch effect {
        case .take(let looks, let room):
            try writeHeld(Set(looks.map { shard(of: $0.activity) })) { try take(looks, room, $0) }
        case .takeTrial(let trial): try writeHeld(node.holding?.served ?? []) { try take(trial, $0) }
        case .push(let id, _, let page): node.pending.append(.flight(SimulatedFlight(id, page, of: node)))
        case .settle(let id, let page, let verdicts, let resting):
            try writeHeld([page.shard]) { _ in try settle(id, page, verdicts, resting) }
        case .rest(let id, let plan): try writeHeld([shard(of: id)]) { _ in try rest(id, plan) }
        case .conclude(let id, let lap): try writeHeld([shard(of: id)]) { _ in try conclude(id, lap) }
        case .pause(var found):
            let environments = found.environments.map(\.rawValue).sorted().joined(separator: ", ")
            record.note("pause in \(environments): \(found.reason.name)")
            if fault == .pausesSpread { found.environments = Set(PushEnvironment.allCases) }
            let spread = found
            try writeHeld([]) { _ in try transact(.pause(spread)).map(enqueue) }
        case .note, .clearSuspicion: try writeHeld([]) { _ in try transact(effect).map(enqueue) }
        case .findDue: try read { try transact(effect).map(enqueue) }
        case .wake(let moment): node.wakeAt = Instant.soonest(node.wakeAt, moment)
        case .left(let shards):
            node.holding?.finished.formUnion(shards)
            node.holding?.known.subtract(shards)
            try giveBack()
        case .stopped: break
        }
    }

    /// Performs an effect in the open transaction.
    func transact(
        _ effect: EngineCore.Effect, holding held: HeldLeases = .unbounded
    ) throws -> EngineCore.Input? {
        try PerformEffect(Transaction(ledger, at: now), holding: held)(effect)
    }

    private func take(_ looks: [EngineCore.Look], _ room: EngineCore.TakeRoom, _ held: HeldLeases) throws {
        let looks = fault == .lapsRestart ? try looks.map(restarted) : looks
        if fault == .recallsForgotten { try forgetRecalls(of: looks.map(\.activity)) }
        if fault == .sharesIgnored { try ignoreShares(of: looks.map(\.activity)) }
        var answer: EngineCore.Input?
        try judgingDeaths(in: looks.map(\.activity)) { answer = try transact(.take(looks, room), holding: held) }
        guard case .took(_, var taken?)? = answer else { return }
        if fault == .restsUnseen { for id in taken.looked.keys { taken.looked[id]?.blindStamp() } }
        if taken.count > 0 { node.pageSince = node.pageSince ?? time }
        if fault == .startsOvertaken { try forgetRepeats() }
        if fault == .conclusionsHasty {
            for look in looks where look.followsLap { try concludeHastily(look.activity) }
        }
        record.note("take \(looks.map { "\($0.activity.rawValue)" }.joined(separator: " ")): \(taken.count)")
        for look in looks { try judgeTurns(look, taken) }
        try judgeShares(taken)
        try noteChannelStarts(taken)
        enqueue(.took(looks.map(\.activity), taken))
    }

    private func take(_ trial: Trial, _ held: HeldLeases) throws {
        guard case .tried(let taken?)? = try transact(.takeTrial(trial), holding: held) else { return }
        record.note("try \(trial.environment.rawValue): \(taken.count)")
        try noteChannelStarts(taken)
        enqueue(.tried(taken))
    }

    private func forgetRecalls(of ids: [ActivityID]) throws {
        for id in ids {
            guard let last = try ledger.lastRingPage(of: id), try ledger.app(app)?.pauses.isEmpty == true else {
                continue
            }
            for number in 0...last {
                guard var page = try ledger.ringPage(number, of: id), page.hasSkipped else { continue }
                page.hasSkipped = false
                try ledger.put(page)
            }
        }
    }

    private func forgetRepeats() throws {
        for var channel in try ledger.channels(in: app, after: ChannelID(rawValue: 0), limit: .max) {
            (channel.repeatAt, channel.startedAt) = (nil, nil)
            try ledger.update(channel)
        }
    }

    private func rest(_ id: ActivityID, _ plan: EngineCore.RestPlan) throws {
        var plan = plan
        if fault == .restsUnseen, let stamp = try ledger.activity(id)?.stamp { plan.stamp = stamp }
        try transact(.rest(id, plan)).map(enqueue)
    }

    private func settle(
        _ id: EngineCore.PageID, _ page: TakenPage, _ verdicts: PageVerdicts,
        _ resting: [ActivityID: EngineCore.RestPlan]
    ) throws {
        var verdicts = verdicts
        for run in page.runs {
            for slot in run.slots {
                try noteSettled(page.sent[slot], verdicts, slot, of: run.activity)
                noteAnswer(verdicts.verdicts[slot], to: page.sent[slot], of: run.activity)
                if verdicts.verdicts[slot] == .accepted { noteAccepted(page.sent[slot], of: run.activity) }
                assumeDeaths(&verdicts, on: slot)
                if fault == .deathsIgnored, verdicts.verdicts[slot].reason?.action == .buryToken {
                    verdicts.verdicts[slot] = .unknown
                }
            }
        }
        let (waiting, open) = (try openStands(on: page), try openEnds(on: page, verdicts))
        let last = try newestEvent(in: ledger)
        var answer: EngineCore.Input?
        try judgingDeaths(in: page.activities) {
            answer = try transact(.settle(id, page, verdicts, resting: resting))
            try noteEnds(of: open, after: last)
            try spareProbes(on: page)
        }
        guard case .settled(_, var settled?)? = answer else { return }
        if fault == .restsUnseen { for id in settled.activities.keys { settled.activities[id]?.stamp = .max } }
        if fault == .openCredited { try creditOpen(on: page) }
        for (replica, accepted) in try openStands(on: page) where waiting[replica].map({ accepted > $0 }) ?? false {
            record.violate("R1: replica \(replica) counts as told while Apple has not answered")
        }
        if fault == .alertsRepeat {
            for run in page.runs { try forgetAlerts(page.sent[run.slots], of: run.activity) }
        }
        enqueue(.settled(id, settled))
    }

    private func noteSettled(_ push: SentPush, _ verdicts: PageVerdicts, _ slot: Int, of id: ActivityID) throws {
        guard let replica = try ledger.replica(push.ordinal, of: id), let instance = replica.instance else { return }
        // A verdict on a replaced token says nothing about the new one.
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
            replica.alertedVersion = 0
            replica.acceptedVersion = 0
            try ledger.update(replica)
        }
    }

    /// Returns the progress of replicas with a push that has no verdict yet. At the end phones report everything anew,
    /// so a forgotten replica would not show then.
    private func openStands(on page: TakenPage) throws -> [String: Int] {
        var stands: [String: Int] = [:]
        for run in page.runs {
            for ordinal in run.ring?.open ?? [] {
                stands["\(run.activity.rawValue)-\(ordinal)"] = try ledger.replica(ordinal, of: run.activity)?
                    .acceptedVersion
            }
        }
        return stands
    }

    private func creditOpen(on page: TakenPage) throws {
        for run in page.runs {
            for ordinal in run.ring?.open ?? [] {
                guard var replica = try ledger.replica(ordinal, of: run.activity) else { continue }
                replica.acceptedVersion = max(run.ring?.everyone ?? 0, replica.scopedState)
                try ledger.update(replica)
            }
        }
    }

    /// Passes on which activities became due, unless the hint is lost.
    func hint(_ woken: Set<ActivityID>) {
        guard !woken.isEmpty, isPeace || !plan.troubles.contains(.silence) || !random.percent(15) else { return }
        let ids = woken.sorted { $0.rawValue < $1.rawValue }
        enqueue(.woken(ids))
        guard hasNodes else { return }
        // The other nodes are notified by the store, which loses more hints.
        let own = place
        onEach { if place != own, random.percent(70) { enqueue(.woken(ids)) } }
    }

    /// Kills the process and starts it again. Its memory is lost; sent bytes continue.
    func crash() throws {
        record.note(hasNodes ? "\(node.number) crashes" : "crash")
        // The process's connections are gone.
        var askers = node.gate.close().askers
        for item in node.pending {
            switch item {
            case .flight(let flight) where random.percent(50), .part(let flight, _) where random.percent(50):
                try read { try leaveAll(of: flight) }
            case .ask(let task) where random.percent(50): try read { try ask(task) }
            default: askers += item.askers
            }
        }
        if hasNodes { return try stayDown(askers) }
        node.pending = askers.map { .answer(phone: $0, nil) }
        node.beginLife()
        startEngine()
        try beginAlone()
        restartGate()
        // Processing of member lists continues.
        node.pending.append(.tell)
        enqueue(.timer)
    }

    /// Performs the engine's recovery at its start.
    func recover(_ shards: Set<Int>, in ledger: any Ledger) throws {
        for var replica in try ledger.unansweredStarts(limit: .max, in: sharding.activities(of: shards)) {
            guard fault == .startsAgain else {
                try Transaction(ledger, at: now).loseAnswer(ofStart: replica)
                continue
            }
            replica.lease?.state = .planned
            try ledger.update(replica)
        }
        if fault != .alertsForgotten {
            try noteNotedAlerts(of: shards, in: ledger)
            _ = try Transaction(ledger, at: now).loseAnswers(ofAlertsIn: sharding.activities(of: shards), limit: .max)
        }
        if fault == .declarationsLost { try loseDeclarations(in: ledger) }
    }

    /// Notes alerts as given that may have left in the process before.
    private func noteNotedAlerts(of shards: Set<Int>, in ledger: any Ledger) throws {
        for run in try ledger.alertMarks(limit: .max, in: sharding.activities(of: shards)).flatMap(\.runs) {
            for ordinal in run.ordinals {
                guard let card = try ledger.replica(ordinal, of: run.activity)?.instance else { continue }
                record.given.insert("\(card) \(run.alert)")
            }
        }
    }

    private func loseDeclarations(in ledger: any Ledger) throws {
        for name in Self.names {
            guard var activity = try ledger.newestActivity(named: name, in: app), activity.common.state > 1 else {
                continue
            }
            activity.common.state -= 1
            try ledger.update(activity)
        }
    }
}

extension LookedAt {
    /// Sets the stamp of a look to the end of time, for a planted fault.
    fileprivate mutating func blindStamp() {
        guard case .seen(var seen) = outcome else { return }
        seen.stamp = .max
        outcome = .seen(seen)
    }
}
