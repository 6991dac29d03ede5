import EyotDomain
import Synchronization

/// The lists of running activities that a process has read, by app.
///
/// A list is read by an index alone, and still costs more the more activities run. So it is kept for twenty times as
/// long as its reading took.
package final class RunningActivities: Sendable {
    /// The most activities of one list. Those with the fewest places are left out.
    package static let limit = 20_000
    /// How many times as long as its reading a list is kept.
    private static let rest = 20.0
    /// The most apps with a list.
    private static let apps = 100

    private struct Kept {
        var all: [RunningActivity]
        var readAt: Instant
        var until: Instant
    }

    private let lists = Mutex<[AppID: Kept]>([:])

    package init() {}

    /// The running activities of an app, those with the most places first.
    func list(of app: AppID, in store: any Store, _ clock: any WallClock) async throws -> [RunningActivity] {
        let began = clock.now
        if let kept = lists.withLock({ $0[app] }), kept.readAt <= began, began < kept.until { return kept.all }
        let all = try await store.read { ledger in
            let nameless = Set(try ledger.namelessActivities(in: app).map(\.id))
            return try ledger.runningActivities(of: app, limit: Self.limit).filter { !nameless.contains($0.id) }
        }
        let seconds = max(0, clock.now.seconds(since: began))
        lists.withLock { lists in
            if lists.count >= Self.apps { lists = lists.filter { began < $0.value.until } }
            if lists.count >= Self.apps { lists = [:] }
            lists[app] = Kept(all: all, readAt: began, until: began + seconds * Self.rest)
        }
        return all
    }
}
