import APNSWire
import EyotContract
import EyotDomain

/// Checks that each pending alert of a card is given (R4). It judges only cards without an obstacle: the card was in
/// order when the alert was declared and is so when peace begins. Apple has accepted every push to it, and there is
/// time left.
extension Simulation {
    /// Seconds from the beginning of peace within which an alert must be given. A lost hint is found once a minute, and
    /// one of several nodes must begin a tenure.
    private var alertPatience: Double { hasNodes ? 200 : 100 }

    /// Records the cards that an alert for everyone applies to.
    func noteAlert(of request: DeclarationRequest, _ operation: Operation) throws {
        guard let alert = request.content.alert, let id = operation.activity, let activity = try ledger.activity(id)
        else { return }
        record.owed[id] = nil
        guard request.scope == nil, operation.members == nil, request.canary == nil,
            request.verb != .end, request.verb != .start,
            activity.openCanary == nil
        else { return }
        let replicas = try ledger.replicas(of: id, after: 0, limit: .max)
        let cards = replicas.filter(\.isInOrder).compactMap(\.instance)
        record.owed[id] = .init(version: operation.version, until: alert.expiresAt, cards: Set(cards))
        guard fault == .alertsDropped else { return }
        for var replica in replicas where replica.phase == .live {
            replica.alertedVersion = operation.version
            try ledger.update(replica)
        }
    }

    /// Records the verdict of a push to a card. A push that was not accepted and may not be repeated is not judged.
    func noteAlert(in body: [UInt8], to card: String, _ verdict: PushVerdict) throws {
        guard verdict == .accepted else {
            if verdict != .notProcessed { for id in record.owed.keys { record.owed[id]?.cards.remove(card) } }
            return
        }
        let alert = try JSONValue(parsing: body).object?["aps"]?.object?["alert"]?.object?["body"]?.string
        if let version = alert.flatMap({ Int($0) }) { record.given.insert("\(card) \(version)") }
    }

    /// Returns the alerts that must be given before they expire, if everything is in order from now on.
    func alertsOwed() throws -> [SimulationRecord.OwedAlert] {
        guard let app = try ledger.app(app), app.pauses.isEmpty else { return [] }
        var owed: [SimulationRecord.OwedAlert] = []
        for (id, alert) in record.owed.sorted(by: { $0.key.rawValue < $1.key.rawValue }) {
            guard alert.until.seconds(since: time) > alertPatience, let activity = try ledger.activity(id),
                try isQuiet(activity)
            else { continue }
            for replica in try ledger.replicas(of: id, after: 0, limit: .max) {
                guard let card = replica.instance, alert.cards.contains(card), replica.isInOrder,
                    try isReachable(replica), try isOwed(alert.version, to: replica, in: activity)
                else { continue }
                owed.append(.init(card: card, device: replica.device, version: alert.version))
            }
        }
        return owed
    }

    /// Whether the activity has no end and no canary.
    private func isQuiet(_ activity: Activity) throws -> Bool {
        let newest = try ledger.newestActivity(named: activity.name, in: app)
        return !activity.isEnded && newest?.id == activity.id && activity.openCanary == nil && activity.endsAt == nil
    }

    /// Whether Apple knows the token and accepts pushes for it.
    private func isReachable(_ replica: Replica) throws -> Bool {
        guard let token = replica.token, let known = tokens[token.token], known.diedAt == nil else { return false }
        let phone = phones[known.phone]
        let card = phone.state.card(replica.instance ?? "")
        return token.environment == phone.environment && brokenKey != phone.environment
            && card?.phase.isRunning == true && card?.updates.channel == nil
    }

    /// Whether this is the newest alert for the card, and the card is not about to end.
    private func isOwed(_ version: Int, to replica: Replica, in activity: Activity) throws -> Bool {
        let concern = try SimulationOracle(self).concern(for: replica, in: activity)
        let card = replica.instance ?? ""
        return concern.end == nil && concern.newest()?.isTriedOut == false
            && !record.given.contains("\(card) \(version)")
    }
}

extension SimulationOracle {
    /// R4: an alert that was pending when peace began was given, if the card still runs.
    func judgeAlerts(_ owed: [SimulationRecord.OwedAlert]) throws {
        for alert in owed {
            guard let replica = try simulation.ledger.replica(ofInstance: alert.card, on: alert.device),
                replica.isInOrder,
                simulation.phones.contains(where: { $0.state.card(alert.card)?.phase.isRunning == true }),
                !simulation.record.given.contains("\(alert.card) \(alert.version)")
            else { continue }
            violate("R4: alert \(alert.version) was owed to \(alert.card), and was not given")
        }
    }
}

extension Replica {
    /// Whether nothing prevents a push.
    fileprivate var isInOrder: Bool {
        phase == .live && ending == nil && retry == nil && blockedVersion == 0 && token?.probing == false
            && instance != nil
    }
}
