/// Kept numbers of activities, and the names of activities that are gone while their numbers are kept.
package protocol CountLedger: AnyObject {
    /// What this transaction adds to kept numbers. The store writes it at the end of the transaction.
    var counted: CountChanges { get set }
    /// The numbers at a place that are stored together.
    func numbers(at place: CountPlace) throws -> SpanNumbers
    /// Stores all numbers of a place together; none removes the row.
    func put(_ numbers: SpanNumbers, at place: CountPlace) throws
    /// The oldest numbers that are stored together, of spans of a width that began before a second.
    func spans(ofWidth width: Int, before second: Int, limit: Int) throws -> [(place: CountPlace, numbers: SpanNumbers)]
    /// Adds to one number, which begins at 0. Where ``keepsApart(_:)`` says so, it adds to the writer's own part of it.
    func add(_ value: Int, to key: CountKey) throws
    /// Adds to one number itself.
    func addWhole(_ value: Int, to key: CountKey) throws
    /// Whether each writer of the store has a part of its own of a number, until ``takeParts(endedBy:limit:)``.
    func keepsApart(_ key: CountKey) -> Bool
    /// The number at a place; nil if nothing was ever added there.
    func count(at key: CountKey) throws -> Int?
    /// The details of a place with their numbers, whatever the key's own detail.
    func details(at place: CountKey) throws -> [String: Int]
    /// All numbers of an activity in the order of their places, up to a limit.
    func counts(of activity: ActivityID, in app: AppID, limit: Int) throws -> [KeptCount]
    /// The numbers in the range in the order of their places, up to a limit.
    func counts(in range: CountRange, limit: Int) throws -> [KeptCount]
    /// The oldest numbers that are stored one by one, of spans that have a width and began before a second.
    func counts(ofWidth width: Int, before second: Int, limit: Int) throws -> [KeptCount]
    /// Removes a number, without what writers keep apart of it.
    func removeCount(at key: CountKey) throws
    /// Removes numbers of an activity, up to a limit.
    ///
    /// - Returns: How many were removed.
    func removeCounts(of activity: ActivityID, in app: AppID, limit: Int) throws -> Int
    /// Removes numbers of types and apps in days that began before a second, up to a limit.
    ///
    /// - Returns: How many were removed.
    func removeInsights(before second: Int, limit: Int) throws -> Int
    /// Removes what writers keep apart of numbers, for spans that ended by a second and for present ones.
    ///
    /// - Returns: The parts of each number as one, of up to `limit` numbers.
    func takeParts(endedBy second: Int, limit: Int) throws -> [KeptCount]

    /// Reads which cards of a page count as updated (``KeptCounter/updated``).
    func updatedCards(onPage page: Int, of activity: ActivityID) throws -> RingSlots
    /// Stores all counted cards of a page of which Apple has accepted an update.
    func put(updatedCards cards: RingSlots, onPage page: Int, of activity: ActivityID) throws
    /// The phones of the replicas with these ordinals.
    func phones(of ordinals: ClosedRange<Int>, of activity: ActivityID) throws -> [Int: CountedPhone]

    /// The type of an activity; nil while it is unknown.
    func declaredType(of activity: ActivityID) throws -> DeclaredType?
    /// The number of a type in its app; nil if nothing is kept of the type.
    func typeNumber(of name: String, in app: AppID) throws -> Int?
    /// Gives a type the next number in its app.
    ///
    /// - Returns: nil if as many types as the limit says have one.
    func addType(_ name: String, in app: AppID, limit: Int) throws -> Int?

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
    /// When that state was true, if the caller said it.
    package var stateAsOf: Instant?
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
        (state, stateAsOf) = (activity.common.state, activity.common.asOf)
        createdAt = activity.createdAt
        endedAt = activity.endedAt
        self.keptSince = keptSince
    }

    /// What is newest for everyone.
    package var common: CommonState {
        var common = CommonState()
        (common.state, common.asOf) = (state, stateAsOf)
        return common
    }
}

/// Numbers of one activity, type or app with spans of one width.
package struct CountRange: Sendable, Hashable {
    package var app: AppID
    package var activity: ActivityID
    /// Seconds; 0 for the whole life.
    package var width: Int
    /// The first seconds of the spans.
    package var seconds: Range<Int>

    package init(app: AppID, activity: ActivityID, width: Int, seconds: Range<Int>) {
        self.app = app
        self.activity = activity
        self.width = width
        self.seconds = seconds
    }
}

extension Ledger {
    /// The details of a counter of the whole life of an activity, with their numbers.
    package func counts(of counter: KeptCounter, of activity: ActivityID, in app: AppID) throws -> [String: Int] {
        try details(at: CountKey(app: app, activity: activity, counter))
    }
}
