import EyotContract
import EyotKit
import Foundation
import PhoneSimulator

/// A recorder of ActivityKit's real behaviour: all that its sequences yield, and the app's own requests. `eyot lab
/// compare` compares such a file with the simulated phone, so that its guesses can be replaced by facts.
///
/// While it records, the app makes its cards through it. It keeps no `Activity`, which is not Sendable: each task looks
/// its card up by the id.
@available(iOS 16.2, *)
nonisolated final class ActivityRecorder: Sendable {
    let log: RecordingLog
    let tasks = FollowedCards()
    /// `#available` is always true with the simulated ActivityKit, so the version is checked as well.
    let os: IOSVersion

    init(log: RecordingLog, os: IOSVersion) {
        self.log = log
        self.os = os
    }

    /// Begins the recording of the app's process. Call it first, and at once: earlier events are lost.
    func launched(_ run: AppRun) async {
        let settings = ActivityAuthorizationInfo()
        log.append(
            .did(
                .launch(
                    run, activitiesEnabled: settings.areActivitiesEnabled,
                    frequentPushesEnabled: settings.frequentPushesEnabled)))
        if run == .background { log.append(.saw(.woken)) }
        await followSettings()
    }

    /// The app came to the front or left it.
    func moved(to run: AppRun) { log.append(.did(.move(run))) }

    /// Records an action that only the person at the phone or the sender of a push can know.
    func note(_ action: RecordedAction) { log.append(.did(action)) }

    /// Stops listening. Later elements of the sequences are not recorded.
    func stop() { tasks.cancelAll() }

    // MARK: Requests of the app

    /// Requests a card.
    ///
    /// - Returns: its id.
    func request<Attributes: ActivityAttributes & Sendable>(
        _ attributes: Attributes, _ content: ActivityContent<Attributes.ContentState>, updates: CardUpdates = .token
    ) async throws -> String where Attributes.ContentState: Sendable {
        let number = tasks.nextRequest()
        log.append(
            .did(
                .request(
                    number: number,
                    CardRequest(
                        type: String(describing: Attributes.self), attributes: try Self.json(attributes),
                        content: try Self.card(content), updates: updates))))
        let card: (id: String, hasToken: Bool)
        do {
            let activity = try Activity.request(attributes: attributes, content: content, pushType: pushType(updates))
            card = (activity.id, activity.pushToken != nil)
        } catch let error as ActivityAuthorizationError {
            log.append(.saw(.refused(request: number, error: error.caseName)))
            throw error
        }
        log.append(.saw(.granted(request: number, card: card.id, hasToken: card.hasToken)))
        await follow(card: card.id, of: Attributes.self)
        return card.id
    }

    /// Shows other content on a card.
    func update<Attributes: ActivityAttributes & Sendable>(
        _ type: Attributes.Type, card id: String, to content: ActivityContent<Attributes.ContentState>,
        alert: AlertConfiguration? = nil
    ) async throws where Attributes.ContentState: Sendable {
        guard let activity = Activity<Attributes>.withID(id) else { return }
        log.append(.did(.update(card: id, try Self.card(content), alerts: alert != nil, timestamp: nil)))
        await activity.update(content, alertConfiguration: alert)
    }

    /// Ends a card, with last content if there is any.
    func end<Attributes: ActivityAttributes & Sendable>(
        _ type: Attributes.Type, card id: String, showing content: ActivityContent<Attributes.ContentState>? = nil,
        _ dismissal: CardDismissal = .standard
    ) async throws where Attributes.ContentState: Sendable {
        guard let activity = Activity<Attributes>.withID(id) else { return }
        log.append(.did(.end(card: id, try content.map(Self.card), dismissal, timestamp: nil)))
        await activity.end(content, dismissalPolicy: dismissal.policy)
    }

    // MARK: ActivityKit's values as recorded

    private func pushType(_ updates: CardUpdates) -> PushType? {
        switch updates {
        case .local: return nil
        case .token: return .token
        case .channel(let id):
            guard #available(iOS 18.0, *) else { return .token }
            return .channel(id)
        }
    }

    static func json(_ value: some Encodable) throws -> JSONValue {
        try JSONValue(parsing: JSONEncoder().encode(value))
    }

    static func card<State>(_ content: ActivityContent<State>) throws -> CardContent {
        CardContent(
            state: try json(content.state), staleDate: content.staleDate, relevanceScore: content.relevanceScore)
    }
}

@available(iOS 16.2, *)
nonisolated extension Activity {
    static func withID(_ id: String) -> Activity? { activities.first { $0.id == id } }
}

nonisolated extension CardDismissal {
    @available(iOS 16.2, *)
    var policy: ActivityUIDismissalPolicy {
        switch self {
        case .standard: .default
        case .immediate: .immediate
        case .after(let date): .after(date)
        }
    }
}

@available(iOS 16.2, *)
nonisolated extension ActivityAuthorizationError {
    /// The name of the case. A case that this version does not know has its Swift description.
    var caseName: String { String(describing: self) }
}
