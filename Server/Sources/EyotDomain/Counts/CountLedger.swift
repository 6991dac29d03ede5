/// Kept numbers of activities, and the names of activities that are gone while their numbers are kept.
package protocol CountLedger: AnyObject {
    /// What this transaction adds to kept numbers. The store writes it at the end of the transaction.
    var counted: CountChanges { get set }
    /// Adds to one number, which begins at 0.
    func add(_ value: Int, to key: CountKey) throws
    /// The number at a place; nil if nothing was ever added there.
    func count(at key: CountKey) throws -> Int?
    /// The details of a counter of the whole life of an activity, with their numbers.
    func counts(of counter: KeptCounter, of activity: ActivityID, in app: AppID) throws -> [String: Int]
    /// All numbers of an activity in the order of their places, up to a limit.
    func counts(of activity: ActivityID, in app: AppID, limit: Int) throws -> [KeptCount]
    /// Numbers of an activity of one width with spans that begin in a range of seconds, in the order of their places.
    func counts(
        of activity: ActivityID, in app: AppID, width: Int, beginning seconds: Range<Int>, limit: Int
    ) throws -> [KeptCount]
    /// The oldest numbers of spans that have a width and began before a second.
    func counts(ofWidth width: Int, before second: Int, limit: Int) throws -> [KeptCount]
    func removeCount(at key: CountKey) throws
    /// Removes numbers of an activity, up to a limit.
    ///
    /// - Returns: How many were removed.
    func removeCounts(of activity: ActivityID, in app: AppID, limit: Int) throws -> Int
    /// Removes numbers of the app as a whole of one width, with spans that began before a second.
    ///
    /// - Returns: How many were removed.
    func removeCounts(forApp app: AppID, width: Int, before second: Int, limit: Int) throws -> Int

    func put(_ report: KeptReport) throws
    /// Activities of a name that are gone and have a report, newest generation first.
    func keptReports(named name: String, in app: AppID, limit: Int) throws -> [KeptReport]
    /// Reports that were kept since before a moment, oldest first.
    func keptReports(since moment: Instant, limit: Int) throws -> [KeptReport]
    func removeKeptReport(of activity: ActivityID) throws
}

/// What stays of an activity that was removed, beside its numbers.
package struct KeptReport: Sendable, Hashable {
    package var activity: ActivityID
    package var app: AppID
    package var name: String
    package var generation: Int
    package var type: String?
    package var version: Version
    /// The newest state for everyone.
    package var state: Version
    package var createdAt: Instant
    package var endedAt: Instant?
    /// When the activity was removed; nil while it is there.
    package var keptSince: Instant?

    package init(of activity: Activity, keptSince: Instant? = nil) {
        self.activity = activity.id
        app = activity.app
        name = activity.name
        generation = activity.generation
        type = activity.type
        version = activity.version
        state = activity.common.state
        createdAt = activity.createdAt
        endedAt = activity.endedAt
        self.keptSince = keptSince
    }
}

extension Ledger {
    /// Writes what a transaction adds to kept numbers.
    package func storeCounts(_ changes: CountChanges) throws {
        for (key, value) in changes.values.sorted(by: { $0.key < $1.key }) where value != 0 {
            var place = key
            if let limit = key.counter.detailLimit {
                let known = try count(at: key)
                if known == nil {
                    let details = try counts(of: key.counter, of: key.activity, in: key.app)
                    if value < 0 || details.count >= limit { place.detail = KeptCounter.otherDetail }
                } else if known == -value {
                    // A version that no card shows any more leaves room for others.
                    try removeCount(at: key)
                    continue
                }
            }
            try add(value, to: place)
        }
    }

    /// Writes what this transaction has added to kept numbers so far.
    package func storeCounts() throws {
        let changes = counted
        counted = CountChanges()
        try storeCounts(changes)
    }
}
