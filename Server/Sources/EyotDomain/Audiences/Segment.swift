import EyotContract

/// An audience that was saved under a name. Whoever names it means those who belong to it at that time.
package struct Segment: Sendable, Hashable {
    package var app: AppID
    package var name: String
    /// As it was written, so that it reads as its author wrote it.
    package var audience: JSONValue
    package var updatedAt: Instant

    package init(app: AppID, name: String, audience: JSONValue, updatedAt: Instant) {
        self.app = app
        self.name = name
        self.audience = audience
        self.updatedAt = updatedAt
    }

    /// Segments of one app.
    package static let limit = 10_000
}
