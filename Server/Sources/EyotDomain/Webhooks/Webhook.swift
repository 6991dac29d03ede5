package struct WebhookID: RawRepresentable, Sendable, Hashable {
    package let rawValue: Int64
    package init(rawValue: Int64) { self.rawValue = rawValue }
}

/// An app's subscription: events of some kinds are posted to a URL, signed as Standard Webhooks 1.0 says.
///
/// The record of events is its queue. ``cursor`` says how far the record was read. Each event that is wanted becomes a
/// ``WebhookDelivery``.
package struct Webhook: Sendable, Hashable {
    /// The most webhooks of an app.
    package static let limit = 20
    /// The most deliveries of one webhook that wait. When there are as many, its cursor waits.
    package static let pendingLimit = 1_000
    /// The most dead letters of one webhook. The oldest ones beyond them are removed.
    package static let deadLetterLimit = 1_000
    /// The kinds of a webhook that names none: the conclusion of each request, and what happens to an activity, a
    /// type or the app without one. Kinds that happen for each card must be asked for.
    package static let usualTypes = [
        "operation.*", EventKind.activityEnded.rawValue, EventKind.activityHalted.rawValue,
        EventKind.activityResumed.rawValue, EventKind.activityStale.rawValue, "app.*", "type.*",
    ]
    /// The most names of kinds that a webhook may have.
    package static let typeLimit = 100

    /// 0 until it is stored.
    package var id: WebhookID
    package var app: AppID
    /// Random text that the ids of its messages begin with.
    package var token: String
    /// A name for people.
    package var name: String
    package var url: WebhookURL
    /// Names of kinds, and beginnings such as `card.*`.
    package var types: [String]
    /// The vendor that has the form in which events are sent; nil for Eyot's own form.
    package var vendor: String?
    package var secret: SealedSecret
    /// The public key of the secret, if receivers verify with one; nil for a shared secret.
    package var publicKey: String?
    /// The secret before the last rotation; nil if there is none.
    package var former: FormerSecret?
    /// Why nothing is sent, and since when; nil while it is enabled.
    package var disabled: Disabling?
    /// The id of the last event that was looked at.
    package var cursor: Int64
    package var createdAt: Instant

    package struct FormerSecret: Sendable, Hashable {
        package var sealed: SealedSecret
        /// Until when messages carry a signature of it.
        package var until: Instant

        package init(sealed: SealedSecret, until: Instant) { (self.sealed, self.until) = (sealed, until) }
    }

    package struct Disabling: Sendable, Hashable {
        package enum Reason: String, Sendable, Hashable, CaseIterable {
            /// A caller disabled it.
            case caller
            /// The receiver answered 410.
            case gone
            /// The master key that its secret was sealed with is lost.
            case secretLost
        }

        package var reason: Reason
        package var at: Instant

        package init(_ reason: Reason, at: Instant) { (self.reason, self.at) = (reason, at) }
    }

    package init(
        app: AppID, token: String, name: String, url: WebhookURL, types: [String], secret: SealedSecret,
        createdAt: Instant
    ) {
        id = WebhookID(rawValue: 0)
        (self.app, self.token, self.name, self.url, self.types) = (app, token, name, url, types)
        (self.secret, self.createdAt, cursor) = (secret, createdAt, 0)
    }

    /// The kinds of events that it gets. A name that only another version of this program knows stands for none.
    package var kinds: Set<EventKind> { Set(types.flatMap(EventKind.matching)) }

    /// The id of the message about an event. It is the same for each try, and for a replay.
    package func messageID(of event: Int64) -> String { "msg_\(token)_\(event)" }

    /// The sealed secrets that sign at a moment, the newest first.
    package func secrets(at now: Instant) -> [SealedSecret] {
        [secret] + (former.map { now < $0.until ? [$0.sealed] : [] } ?? [])
    }
}
