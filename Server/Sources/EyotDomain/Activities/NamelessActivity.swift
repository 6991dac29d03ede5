import Foundation

/// An activity of a start that says no name: what its cards are called, their app says on each phone. It holds their places until
/// then, and nobody can speak of it.
package enum NamelessActivity {
    /// What their names begin with.
    package static let prefix = "nameless:"

    /// How many seconds it waits for its cards: longer than a card runs.
    package static let lifetime = 12 * 3_600.0

    /// A name that no other has. Younger ones come before older ones, so that the newest are found first.
    package static func make(at now: Instant) -> String {
        let rank = String(Int64.max - max(0, now.microseconds), radix: 16)
        return prefix + String(repeating: "0", count: 16 - rank.count) + rank + "-" + UUID().uuidString.lowercased()
    }

    /// Whether a name is such a one.
    package static func isOne(_ name: String) -> Bool { name.hasPrefix(prefix) }
}
