/// What happened on a phone, in the order in which it happened there.
///
/// The SDK's outbox sends batches until they are answered; the server applies each change once. The order is that of
/// (epoch, sequence), never that of a clock. Gaps are allowed, since the outbox merges what overtook itself.
public struct DeviceChangeBatch: Sendable, Hashable {
    /// The epoch of the credentials with which the changes were numbered.
    public var epoch: Int
    /// At most ``DeviceLimits/changesPerBatch``, sequences rising.
    public var changes: [DeviceChange]
    /// What lets the phone join private activities of which the changes speak, by their names.
    public var joinSecrets: [String: JoinSecret]

    /// Makes a batch; neither limit nor order is checked here.
    public init(epoch: Int, changes: [DeviceChange], joinSecrets: [String: JoinSecret] = [:]) {
        self.epoch = epoch
        self.changes = changes
        self.joinSecrets = joinSecrets
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

    /// What can happen on a phone that the server has to know.
    public enum Action: Sendable, Hashable {
        /// The push-to-start token under a registered type. There is no such thing as setting nothing: see
        /// ``removeStartToken(type:)``.
        case setStartToken(type: String, token: PushToken)
        /// The app no longer wants remote starts of this type.
        case removeStartToken(type: String)
        /// A card runs and has no token yet: started remotely and not allowed yet, or just requested.
        case cardSeen(Card)
        /// The update token of a card, new or rotated.
        case setUpdateToken(Card, token: PushToken)
        /// The app stops tracking a card without ending it.
        case stopTracking(Card)
        /// Something happened to a card. Where it shows other content, the digest says which: the SDK sees that while the app runs.
        case cardEvent(Card, CardEvent, digest: StateDigest? = nil)
        /// Every card of a type that runs now, by ActivityKit's ids. What is missing is gone.
        case running(type: String, instances: [String])
        /// The person who uses the app is this one, as the app's own backend has signed it where it does.
        case identify(user: String, signature: IdentitySignature? = nil)
        /// Nobody is logged in any more.
        case logout
        /// The person changed a switch in Settings.
        case permissions(DevicePermissions)
        /// What the app says of this installation, all of it.
        case profile(DeviceProfile)

        /// The card that the change speaks of.
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
    /// The name by which the backend speaks of it.
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

/// What can happen to a card, as far as the SDK can know.
public enum CardEvent: String, Sendable, Hashable, CaseIterable {
    /// It appeared.
    case started
    /// It shows another state than before, by a push or by us.
    case contentApplied
    /// The app changed it without the server.
    case locallyChanged
    /// Its stale date passed.
    case stale
    /// It ended: by the app or the system, not by a push of ours and not by a person's swipe.
    case ended
    /// A person removed it.
    case dismissed
    /// It ended and went from view in one moment: by an end that asks for it, or by a person. An app cannot tell which.
    case vanished
    /// A person opened the app through it.
    case tapped

    /// Whether the card does not run any more.
    public var isOver: Bool {
        switch self {
        case .ended, .dismissed, .vanished: true
        case .started, .contentApplied, .locallyChanged, .stale, .tapped: false
        }
    }
}

/// The server's answer to a batch.
public struct DeviceAnswer: Sendable, Hashable {
    /// The sequence up to which changes of this epoch are applied; the outbox forgets those.
    public var applied: Int
    /// What each card that was named in the batch should show now.
    public var cards: [CardState]
    /// Why the phone is nobody's now, where it named somebody and did not prove it.
    public var identity: IdentityRefusal?

    /// Makes an answer.
    public init(applied: Int, cards: [CardState], identity: IdentityRefusal? = nil) {
        self.applied = applied
        self.cards = cards
        self.identity = identity
    }
}

/// What one card should show now.
public struct CardState: Sendable, Hashable {
    /// ActivityKit's id of the card.
    public var instance: String
    /// The name under which the phone reported it.
    public var name: String
    /// The declaration's version; 0 where nobody has declared anything yet, and then there is no content.
    public var version: Int
    /// Whether the card should end.
    public var ends: Bool
    /// The state to show, as the backend wrote it. Without one the card keeps what it has.
    public var contentState: JSONValue?
    /// UNIX seconds, as in Apple's payload.
    public var staleDate: Int?
    /// UNIX seconds; only where the card ends.
    public var dismissalDate: Int?
    /// Any number, relative within the app. Without one the card keeps ActivityKit's default, 0.
    public var relevanceScore: Double?
    /// UNIX seconds, with a fraction, to hand to ActivityKit as the update's time. A push has a whole second: what left in
    /// this one is older than the answer, and every later push is newer, so that the answer can never hide one. (A phone's
    /// own clock may be ahead.)
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
