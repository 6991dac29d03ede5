import EyotContract

/// An element that ActivityKit yielded, or its answer: the subject of a comparison.
public enum RecordedFact: Sendable, Hashable {
    /// `Activity.request` returned a card. Whether `pushToken` was there already was looked at in the same moment.
    case granted(request: Int, card: String, hasToken: Bool)
    /// `Activity.request` threw; the name of the error's case.
    case refused(request: Int, error: String)
    /// `Activity.activities` of a type at the launch.
    case there(type: String, cards: [String])
    /// `Activity.activityUpdates` yielded a card.
    case card(type: String, card: String)
    /// `activityStateUpdates` yielded a state, by its name.
    case phase(card: String, String)
    /// `contentUpdates` yielded content.
    case content(card: String, CardContent)
    /// `pushTokenUpdates` yielded a token, shortened.
    case token(card: String, ShortenedToken)
    /// `pushToStartTokenUpdates` yielded a token, shortened.
    case startToken(type: String, ShortenedToken)
    /// `activityEnablementUpdates` yielded a setting.
    case activitiesEnabled(Bool)
    /// `frequentPushEnablementUpdates` yielded a setting.
    case frequentPushesEnabled(Bool)
    /// A sequence ended while the app ran.
    case over(RecordedSequence)
    /// The process began in the background, for example because of a push.
    case woken
    /// A fact that the simulator has no case for.
    case other(String)

    /// The card that it is about.
    public var card: String? {
        switch self {
        case .granted(_, let card, _), .card(_, let card), .phase(let card, _), .content(let card, _),
            .token(let card, _):
            card
        case .over(let sequence): sequence.card
        default: nil
        }
    }
}

/// The part of a token that distinguishes it from others but is too short to push with.
public struct ShortenedToken: Sendable, Hashable, CustomStringConvertible {
    /// Characters that it has at most. Real tokens have 64 digits and more, so none fits.
    public static let lengthLimit = 32

    /// `0a1b…9f00 (80 bytes)`
    public let description: String

    /// A token, shortened.
    public init(_ token: PushToken) { description = token.description }

    /// Nil if the text is longer than a shortened token can be.
    public init?(_ text: String) {
        guard !text.isEmpty, text.count <= Self.lengthLimit else { return nil }
        description = text
    }
}
