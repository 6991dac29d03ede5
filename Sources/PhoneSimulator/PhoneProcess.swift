import EyotContract
import Foundation

/// One run of the app on a phone, from its launch to its end. The app's code keeps a reference to it.
///
/// After the process ends, its streams are over, and it sees and changes nothing. Tasks that outlive it receive
/// nothing, as on a phone. They still read the person's current switches: an "off" would look like a change.
public struct PhoneProcess: Sendable {
    /// The process in which the current task runs. A lab sets it around all the code of one app.
    @TaskLocal public static var current: PhoneProcess?

    /// The phone.
    public let phone: SimulatedPhone
    /// Which of the app's processes this is.
    public let generation: Int

    /// Whether it still runs.
    public var isAlive: Bool { read { _ in true } ?? false }

    /// The phone's clock, which may be wrong.
    public var phoneTime: Date {
        phone.change { state, now in
            state.advance(to: now)
            return state.phoneTime
        }
    }

    private func isAlive(in state: PhoneState) -> Bool { state.generation == generation && state.run != .notRunning }

    /// Reads the phone's state at this moment; nil after the process has ended.
    private func read<Result>(_ body: (PhoneState) -> Result?) -> Result? {
        change { state, now in
            state.look(at: now)
            return body(state)
        }
    }

    private func change<Result>(_ body: (inout PhoneState, Date) -> Result?) -> Result? {
        phone.change { state, now in isAlive(in: state) ? body(&state, now) : nil }
    }
}

// MARK: - Actions of the app

extension PhoneProcess {
    /// Starts a card.
    ///
    /// - Returns: the card as it begins, without a token.
    public func request(_ request: CardRequest) throws(CardRefusal) -> SimulatedCard {
        try phone.change { state, now throws(CardRefusal) in
            guard isAlive(in: state) else { throw .missingProcessIdentifier }
            let id = try state.request(request, now: now)
            guard let card = state.card(id) else { throw .persistenceFailure }
            return card
        }
    }

    /// Changes a card. `timestamp` is by the phone's clock, nil for now.
    public func update(card id: String, to content: CardContent, alerts: Bool = false, timestamp: Date? = nil) {
        _ = change { $0.update(card: id, to: content, alerts: alerts, timestamp: timestamp, now: $1) }
    }

    /// Ends a card. `timestamp` is by the phone's clock, nil for now.
    public func end(card id: String, content: CardContent?, dismissal: CardDismissal, timestamp: Date? = nil) {
        _ = change { $0.end(card: id, content: content, dismissal: dismissal, timestamp: timestamp, now: $1) }
    }

    /// Asks the system not to end the app in the background before this is done, or its patience is.
    public func holdAwake(_ body: () async -> Void) async {
        _ = change { state, _ in state.unfinishedWork += 1 }
        await body()
        _ = change { state, _ in state.unfinishedWork -= 1 }
    }

    /// Records a mistake of the app.
    public func note(fault: String) { _ = change { state, _ in state.note(fault: fault) } }
}

// MARK: - The app's view

extension PhoneProcess {
    /// Live Activities are on in Settings.
    public var activitiesEnabled: Bool { (read(\.settings) ?? phone.state.settings).activitiesEnabled }

    /// The app supports frequent updates, and they are on in Settings.
    public var frequentPushesEnabled: Bool { read(\.frequentPushesEnabled) ?? phone.state.frequentPushesEnabled }

    /// The push-to-start token.
    public var startToken: PushToken? { read(\.startToken) }

    /// A card; nil if the phone has forgotten it.
    public func card(_ id: String) -> SimulatedCard? { read { $0.card(id) } }

    /// The cards of a type that are in view.
    public func cards(ofType type: String) -> [SimulatedCard] { read { $0.cards(ofType: type) } ?? [] }
}
