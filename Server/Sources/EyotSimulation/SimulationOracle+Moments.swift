import APNSWire
import EyotCommands
import EyotDomain
import PhoneSimulator

/// R15 at any moment: what a finding calls certain is true of the phone, also while reports, pushes and answers are
/// under way. The oracle looks at the phone and at Apple, and not at what the server knows.
extension SimulationOracle {
    /// Asks why of a phone, about an activity or about none.
    func judgeMoment(_ index: Int, _ name: String?) throws {
        guard let device = try simulation.ledger.device(simulation.phones[index].device) else { return }
        let activity = try name.flatMap { try simulation.ledger.newestActivity(named: $0, in: simulation.app) }
        guard name == nil || activity != nil else { return }
        guard var finding = try simulation.finding(on: device, activity) else { return }
        if simulation.fault == .findingsSure, finding.code == .tokenDead {
            (finding.code, finding.confidence) = (.dismissed, .certain)
        }
        guard finding.confidence == .certain else { return }
        let moment = Moment(finding: finding, phone: simulation.phones[index], name: name)
        guard let truth = moment.contradiction(to: simulation) else { return }
        let about = name.map { " \($0)" } ?? ""
        violate("R15: phone-\(index + 1)\(about) is certainly \(finding.code): \(finding.sentence) But \(truth)")
    }
}

/// A finding, and the phone that it is about.
private struct Moment {
    let finding: Finding
    let phone: SimulationPhone
    let name: String?

    /// The phone's cards of the name.
    private var cards: [SimulatedCard] { phone.state.cards.filter { phone.card($0.id)?.name == name } }

    /// What is the case instead; nil if the finding is true.
    func contradiction(to simulation: Simulation) -> String? {
        switch finding.code {
        case .dismissed:
            return cards.contains { phone.swiped.contains($0.id) } ? nil : "the person has removed no card of the name"
        case .endedOnPhone:
            return cards.contains { !$0.phase.isRunning } ? nil : "no card of the name is over"
        case .replaced:
            return cards.count > 1 ? nil : "the phone has had no other card of the name"
        case .channelLost:
            let isThere = cards.contains { card in
                guard card.phase.isRunning, case .channel(let id) = card.updates else { return false }
                return APNSChannelID(id).map(simulation.appleChannels.ids.contains) ?? false
            }
            return isThere ? "Apple has the channel that a card follows" : nil
        // Whether it is so is known to the phone alone, and it may have changed since it was heard of.
        case .upToDate, .shown, .onItsWay, .stale, .offline: return "a server cannot know that"
        default: return nil
        }
    }
}
