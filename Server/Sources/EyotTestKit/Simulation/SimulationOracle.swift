import EyotDomain
import PhoneSimulator

/// Asks the phones and the ledger, after everything has come to rest, whether the rules hold. What should be shown it knows
/// from the calls that were accepted, and not from the code that decided it.
struct SimulationOracle {
    private let simulation: Simulation

    init(_ simulation: Simulation) { self.simulation = simulation }

    func judge() throws {
        for (index, phone) in simulation.phones.enumerated() {
            for card in phone.state.cards where card.phase.isRunning { try judge(card, on: index) }
            for card in phone.state.cards where card.phase == .ended { try judgeEnded(card, on: index) }
        }
        for (generation, declared) in simulation.record.everyone { try judgeLedger(generation, declared) }
    }

    private func violate(_ words: String) { simulation.record.violate(words) }

    /// R9: what was accepted is there. R14: the newest one counts.
    private func judgeLedger(
        _ generation: SimulationRecord.Generation, _ declared: [SimulationRecord.Declared]
    ) throws {
        guard let activity = try simulation.ledger.newestActivity(named: generation.name, in: simulation.app),
            activity.generation == generation.number
        else { return }
        let state = declared.last { !$0.isEnd }?.version ?? 0
        if activity.everyone != state {
            violate("R9, R14: \(generation.name) stands at \(activity.everyone), declared was \(state)")
        }
        let end = declared.last { $0.isEnd }?.version
        if activity.end != end {
            violate(
                "R9: \(generation.name) ends at \(String(describing: activity.end)), not \(String(describing: end))")
        }
    }

    /// R1: a running card shows the newest state. R5: a card that was ended does not run.
    private func judge(_ card: SimulatedCard, on index: Int) throws {
        let phone = simulation.phones[index]
        guard let replica = try simulation.ledger.replica(ofInstance: card.id, on: phone.device),
            let activity = try simulation.ledger.activity(replica.activity)
        else { return violate("R1: the server does not know a card of phone-\(index + 1)") }
        switch replica.phase {
        case .dead, .untracked: return
        case .live: break
        case .ended: return violate("R5: a card runs on phone-\(index + 1) and counts as ended")
        case .waitingForToken, .starting, .notStarted, .dismissed:
            return violate("R1: a card runs on phone-\(index + 1) and is \(replica.phase) to the server")
        }
        let label = "phone-\(index + 1) \(activity.name) \(activity.generation)"
        let expected = expectation(activity, replica)
        let newest = try simulation.ledger.newestActivity(named: activity.name, in: simulation.app)
        if replica.blocked > 0, replica.blocked >= max(expected.version, activity.end ?? 0) { return }
        if newest?.id != activity.id || expected.isEnded || replica.ending != nil {
            return violate("R5: \(label) still runs")
        }
        // An answer may have brought the card up to date; that Apple took a push is asked all the same.
        if replica.accepted < expected.version { violate("R1: \(label) was last pushed \(replica.accepted)") }
        let shown = card.content.state.object?["n"]?.integer
        if expected.version > 0, shown != expected.state {
            violate("R1: \(label) shows \(shown ?? -1), not \(expected.state ?? -1)")
        }
    }

    /// R5: the last state stays on an ended card.
    private func judgeEnded(_ card: SimulatedCard, on index: Int) throws {
        let phone = simulation.phones[index]
        guard let replica = try simulation.ledger.replica(ofInstance: card.id, on: phone.device),
            let activity = try simulation.ledger.activity(replica.activity), replica.phase == .ended,
            replica.ending != .replaced, replica.blocked == 0
        else { return }
        let concerned = concerned(activity, replica)
        guard let end = concerned.first(where: \.isEnd)?.version else { return }
        let least = concerned.last { $0.version <= end && $0.state != nil }
        let shown = card.content.state.object?["n"]?.integer
        // Something newer may have gone out with the end.
        let isLater = concerned.contains { $0.version > end && $0.state == shown }
        if let least, shown != least.state, !isLater {
            violate("R5: phone-\(index + 1) \(activity.name) ended with \(shown ?? -1), not \(least.state ?? -1)")
        }
    }

    private struct Expectation {
        var version = 0
        var state: Int?
        var isEnded = false
    }

    /// What was declared for a replica, by what the backend was told: for everyone, and for it alone. Oldest first.
    private func concerned(_ activity: Activity, _ replica: Replica) -> [SimulationRecord.Declared] {
        let generation = SimulationRecord.Generation(name: activity.name, number: activity.generation)
        let scoped = simulation.record.scoped[generation] ?? [:]
        // A card that took over another one's name has its state, too, and not its end.
        let inherited = scoped.values.joined().filter { $0.version == replica.scoped && !$0.isEnd }.prefix(1)
        return ((simulation.record.everyone[generation] ?? []) + (scoped[replica.ordinal] ?? []) + inherited)
            .sorted { $0.version < $1.version }
    }

    private func expectation(_ activity: Activity, _ replica: Replica) -> Expectation {
        var expectation = Expectation()
        for declared in concerned(activity, replica) {
            if declared.isEnd { expectation.isEnded = true }
            guard let state = declared.state else { continue }
            (expectation.version, expectation.state) = (declared.version, state)
        }
        return expectation
    }
}
