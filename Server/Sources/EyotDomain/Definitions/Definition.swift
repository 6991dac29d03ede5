import EyotContract

/// A declaration kept under a name, with places that calls fill.
package struct Definition: Sendable, Hashable {
    /// The most definitions of an app. The definitions that vendors' APIs made have the same limit of their own.
    package static let limit = 1_000
    /// Seconds between two records of a definition's use.
    package static let usePrecision = 3_600.0
    /// The most bytes of a definition, as JSON.
    package static let bytes = 16 * 1_024

    package var app: AppID
    package var name: String
    /// An object with `parameters` and `declaration`, checked when it was stored.
    package var json: JSONValue
    package var changedAt: Instant
    /// When it was last used, to within ``usePrecision``, if a vendor's API has made it. Such definitions are kept
    /// while there is room. Nil if it is kept until it is removed.
    package var usedAt: Instant?
    /// When the cards that it starts are to end, if a vendor's API keeps that with it; otherwise nil.
    package var endsAt: Instant?

    package init(app: AppID, name: String, json: JSONValue, changedAt: Instant) {
        self.app = app
        self.name = name
        self.json = json
        self.changedAt = changedAt
    }
}
