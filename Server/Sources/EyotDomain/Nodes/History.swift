import Foundation

/// A history of a database: the time for which it never went back (R17).
///
/// **Problem.** A restore, an adoption, or a standby that takes over without the last commits sets a database back.
/// Phones do not go back with it. What they have had confirmed may be forgotten, and the versions that they were
/// answered come again with other contents.
///
/// **Approach.** Each history has an id, which stands in every answer to a phone. A phone that reads another id than
/// before registers again and reports everything anew. A database that went back without Eyot's commands, for example
/// by a file that was copied by hand, keeps its id. So phones also name the sequence that was confirmed to them, and a
/// server that knows a lower one refuses the report with `historyChanged`.
package struct History: Sendable, Hashable {
    /// What began a history.
    package enum Cause: String, Sendable, Hashable, CaseIterable {
        /// The database was made, or had no history before.
        case made
        /// A copy became the database, by `eyot database restore` or `adopt`.
        case restored
        /// Another server of PostgreSQL took over without the last commits.
        case promoted
        /// A database that was moved away is used again.
        case reopened
    }

    package var id: String
    package var beganAt: Instant
    package var cause: Cause

    package init(id: String, beganAt: Instant, cause: Cause) {
        (self.id, self.beganAt, self.cause) = (id, beganAt, cause)
    }

    /// A history with a new id.
    package static func fresh(_ cause: Cause, at now: Instant) -> History {
        History(id: UUID().uuidString, beganAt: now, cause: cause)
    }
}
