import EyotCommands
import EyotContract
import EyotDomain
import PhoneSimulator

/// R15: a finding's remedy works. What the phones show afterwards says so.
extension Simulation {
    /// Tries one remedy that is a new start, if a phone has such a finding. It changes what the others are told.
    func tryRemedy() throws {
        // Where iOS drops starts by rules of its own, a start is no promise.
        guard plan.rules == PhoneRules(), record.violations.isEmpty else { return }
        var found: (index: Int, user: String, name: String, finding: Finding)?
        try read { found = try mendable() }
        guard let (index, user, name, finding) = found else { return }
        var start = DeclarationRequest(verb: .start, name: name, content: content())
        (start.type, start.attributes) = (Self.type, ["eyotActivityName": .string(name)])
        (start.audience, start.restartsDismissed) = (.user(user), true)
        let state = start.content.state
        record.note("the remedy of \(finding.code) is tried on phone-\(index + 1)")
        try declare(start)
        try comeToRest()
        let isShown = phones[index].state.cards.contains { card in
            card.phase.isRunning && phones[index].card(card.id)?.name == name && card.content.state == state
        }
        if !isShown {
            record.violate("R15: the remedy of \(finding.code) changed nothing on phone-\(index + 1): \(finding)")
        }
    }

    /// The first phone with a finding that a new start mends, and that such a start reaches.
    private func mendable() throws -> (index: Int, user: String, name: String, finding: Finding)? {
        for (index, phone) in phones.enumerated() where !phone.isQuiet {
            guard let device = try ledger.device(phone.device), let user = device.user else { continue }
            for name in Self.names {
                guard let activity = try ledger.newestActivity(named: name, in: app),
                    let finding = try finding(on: device, activity)
                else { continue }
                let isReached = !finding.evidence.contains { $0.hasPrefix(Finding.obstacle) }
                if finding.code.isMendedByStart, isReached { return (index, user, name, finding) }
            }
        }
        return nil
    }
}
