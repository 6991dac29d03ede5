import APNSWire
import EyotContract
import Foundation

/// One Live Activity on a simulated phone.
public struct SimulatedCard: Sendable, Hashable {
    /// The party that started a card.
    public enum Origin: String, Sendable, Hashable, Codable {
        case local, remote
    }

    /// ActivityKit's id, `Activity.id`.
    public let id: String
    /// The name of the attributes type.
    public let type: String
    /// The attributes as JSON, as they came.
    public let attributes: JSONValue
    /// The party that started it.
    public let origin: Origin
    /// The source of its updates.
    public let updates: CardUpdates
    /// How many cards the phone had started before this one.
    public let number: Int
    /// The newest content.
    public internal(set) var content: CardContent
    /// The content on the screen: the newest, or the previous one while the system delays rendering.
    public internal(set) var shown: ShownContent
    /// The phase of its life.
    public internal(set) var phase: CardPhase
    /// When it began, or will begin if it is still pending.
    public internal(set) var startedAt: Date
    /// When it ended.
    public internal(set) var endedAt: Date?
    /// When it goes, or went, from view; nil while it has not ended.
    public internal(set) var removedAt: Date?
    /// The timestamp of its content, which later changes are compared with. Nil if no change has had one yet.
    public internal(set) var timestamp: Date?
    /// The token for its pushes; nil until there is one.
    public internal(set) var updateToken: PushToken?
    /// How many changes have been shown, the start among them.
    public internal(set) var changes = 1
    /// How often it has lit the screen.
    public internal(set) var alerts = 0
    /// Whether it ends as soon as the person locks the phone or taps outside it; ActivityKit's style `transient`.
    public internal(set) var isTransient = false
    /// Whether the person has pressed Allow while it was there.
    var isAllowed = false
    /// The dismissal date of its start or its latest update, if the phone's rules say that it counts.
    var dismissalDate: Date?
    /// When the token is due; nil if none is wanted or there is one.
    var tokenDueAt: Date?

    /// When the system ends it: eight hours after it began.
    var systemEnd: Date { startedAt.addingTimeInterval(Double(APNSLimits.activeLifetime)) }
}

/// The phase of a card's life; ActivityKit's `ActivityState`.
public enum CardPhase: String, Sendable, Hashable, CaseIterable, Codable {
    /// Scheduled and not begun.
    case pending
    case active
    /// Shown, past its stale date.
    case stale
    /// Still visible on the Lock Screen, takes no more changes.
    case ended
    /// Gone from view.
    case dismissed

    /// Whether it still takes changes.
    public var isRunning: Bool { self == .pending || self == .active || self == .stale }
}

/// The content of a card; ActivityKit's `ActivityContent`, undecoded.
public struct CardContent: Sendable, Hashable {
    /// The content state as JSON.
    public var state: JSONValue
    /// By the phone's clock.
    public var staleDate: Date?
    /// Relative to the app's other cards.
    public var relevanceScore: Double

    /// Content.
    public init(state: JSONValue, staleDate: Date? = nil, relevanceScore: Double = 0) {
        self.state = state
        self.staleDate = staleDate
        self.relevanceScore = relevanceScore
    }
}

/// The part of a card that is on the screen.
public struct ShownContent: Sendable, Hashable {
    /// The content.
    public internal(set) var content: CardContent
    /// When it appeared.
    public internal(set) var since: Date
    /// How many contents have been there, the start's among them.
    public internal(set) var count: Int

    /// Content that appeared on the screen at a moment; by default the first.
    public init(content: CardContent, since: Date, count: Int = 1) {
        self.content = content
        self.since = since
        self.count = count
    }
}

/// The source of a card's updates; ActivityKit's `PushType`.
public enum CardUpdates: Sendable, Hashable, Codable {
    /// Only the app.
    case local
    /// From pushes to a token of its own.
    case token
    /// From a broadcast channel, by its base64 id.
    case channel(String)
}

/// When an ended card goes from view; ActivityKit's `ActivityUIDismissalPolicy`.
public enum CardDismissal: Sendable, Hashable {
    /// Four hours after the end.
    case standard
    /// At once.
    case immediate
    /// At a moment by the phone's clock, at most four hours after the end; at once if it has passed.
    case after(Date)
}
