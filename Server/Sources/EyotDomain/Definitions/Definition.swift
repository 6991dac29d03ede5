import EyotContract

/// A declaration kept under a name, with places for what differs from call to call.
package struct Definition: Sendable, Hashable {
    /// The most definitions of an app, and the most that others' APIs have made beside them.
    package static let limit = 1_000
    /// Seconds between two notes of a definition's use.
    package static let usePrecision = 3_600.0
    /// Bytes of one, as JSON.
    package static let bytes = 16 * 1_024

    package var app: AppID
    package var name: String
    /// An object with `parameters` and `declaration`, checked when it was put.
    package var json: JSONValue
    package var changedAt: Instant
    /// When it was last used, to within ``usePrecision``, where another vendor's API has made it: those are kept as long as there is
    /// room. Nil is one that is kept until somebody removes it.
    package var usedAt: Instant?
    /// When the cards that it starts are to end, where another vendor's API keeps that with it.
    package var endsAt: Instant?

    package init(app: AppID, name: String, json: JSONValue, changedAt: Instant) {
        self.app = app
        self.name = name
        self.json = json
        self.changedAt = changedAt
    }
}
