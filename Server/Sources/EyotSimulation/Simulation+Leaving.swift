import APNSWire
import EyotContract
import EyotDomain
import PhoneSimulator

extension Simulation {
    /// Judges the rules that show at the moment when a push leaves.
    func judgeLeaving(
        _ token: PushToken, _ template: PushTemplate, at second: Int, slot: Int, of flight: SimulatedFlight
    ) throws {
        let id = flight.page.ids[slot]
        // A push of a stalled node is bound to the knowledge before its successor's tenure.
        let isOvertaken = try isOvertaken(flight.epoch, of: flight.shard)
        if record.buried.contains(token), !isOvertaken {
            record.violate("R8: a push to a token that is known to be dead")
        }
        guard let known = tokens[token] else { return }
        try judgeLanguage(template, known.phone)
        guard let card = known.card else {
            guard !flight.isFormer else { return }
            if !record.startsOut.insert(.init(id)).inserted { record.violate("R6: the start \(id) left twice") }
            return try judgeStart(template, known.phone)
        }
        judgeSecond(second, of: card, in: flight.epoch)
        guard !flight.isFormer else { return }
        try judgeContent(template, card, known.phone, flight, isOvertaken: isOvertaken)
    }

    /// Judges that the seconds of pushes to a card or channel rise. All seconds of a tenure must be before those of the
    /// next one, in any order of leaving, because a phone orders pushes by them.
    func judgeSecond(_ second: Int, of target: String, in epoch: Int) {
        for (other, used) in record.seconds[target] ?? [:] {
            // The tenures of former histories count as one, and were judged by themselves.
            if other == epoch, epoch == SimulationRecord.formerTenure { continue }
            if other <= epoch, second <= used.upperBound {
                record.violate("R7: second \(second) after \(used.upperBound)")
            } else if other > epoch, second >= used.lowerBound {
                record.violate("R7: second \(second) after \(used.lowerBound) of a later tenure")
            }
        }
        let first = record.seconds[target]?[epoch]?.lowerBound ?? second
        record.seconds[target, default: [:]][epoch] = min(first, second)...max(first, second)
    }

    private func judgeStart(_ template: PushTemplate, _ owner: Int) throws {
        guard let replica = try startingReplica(of: owner, template),
            let activity = try ledger.activity(replica.activity)
        else { return }
        let generation = SimulationRecord.Generation(name: activity.name, number: activity.generation)
        // A call that wants dismissed cards back speaks for its starts, and for those that were under way then.
        if let moment = record.wantedBack[generation], !replica.isRestart, replica.createdAt <= moment + skew { return }
        // A start that was taken before the report arrived may still leave.
        if let since = record.dismissed[generation]?[owner], let sentAt = replica.lease?.sentAt, since + skew < sentAt {
            record.violate("R13: \(activity.name) starts again on phone-\(owner + 1), where it was dismissed")
        }
    }

    /// Returns the replica of a start.
    func startingReplica(of owner: Int, _ template: PushTemplate) throws -> Replica? {
        let body = try JSONValue(parsing: template.body(timestamp: now.second)).object
        let name = body?["aps"]?.object?["attributes"]?.object?["eyotActivityName"]?.string
        return try ledger.replicas(of: phones[owner].device, named: name ?? "", in: app).first {
            $0.phase == .starting && template.collapseID == "start-\($0.activity.rawValue)"
        }
    }

    /// Records the place of a card that a start has made.
    func noteStarted(_ template: PushTemplate, on owner: Int, besides before: [SimulatedCard]) throws {
        guard template.collapseID != nil, let card = phones[owner].state.cards.last,
            !before.contains(where: { $0.id == card.id }),
            let replica = try startingReplica(of: owner, template)
        else { return }
        record.startedAs[card.id] = SimulationRecord.Place(activity: replica.activity, ordinal: replica.ordinal)
    }

    private func judgeContent(
        _ template: PushTemplate, _ card: String, _ owner: Int, _ flight: SimulatedFlight, isOvertaken: Bool
    ) throws {
        guard let replica = try ledger.replica(ofInstance: card, on: phones[owner].device),
            let activity = try ledger.activity(replica.activity),
            let aps = try JSONValue(parsing: template.body(timestamp: now.second)).object?["aps"]
        else { return }
        if !isOvertaken { judgeAlert(aps, card, of: activity) }
        try judgeAge(aps, replica, of: activity, leaving: flight.node)
    }

    /// Judges that an alert with a stored acceptance is not given again.
    private func judgeAlert(_ aps: JSONValue, _ card: String, of activity: Activity) {
        let words = aps.object?["alert"]?.object?["body"]?.string
        guard let version = words.flatMap({ Int($0) }) else { return }
        if record.alerts.contains("\(card) \(activity.id.rawValue)-\(version)") {
            record.violate("R4: alert \(version) is given twice")
        }
    }

    /// Judges the number of outdated pushes. After a declaration, a node may send at most as many older pushes as may
    /// be in flight.
    private func judgeAge(_ aps: JSONValue, _ replica: Replica, of activity: Activity, leaving node: Int) throws {
        guard aps.object?["event"]?.string == LiveActivityEvent.update.rawValue,
            let state = aps.object?["content-state"]?.object?["n"]?.integer
        else { return }
        let concern = try SimulationOracle(self).concern(for: replica, in: activity)
        // A superseded state may be the newest again if the superseding one was replaced by an earlier truth (R14).
        guard let carried = concern.all.first(where: { $0.state == state && !$0.isEnd }),
            carried.version != concern.newest()?.version || concern.end != nil
        else { return }
        let generation = SimulationRecord.Generation(name: activity.name, number: activity.generation)
        // A canary applies to replicas outside its share only after something superseded it, which is counted by
        // itself.
        for successor in concern.all
        where successor.version > carried.version && !successor.isTriedOut && concern.overtakes(successor) {
            let place = SimulationRecord.LatePlace(node: node, successor: successor.version)
            record.late[generation, default: [:]][place, default: 0] += 1
            if record.late[generation]?[place] == limits.pushesPerApp + 1 {
                record.violate("R2: too many pushes of \(activity.name) are older than \(successor.version)")
            }
        }
    }
}
