/// A phone's handling of a push.
public enum PushEffect: Sendable, Hashable {
    /// A card appeared.
    case started(card: String)
    /// A card shows the push's content.
    case updated(card: String)
    /// A card ended.
    case ended(card: String)
    /// Apple keeps the push: the phone is offline, or the push may wait.
    case stored
    /// Nothing changed, and why.
    case ignored(IgnoreReason)

    /// The effect in one word.
    public var word: String {
        switch self {
        case .started: "started"
        case .updated: "updated"
        case .ended: "ended"
        case .stored: "stored"
        case .ignored: "ignored"
        }
    }

    /// The id of the card that changed.
    public var card: String? {
        switch self {
        case .started(let card), .updated(let card), .ended(let card): card
        case .stored, .ignored: nil
        }
    }

    /// Why nothing changed.
    public var reason: IgnoreReason? {
        if case .ignored(let reason) = self { reason } else { nil }
    }
}

/// Why a phone ignored a change. Apple has answered 200 in all these cases.
public enum IgnoreReason: Error, Sendable, Hashable {
    /// `apns-push-type` is not `liveactivity`.
    case notLiveActivity
    /// The payload, the content state or attributes and state together are over 4,096 bytes; the payload of a broadcast
    /// over 5,120.
    case tooLarge
    /// The payload differs from Apple's description; the text says where.
    case malformed(String)
    /// Live Activities are off in Settings.
    case activitiesDisabled
    /// A start to an update token or to a channel, or a change to the start token.
    case wrongToken
    /// No card has this token now.
    case noSuchCard
    /// No card is subscribed to this channel now.
    case notSubscribed
    /// A start without an alert that has title and body.
    case missingAlert
    /// The app has no such type.
    case unknownType(String)
    /// The app's types could not be decoded; the text says why.
    case decodeFailed(String)
    /// The push needs a later version of iOS.
    case needsVersion(IOSVersion)
    /// The app, or the phone, has as many cards as it may have.
    case tooManyCards
    /// The budget for this kind of push is spent.
    case budgetSpent
    /// Low Power Mode is on, and the push is a start.
    case lowPowerMode
    /// The card shows a newer state.
    case olderTimestamp
    /// The timestamp is more than eight hours ahead.
    case farFuture
    /// The timestamp is too long ago.
    case longPast
    /// The card has ended.
    case afterEnd
    /// The card is gone from view.
    case dismissed
    /// The phone was offline and the push was not to be kept.
    case offline
    /// The phone was offline and a later push took this one's place.
    case replacedInStorage
    /// The phone was offline and Apple kept an earlier push.
    case storageTaken
    /// The phone came back online after the push had expired.
    case expired

    /// A stable name for programs.
    public var code: String {
        switch self {
        case .notLiveActivity: "notLiveActivity"
        case .tooLarge: "tooLarge"
        case .malformed: "malformed"
        case .activitiesDisabled: "activitiesDisabled"
        case .wrongToken: "wrongToken"
        case .noSuchCard: "noSuchCard"
        case .notSubscribed: "notSubscribed"
        case .missingAlert: "missingAlert"
        case .unknownType: "unknownType"
        case .decodeFailed: "decodeFailed"
        case .needsVersion: "needsVersion"
        case .tooManyCards: "tooManyCards"
        case .budgetSpent: "budgetSpent"
        case .lowPowerMode: "lowPowerMode"
        case .olderTimestamp: "olderTimestamp"
        case .farFuture: "farFuture"
        case .longPast: "longPast"
        case .afterEnd: "afterEnd"
        case .dismissed: "dismissed"
        case .offline: "offline"
        case .replacedInStorage: "replacedInStorage"
        case .storageTaken: "storageTaken"
        case .expired: "expired"
        }
    }

    /// A sentence for people.
    public var explanation: String {
        switch self {
        case .notLiveActivity: "the push type is not liveactivity"
        case .tooLarge: "more bytes than are allowed"
        case .malformed(let words): words
        case .activitiesDisabled: "Live Activities are off in Settings"
        case .wrongToken: "a start needs the start token, an update or end the token of its card"
        case .noSuchCard: "no card has this token"
        case .notSubscribed: "no card is subscribed to this channel"
        case .missingAlert: "a start needs an alert with title and body"
        case .unknownType(let type): "the app has no Live Activity type named \(type)"
        case .decodeFailed(let words): words
        case .needsVersion(let version): "needs iOS \(version)"
        case .tooManyCards: "the app or the phone has as many Live Activities as it may have"
        case .budgetSpent: "the budget for such pushes is spent"
        case .lowPowerMode: "Low Power Mode is on, and drops pushed starts"
        case .olderTimestamp: "the card shows something that is not older"
        case .farFuture: "the timestamp is more than eight hours ahead"
        case .longPast: "the timestamp is too long ago"
        case .afterEnd: "the card has ended"
        case .dismissed: "the card is gone from view"
        case .offline: "the phone was offline, and the push was for one attempt only"
        case .replacedInStorage: "the phone was offline, and a later push took the one place in Apple's storage"
        case .storageTaken: "the phone was offline, and a push shortly before kept the one place in Apple's storage"
        case .expired: "the push expired before the phone was online again"
        }
    }
}
