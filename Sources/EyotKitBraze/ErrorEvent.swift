import EyotContract
import EyotKit

extension Braze.LiveActivities {
    /// An error of a type or card. Every transient failure is retried.
    public enum ErrorEvent: Sendable, Hashable {
        /// The server does not have a type's push-to-start token, or the phone has none.
        case pushToStartRegistrationFailed(activityType: String, isTransient: Bool, reason: String)
        /// The server does not have a card's token, or the card has none.
        case registrationFailed(
            activityId: String, activityType: String, pushTokenTag: String, isTransient: Bool, reason: String)
        /// The card has ended or gone, so that there is nothing to follow.
        case activityNotFound(activityId: String, activityType: String, pushTokenTag: String)
        /// The tag is empty, longer than 256 bytes, or contains NUL.
        case invalidPushTokenTag(activityId: String, activityType: String, tag: String)
    }
}

extension Braze.LiveActivities.ErrorEvent {
    /// The errors that a problem causes for its types and cards.
    static func errors(of problem: EyotProblem, _ eyot: Eyot) async -> [Self] {
        switch problem {
        case .serverUnavailable(let reason, _): await pending(eyot, isTransient: true, "\(reason)")
        case .registrationRefused: await pending(eyot, isTransient: false, "\(problem)")
        case .startTokenMissing(let type):
            [.pushToStartRegistrationFailed(activityType: type, isTransient: true, reason: "\(problem)")]
        case .startTokensUnavailable(let type, _):
            [.pushToStartRegistrationFailed(activityType: type, isTransient: false, reason: "\(problem)")]
        case .changeRefused("setStartToken", let type?, _, _):
            [.pushToStartRegistrationFailed(activityType: type, isTransient: false, reason: "\(problem)")]
        case .tokenMissing(_, let instance, _): await one(instance, eyot, isTransient: true, "\(problem)")
        case .changeRefused("setUpdateToken", let instance?, _, _):
            await one(instance, eyot, isTransient: false, "\(problem)")
        default: []
        }
    }

    /// Everything that the server has not taken yet waits for the same reason.
    private static func pending(_ eyot: Eyot, isTransient: Bool, _ reason: String) async -> [Self] {
        let (types, cards) = await eyot.unconfirmed()
        return types.map { .pushToStartRegistrationFailed(activityType: $0, isTransient: isTransient, reason: reason) }
            + cards.map { failed($0, isTransient, reason) }
    }

    private static func one(_ instance: String, _ eyot: Eyot, isTransient: Bool, _ reason: String) async -> [Self] {
        await eyot.card(ofInstance: instance).map { [failed($0, isTransient, reason)] } ?? []
    }

    private static func failed(_ card: Card, _ isTransient: Bool, _ reason: String) -> Self {
        .registrationFailed(
            activityId: card.instance, activityType: card.type, pushTokenTag: card.name, isTransient: isTransient,
            reason: reason)
    }
}
