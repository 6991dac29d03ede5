import EyotCommands
import EyotDomain
import PhoneSimulator

/// The finding explains the phone. The oracle derives what it may say from the phone and from the accepted calls, and
/// not from the ledger's state of the card.
extension SimulationOracle {
    /// Findings that say that the card shows the newest state.
    private static let current: Set<FindingCode> = [.upToDate, .shown, .stale]
    /// What may keep a phone from showing what was sent to it.
    private static let silence: Set<FindingCode> = [.offline, .updateBudgetSpent, .frequentUpdatesOff]
    /// Findings about a card that runs, or a start on its way.
    private static let running: Set<FindingCode> = current.union([
        .onItsWay, .slowed, .appleFails, .appleUnreachable, .clockWrong, .keyShared, .pushRefused, .changedByApp,
        .notShown, .offline, .heldByCanary, .nothingDeclared,
    ])
    /// Findings that must be over when everything has come to rest.
    private static let passing: Set<FindingCode> = [
        .onItsWay, .slowed, .appleFails, .appleUnreachable, .clockWrong, .keyShared, .startPlanned, .halted, .appHalted,
        .restored, .appPaused,
    ]

    func judgeFinding(_ asked: Asked) throws {
        let phone = simulation.phones[asked.index]
        // A phone without a launch of its app reports nothing.
        guard !phone.isQuiet, var finding = try simulation.finding(on: asked.device, asked.activity) else { return }
        if simulation.fault == .findingsRosy, finding.code == .dismissed { finding.code = .upToDate }
        if Self.passing.contains(finding.code) {
            violate("R15: \(asked.label) is explained by \(finding.code), and everything has come to rest")
        }
        // That a silent phone may be offline or out of budget claims nothing.
        if finding.confidence == .possible, Self.silence.contains(finding.code) { return }
        guard let allowed = try allowed(for: asked) else { return }
        if !allowed.contains(finding.code) {
            let expected = allowed.map(\.rawValue).sorted().prefix(8).joined(separator: ", ")
            violate("R15: \(asked.label) is explained by \(finding.code): \(finding.sentence) Expected: \(expected)")
        }
    }

    /// Returns the findings that explain the phone; nil if the simulation cannot know them.
    private func allowed(for asked: Asked) throws -> Set<FindingCode>? {
        let phone = simulation.phones[asked.index]
        // The server cannot know what the phone has not reported yet.
        guard phone.outbox.isEmpty else { return nil }
        let cards = asked.places.compactMap { place in
            place.instance.flatMap(phone.state.card).map { (place: place, card: $0) }
        }
        guard let (place, card) = cards.last(where: { $0.card.phase.isRunning }) else {
            return withoutCard(asked, cards.last?.card)
        }
        // Only the channel knows what became of a card that follows it.
        guard card.updates.channel == nil else { return nil }
        if case .dead = place.phase { return [.tokenDead, .tokenUnknown, .wrongEnvironment, .wrongTopic] }
        guard place.phase == .live else { return nil }
        guard let newest = try concern(for: place, in: asked.activity).newest() else { return [.nothingDeclared] }
        if place.blockedVersion == newest.version { return [.pushRefused] }
        let shown = card.content.state.object?["n"]?.integer
        return shown == newest.state ? Self.current : Self.running.subtracting([.shown])
    }

    /// No card of the activity runs on the phone.
    private func withoutCard(_ asked: Asked, _ last: SimulatedCard?) -> Set<FindingCode> {
        let over = Set(FindingCode.allCases).subtracting(Self.running).union([.nothingDeclared])
        guard let last, asked.places.last?.instance == last.id,
            simulation.phones[asked.index].dismissed.contains(last.id),
            last.endedAt == nil
        else { return over }
        return [.dismissed]
    }
}

extension Simulation {
    /// What is found for a phone, about an activity or about none, by a server that pushes.
    func finding(on device: Device, _ activity: Activity?) throws -> Finding? {
        guard let app = try ledger.app(app) else { return nil }
        var status = PushingStatus()
        status.wait = nil
        return try Diagnose(Transaction(ledger, at: now), of: device, in: app, pushing: status)(activity)
    }
}
