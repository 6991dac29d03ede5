/// Changes on a phone, in the order in which they happened there.
///
/// The SDK's outbox repeats a batch until it is answered. The server applies each change once. The order is that of
/// (epoch, sequence), never that of a clock. Sequences may have gaps, because the outbox merges changes that newer ones
/// replace.
public struct DeviceChangeBatch: Sendable, Hashable {
    /// The epoch of the credentials under which the changes were numbered.
    public var epoch: Int
    /// At most ``DeviceLimits/changesPerBatch`` changes, with rising sequences.
    public var changes: [DeviceChange]
    /// The secrets that let the phone join the private activities in `changes`, by activity name.
    public var joinSecrets: [String: JoinSecret]
    /// The highest sequence of this epoch that the server has confirmed to this phone; nil if the phone does not say.
    ///
    /// A server that knows a lower sequence of the phone has gone back (R17). It applies nothing and answers HTTP 409
    /// with the code ``historyChanged``. The phone then registers again and reports everything anew, as for another
    /// ``DeviceHeader/history``. The SDK sends the member only to a server that has sent that header, because an older
    /// server refuses unknown members.
    public var confirmed: Int?

    /// The stable code of the answer to a batch with a higher ``confirmed`` sequence than the server knows.
    public static let historyChanged = "historyChanged"

    /// Makes a batch. Neither the limit nor the order is checked here.
    public init(
        epoch: Int, changes: [DeviceChange], joinSecrets: [String: JoinSecret] = [:], confirmed: Int? = nil
    ) {
        self.epoch = epoch
        self.changes = changes
        self.joinSecrets = joinSecrets
        self.confirmed = confirmed
    }
}

/// One numbered change.
public struct DeviceChange: Sendable, Hashable {
    /// 1, 2, 3 … within the epoch.
    public var sequence: Int
    /// What happened.
    public var action: Action

    /// Makes a change.
    public init(sequence: Int, action: Action) {
        self.sequence = sequence
        self.action = action
    }

    /// The changes on a phone that the server needs to know.
    public enum Action: Sendable, Hashable {
        /// The push-to-start token of a registered type. ``removeStartToken(type:)`` is the only way to remove one.
        case setStartToken(type: String, token: PushToken)
        /// The app no longer wants remote starts of this type.
        case removeStartToken(type: String)
        /// A card runs and has no token yet. Either it was started remotely and is not allowed yet, or it was just
        /// requested.
        case cardSeen(Card)
        /// The update token of a card, new or rotated.
        case setUpdateToken(Card, token: PushToken)
        /// The app stops tracking a card without ending it.
        case stopTracking(Card)
        /// Something happened to a card. If the card shows other content, the digest identifies it. The SDK sees
        /// content only while the app runs.
        case cardEvent(Card, CardEvent, digest: StateDigest? = nil)
        /// All cards of a type that run now, by ActivityKit's ids. A card that is not listed is gone.
        case running(type: String, instances: [String])
        /// The app's user, with the signature of the app's own backend if there is one.
        case identify(user: String, signature: IdentitySignature? = nil)
        /// The user has logged out.
        case logout
        /// The person turned a switch in Settings.
        case permissions(DevicePermissions)
        /// The whole profile of this installation.
        case profile(DeviceProfile)

        /// The card that the change is about; nil if it is about none.
        public var card: Card? {
            switch self {
            case .cardSeen(let card), .setUpdateToken(let card, _), .stopTracking(let card),
                .cardEvent(let card, _, _):
                card
            case .setStartToken, .removeStartToken, .running, .identify, .logout, .permissions, .profile: nil
            }
        }
    }
}

/// One card on the phone.
public struct Card: Sendable, Hashable {
    /// ActivityKit's id, `Activity.id`.
    public var instance: String
    /// The activity's name, as the backend uses it.
    public var name: String
    /// The name of the attributes type.
    public var type: String

    /// Makes a card.
    public init(instance: String, name: String, type: String) {
        self.instance = instance
        self.name = name
        self.type = type
    }
}

/// The events of a card that the SDK can observe.
public enum CardEvent: String, Sendable, Hashable, CaseIterable {
    /// The card appeared.
    case started
    /// The card shows another state than before, because of a push or of the SDK.
    case contentApplied
    /// The app changed the card without the server.
    case locallyChanged
    /// The card's stale date passed.
    case stale
    /// The app or the system ended the card. A push of the server and a person's swipe are other events.
    case ended
    /// A person removed the card.
    case dismissed
    /// The card ended and left the screen in the same moment. Either an end asked for that, or a person swiped. An app
    /// cannot tell which.
    case vanished
    /// A person opened the app through the card.
    case tapped

    /// Whether the card no longer runs.
    public var isOver: Bool {
        switch self {
        case .ended, .dismissed, .vanished: true
        case .started, .contentApplied, .locallyChanged, .stale, .tapped: false
        }
    }
}

/// The server's answer to a batch.
public struct DeviceAnswer: Sendable, Hashable {
    /// The sequence up to which changes of this epoch are applied. The outbox forgets those.
    public var applied: Int
    /// The state that each card named in the batch should show now.
    public var cards: [CardState]
    /// Why the phone has no user now; nil unless the server refused the proof of the user that the phone named.
    public var identity: IdentityRefusal?

    /// Makes an answer.
    public init(applied: Int, cards: [CardState], identity: IdentityRefusal? = nil) {
        self.applied = applied
        self.cards = cards
        self.identity = identity
    }
}

/// The state that one card should show now.
public struct CardState: Sendable, Hashable {
    /// ActivityKit's id of the card.
    public var instance: String
    /// The name under which the phone reported it.
    public var name: String
    /// The declaration's version. 0 if nothing was declared yet; then there is no content.
    public var version: Int
    /// Whether the card should end.
    public var ends: Bool
    /// The state to show, as the backend wrote it. If nil, the card keeps its state.
    public var contentState: JSONValue?
    /// UNIX seconds, as in Apple's payload; nil for none.
    public var staleDate: Int?
    /// UNIX seconds; nil unless the card ends.
    public var dismissalDate: Int?
    /// Any number, relative within the app. If nil, the card keeps ActivityKit's default, 0.
    public var relevanceScore: Double?
    /// The time to pass to ActivityKit with the update, in UNIX seconds with a fraction.
    ///
    /// A push has a whole second. Pushes of the same second are older than the answer, and every later push is newer.
    /// So the answer never hides a push, even if the phone's clock is ahead.
    public var timestamp: Double

    /// Makes a state.
    public init(
        instance: String, name: String, version: Int, ends: Bool, contentState: JSONValue?, staleDate: Int?,
        dismissalDate: Int?, relevanceScore: Double?, timestamp: Double
    ) {
        self.instance = instance
        self.name = name
        self.version = version
        self.ends = ends
        self.contentState = contentState
        self.staleDate = staleDate
        self.dismissalDate = dismissalDate
        self.relevanceScore = relevanceScore
        self.timestamp = timestamp
    }
}
