import APNSWire
import EyotContract

/// Version *n* of an activity: what its replicas should show from now on, or that they should end.
package struct Declaration: Sendable, Hashable {
    package enum Kind: String, Sendable, Hashable, CaseIterable {
        case state, end
    }

    /// Whom a declaration concerns.
    package enum Scope: Sendable, Hashable {
        case everyone
        /// The replicas that the call froze; how many is for the record, which ones the replicas know.
        case members(count: Int)
    }

    package var activity: ActivityID
    package var version: Int
    package var kind: Kind
    package var scope: Scope
    package var content: Content
    /// Only on a declaration that starts cards: their unchanging part.
    package var attributes: JSONValue?
    package var acceptedAt: Instant
    package var asOf: Instant?
    /// The newest declaration for everyone before this one, 0 for none: who looks for what a replica has missed need not look
    /// at what was declared for others.
    package var follows = 0
    /// When it went on to everyone after it had been tried out; nil where it never was.
    package var releasedAt: Instant?

    package init(
        activity: ActivityID, version: Int, kind: Kind, scope: Scope, content: Content, attributes: JSONValue? = nil,
        acceptedAt: Instant, asOf: Instant? = nil
    ) {
        self.activity = activity
        self.version = version
        self.kind = kind
        self.scope = scope
        self.content = content
        self.attributes = attributes
        self.acceptedAt = acceptedAt
        self.asOf = asOf
    }

    /// Since when those are behind who do not have it: who waited for a canary was not.
    package var countsFrom: Instant { releasedAt ?? acceptedAt }
}

/// What a declaration says, in Apple's terms.
package struct Content: Sendable, Hashable {
    /// Nil only on an end: then the last state stays.
    package var state: JSONValue?
    /// For the cards that run; cards that are started hear it when ``startAlert`` is nil.
    package var alert: Alert?
    /// For the cards that this declaration starts. Later declarations that name none keep it, as they keep the attributes.
    package var startAlert: AlertText?
    /// UNIX seconds.
    package var staleDate: Int?
    /// How many seconds a state stays fresh, counted anew from each declaration. Nil when ``staleDate`` is absolute or absent.
    package var staleAfter: Int?
    /// UNIX seconds; only on an end.
    package var dismissalDate: Int?
    package var relevanceScore: Double?
    /// The caller's wish; nil lets Eyot choose.
    package var priority: APNSPriority?
    /// It waits for no spacing, and its alert is given again where it is not known whether it arrived.
    package var isUrgent = false
    /// Further members of Apple's `aps`, an object, as the caller wrote them.
    package var aps: JSONValue?

    package init(
        state: JSONValue? = nil, alert: Alert? = nil, startAlert: AlertText? = nil, staleDate: Int? = nil,
        dismissalDate: Int? = nil, relevanceScore: Double? = nil, staleAfter: Int? = nil,
        priority: APNSPriority? = nil, isUrgent: Bool = false, aps: JSONValue? = nil
    ) {
        self.state = state
        self.alert = alert
        self.startAlert = startAlert
        self.staleAfter = staleAfter
        self.staleDate = staleDate
        self.dismissalDate = dismissalDate
        self.relevanceScore = relevanceScore
        self.priority = priority
        self.isUrgent = isUrgent
        self.aps = aps
    }
}

/// An alert that goes out with a state (R4).
package struct Alert: Sendable, Hashable {
    /// How many seconds an alert is worth giving when the caller does not say.
    package static let defaultLifetime = 300.0

    package var text: AlertText
    /// The alert is dropped after this: a goal of an hour ago is no news.
    package var expiresAt: Instant

    package init(body: JSONValue, expiresAt: Instant) {
        text = AlertText(body)
        self.expiresAt = expiresAt
    }

    package var body: JSONValue { text.body }
}

/// What an alert says: Apple's dictionary with `title`, `body` and `sound`, and ours of further languages.
package struct AlertText: Sendable, Hashable {
    package var body: JSONValue

    package init(_ body: JSONValue) { self.body = body }
}

extension Content {
    /// What a card hears that is started from this declaration.
    package var alertOfStarts: AlertText? { startAlert ?? alert?.text }
}
