import Foundation

/// An activity of a start without a name. It holds the places of its cards until the app on each phone names the
/// activity that they belong to. No call can address it, and it never counts as running.
package enum NamelessActivity {
    /// The beginning of the names of such activities.
    package static let prefix = "nameless:"

    /// A name after those of all such activities.
    static let last = prefix + "\u{10FFFF}"

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

extension Ledger {
    /// How many nameless starts are looked at, newest first. Older ones have no card on its way.
    private static var namelessLimit: Int { 1_000 }

    /// The newest generations of the names after `name`, in order of the names. A nameless start is among them
    /// until no card of it is on its way any more.
    package func listedActivities(in app: AppID, after name: String, limit: Int) throws -> [Activity] {
        let page = try newestActivities(in: app, after: name, limit: limit)
        guard let first = page.firstIndex(where: { NamelessActivity.isNamelessName($0.name) }) else { return page }
        let waiting = try namelessActivities(in: app, after: name).filter {
            guard $0.nextOrdinal > 1 else { return true }
            return try count(at: CountKey(app: app, activity: $0.id, .phase, Replica.startingWord)) ?? 0 > 0
        }
        let rest = try newestActivities(in: app, after: NamelessActivity.last, limit: limit)
        return Array((page[..<first] + waiting + rest).prefix(limit))
    }

    /// The newest nameless starts of an app, after a name.
    package func namelessActivities(in app: AppID, after name: String = "") throws -> [Activity] {
        let after = NamelessActivity.isNamelessName(name) ? name : NamelessActivity.prefix
        return try newestActivities(in: app, after: after, limit: Self.namelessLimit)
            .filter { NamelessActivity.isNamelessName($0.name) }
    }
}
