import APNSWire
import EyotContract

/// The number of a declaration in its activity, from 1. 0 stands for none: it comes before every declaration, so a
/// comparison needs no case for it.
package typealias Version = Int

/// Version *n* of an activity: what its replicas should show from now on, or that they should end.
package struct Declaration: Sendable, Hashable {
    package enum Kind: String, Sendable, Hashable, CaseIterable {
        case state, end
    }

    /// The replicas that a declaration applies to.
    package enum Scope: Sendable, Hashable {
        case everyone
        /// The replicas that the call froze. The count is for the record; the replicas themselves note their
        /// membership.
        case members(count: Int)
    }

    package var activity: ActivityID
    package var version: Version
    package var kind: Kind
    package var scope: Scope
    package var content: Content
    /// The unchanging part of the cards that it starts; nil on a declaration that starts none.
    package var attributes: JSONValue?
    package var acceptedAt: Instant
    package var asOf: Instant?
    /// The newest declaration for everyone before this one, 0 for none. A search for the declarations that a replica
    /// missed follows it, and so skips those for other replicas.
    package var follows = 0
    /// When it went on to everyone after a canary; nil if it was not tried by one, or has not gone on.
    package var releasedAt: Instant?

    package init(
        activity: ActivityID, version: Version, kind: Kind, scope: Scope, content: Content,
        attributes: JSONValue? = nil,
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

    /// The moment from which replicas without it count as behind. Replicas that waited for a canary were not behind.
    package var countsFrom: Instant { releasedAt ?? acceptedAt }
}

/// The content of a declaration, in Apple's terms.
package struct Content: Sendable, Hashable {
    /// Nil only on an end: the last state then stays.
    package var state: JSONValue?
    /// For cards that run. Cards that are started hear it if ``startAlert`` is nil.
    package var alert: Alert?
    /// For cards that are started. Later declarations without one keep it, as they keep the attributes.
    package var startAlert: AlertText?
    /// UNIX seconds.
    package var staleDate: Int?
    /// Seconds for which a state stays fresh, counted anew from each declaration. Nil if ``staleDate`` is absolute or
    /// absent.
    package var staleAfter: Int?
    /// UNIX seconds; only on an end.
    package var dismissalDate: Int?
    package var relevanceScore: Double?
    /// The caller's choice; nil lets Eyot choose.
    package var priority: APNSPriority?
    /// Whether it ignores the spacing, and repeats an alert with an unknown outcome.
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

extension Content {
    /// Whether it has passed its stale date, so that iOS shows a card with it grey.
    package func isStale(at now: Instant) -> Bool { staleDate.map { $0 <= now.second } ?? false }
}

extension Declaration {
    /// A declaration before its activity numbers it.
    package struct Draft: Sendable, Hashable {
        package var kind: Kind
        package var content: Content
        package var scope: Scope
        /// The attributes of cards that are started from it.
        package var attributes: JSONValue?
        /// When the state was true, if the caller says it.
        package var asOf: Instant?

        package init(
            _ kind: Kind, _ content: Content, scope: Scope = .everyone, attributes: JSONValue? = nil,
            asOf: Instant? = nil
        ) {
            self.kind = kind
            self.content = content
            self.scope = scope
            self.attributes = attributes
            self.asOf = asOf
        }
    }
}

/// An alert that goes out with a state (R4).
package struct Alert: Sendable, Hashable {
    /// Seconds for which an alert is given if the caller names no lifetime.
    package static let defaultLifetime = 300.0

    package var text: AlertText
    /// The moment after which the alert is dropped: a goal of an hour ago is no news.
    package var expiresAt: Instant

    package init(body: JSONValue, expiresAt: Instant) {
        text = AlertText(body)
        self.expiresAt = expiresAt
    }

    package var body: JSONValue { text.body }
}

/// The text of an alert: Apple's dictionary with `title`, `body` and `sound`, and a member of Eyot's for further
/// languages.
package struct AlertText: Sendable, Hashable {
    package var body: JSONValue

    package init(_ body: JSONValue) { self.body = body }
}

extension Content {
    /// The alert of a card that is started from this declaration.
    package var alertOfStarts: AlertText? { startAlert ?? alert?.text }
}
