import EyotContract
import EyotDomain
import PhoneSimulator

/// R15: the numbers of what phones show are those of the phones, asked one by one.
extension SimulationOracle {
    func judgeShown() throws {
        for id in try simulation.ledger.activities(of: simulation.app, after: ActivityID(rawValue: 0), limit: .max) {
            guard let activity = try simulation.ledger.activity(id) else { continue }
            var heard = Heard()
            for replica in try simulation.ledger.replicas(of: id, after: 0, limit: .max) where replica.mayShow {
                try ask(about: replica, in: activity, into: &heard)
            }
            let numbers = try simulation.ledger.shown(of: activity, at: simulation.now)
            let newest = heard.newest...heard.newest + heard.over
            // A card that keeps the date of an earlier push may be grey although its state has no date.
            let stale = heard.stale...heard.stale + heard.changed
            let agree =
                numbers.reporting == heard.reporting && newest.contains(numbers.newest)
                && (simulation.plan.rules.keepsAbsentMembers || stale.contains(numbers.stale))
            if !agree {
                violate("R15: \(activity.name) \(activity.generation) counts \(numbers), its phones said \(heard)")
            }
        }
        for index in simulation.phones.indices where !simulation.phones[index].isQuiet { judgeTold(on: index) }
    }

    /// What phones have said, asked one by one.
    private struct Heard {
        var reporting = 0
        var newest = 0
        var stale = 0
        /// Cards that are over. What they said last may be from before their end, or may have come with it.
        var over = 0
        /// Cards that show something else by now, so that nothing is known of the date of what they said last.
        var changed = 0
    }

    private func ask(about replica: Replica, in activity: Activity, into heard: inout Heard) throws {
        guard let instance = replica.instance, let digest = simulation.record.showing[instance] else { return }
        heard.reporting += 1
        if replica.phase == .ended {
            heard.over += 1
        } else if let state = try concern(for: replica, in: activity).newest()?.state, digest == Self.digest(of: state)
        {
            heard.newest += 1
        }
        let card = simulation.phones.lazy.compactMap { $0.state.card(instance) }.first
        guard !activity.isEnded else { return }
        guard let card, StateDigest(of: card.content.state) == digest else {
            heard.changed += 1
            return
        }
        if let staleDate = card.content.staleDate, staleDate <= simulation.time.date { heard.stale += 1 }
    }

    /// A phone that has come to rest has told what its cards show.
    private func judgeTold(on index: Int) {
        for card in simulation.phones[index].state.cards where card.phase.isRunning {
            let told = simulation.record.showing[card.id]
            if told != StateDigest(of: card.content.state) {
                violate("R15: phone-\(index + 1) has not told what its card shows")
            }
        }
    }

    private static func digest(of state: Int) -> StateDigest { StateDigest(of: ["n": .integer(state)]) }
}
