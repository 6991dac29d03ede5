import EyotCommands
import EyotDomain
import EyotHTTP

/// A member who is signed in.
package struct SignedIn: Sendable {
    /// What the member may do in one app.
    package struct Seat: Sendable {
        package var app: App
        /// The key that stands for the member's role in the app. No secret opens it.
        package var key: APIKey
        /// The role's name, for display.
        package var role: String

        package init(app: App, key: APIKey, role: String) {
            (self.app, self.key, self.role) = (app, key, role)
        }
    }

    package var name: String
    /// One for each app, in the order of their names.
    package var seats: [Seat]
    /// Whether the member may do everything on the whole server.
    package var isOwner: Bool
    /// The secret that forms of the session carry, so that no other site can send one.
    package var formToken: String
    /// The session and the grants; nil if the member was found by another way than a session.
    package var proven: ProvenMember?

    package init(name: String, seats: [Seat], isOwner: Bool, formToken: String, proven: ProvenMember? = nil) {
        self.proven = proven
        self.name = name
        self.seats = seats
        self.isOwner = isOwner
        self.formToken = formToken
    }

    /// Returns the seat in an app; in the first one without a bundle id.
    ///
    /// - Throws: `keyForbidden`, also for an app that does not exist.
    func seat(in bundleID: String?) throws -> Seat {
        guard let bundleID else {
            guard let first = seats.first else { throw EyotError(.keyForbidden, "you have no role in any app yet") }
            return first
        }
        guard let seat = seats.first(where: { $0.app.bundleID == bundleID }) else {
            throw EyotError(.keyForbidden, "you have no role in the app \(bundleID)")
        }
        return seat
    }
}

/// Finds the member of a call.
package protocol PanelSessions: Sendable {
    /// The member with the session that the call carries; nil if it carries none, or one that has ended.
    func find(in call: Call) async throws -> SignedIn?
}
