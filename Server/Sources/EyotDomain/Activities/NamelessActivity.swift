import Foundation

/// An activity of a start without a name. It holds the places of its cards until the app on each phone names the
/// activity that they belong to. No call can address it.
package enum NamelessActivity {
    /// The beginning of the names of such activities.
    package static let prefix = "nameless:"

    /// Seconds for which it waits for its cards: longer than a card runs.
    package static let lifetime = 12 * 3_600.0

    /// Makes a unique name. Names of younger activities sort before older ones, so that the newest are found first.
    package static func make(at now: Instant) -> String {
        let rank = String(Int64.max - max(0, now.microseconds), radix: 16)
        return prefix + String(repeating: "0", count: 16 - rank.count) + rank + "-" + UUID().uuidString.lowercased()
    }

    /// Whether a name belongs to such an activity.
    package static func isNamelessName(_ name: String) -> Bool { name.hasPrefix(prefix) }
}
