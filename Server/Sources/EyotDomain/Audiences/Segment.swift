import EyotContract

/// An audience that is saved under a name. Its members are found when a call uses it.
package struct Segment: Sendable, Hashable {
    package var app: AppID
    package var name: String
    /// The audience exactly as its author wrote it.
    package var audience: JSONValue
    package var updatedAt: Instant

    package init(app: AppID, name: String, audience: JSONValue, updatedAt: Instant) {
        self.app = app
        self.name = name
        self.audience = audience
        self.updatedAt = updatedAt
    }

    /// The most segments of one app.
    package static let limit = 10_000
}
