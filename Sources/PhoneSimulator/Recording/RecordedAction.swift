import APNSWire
import EyotContract
import Foundation

/// An action of the app or the person. A replay repeats it on a simulated phone.
public enum RecordedAction: Sendable, Hashable {
    /// The app's process began, with these settings. The process before it, if any, is over.
    case launch(AppRun, activitiesEnabled: Bool, frequentPushesEnabled: Bool)
    /// The running app came to the front or left it.
    case move(AppRun)
    /// The recorder began to listen to a sequence.
    case listen(RecordedSequence)
    /// The app asked for a card. ActivityKit's answer bears the same number.
    case request(number: Int, CardRequest)
    /// The app changed a card.
    case update(card: String, CardContent, alerts: Bool, timestamp: Date?)
    /// The app ended a card. Without content the card keeps its present content.
    case end(card: String, CardContent?, CardDismissal, timestamp: Date?)
    /// Apple took a push for this phone.
    case push(RecordedPush)
    /// An action of the person, or an event of the phone.
    case person(RecordedAct)
}

/// A push as its sender records it.
public struct RecordedPush: Sendable, Hashable {
    /// The destination of a recorded push. Tokens are never recorded.
    public enum Destination: Sendable, Hashable {
        /// The phone's next card.
        case start
        /// A card, by ActivityKit's id.
        case card(String)
        /// A broadcast channel.
        case channel(String)
    }

    /// Where the push was sent.
    public var destination: Destination
    /// The payload, with `aps`.
    public var payload: JSONValue
    /// `apns-priority`.
    public var priority: APNSPriority
    /// `apns-expiration` in UNIX seconds; nil if the header was absent.
    public var expiration: Int?

    /// A push.
    public init(
        to destination: Destination, payload: JSONValue, priority: APNSPriority = .immediate, expiration: Int? = nil
    ) {
        self.destination = destination
        self.payload = payload
        self.priority = priority
        self.expiration = expiration
    }
}

/// An action that only the person at the phone can know.
public enum RecordedAct: Sendable, Hashable {
    /// A card was swiped away.
    case dismiss(card: String)
    /// Allow was pressed.
    case allow
    /// The phone was locked, or a tap went outside the Dynamic Island.
    case lock
    /// The app was swiped away.
    case quit
    /// The system ended the app's process.
    case terminate
    /// The phone was restarted.
    case reboot
    /// The network went.
    case offline
    /// The network came back.
    case online
}

/// A sequence that the recorder listens to.
public enum RecordedSequence: Sendable, Hashable {
    /// `Activity.activityUpdates` of a type.
    case cards(type: String)
    /// `activityStateUpdates` of a card.
    case phases(card: String)
    /// `contentUpdates` of a card.
    case contents(card: String)
    /// `pushTokenUpdates` of a card.
    case tokens(card: String)
    /// `Activity.pushToStartTokenUpdates` of a type.
    case startTokens(type: String)
    /// `ActivityAuthorizationInfo.activityEnablementUpdates`.
    case activitiesEnabled
    /// `ActivityAuthorizationInfo.frequentPushEnablementUpdates`.
    case frequentPushesEnabled

    /// The card that the sequence belongs to; nil for a sequence of the app or a type.
    public var card: String? {
        switch self {
        case .phases(let card), .contents(let card), .tokens(let card): card
        default: nil
        }
    }
}

/// A Live Activity type of a recording.
public struct RecordedType: Sendable, Hashable {
    /// Its name, as in `attributes-type`.
    public var name: String
    /// The schema that it decodes from; nil if the recorder could not find one. Any object then counts as decodable.
    public var schema: ActivitySchema?

    /// A type.
    public init(_ name: String, schema: ActivitySchema? = nil) {
        self.name = name
        self.schema = schema
    }

    /// The check that a phone with this type makes.
    var check: PayloadCheck { schema.map { .schema($0, type: name) } ?? .anyObject(type: name) }
}
