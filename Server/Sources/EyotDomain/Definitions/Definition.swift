import EyotContract

/// A declaration kept under a name, with places for what differs from call to call.
package struct Definition: Sendable, Hashable {
    /// The most definitions of an app.
    package static let limit = 1_000
    /// Bytes of one, as JSON.
    package static let bytes = 16 * 1_024

    package var app: AppID
    package var name: String
    /// An object with `parameters` and `declaration`, checked when it was put.
    package var json: JSONValue
    package var changedAt: Instant

    package init(app: AppID, name: String, json: JSONValue, changedAt: Instant) {
        self.app = app
        self.name = name
        self.json = json
        self.changedAt = changedAt
    }
}
