/// What a list of running activities says of one without reading its row.
package struct RunningActivity: Sendable, Hashable {
    package var id: ActivityID
    package var type: String?
    /// Places that were ever made in the generation.
    package var places: Int
    /// Cards that run now.
    package var cards: Int

    package init(id: ActivityID, type: String?, places: Int, cards: Int) {
        (self.id, self.type, self.places, self.cards) = (id, type, places, cards)
    }
}

/// The lists of an app's activities that operators look at.
package protocol OverviewLedger: AnyObject {
    /// Activities that have not ended, those with the most places first.
    func runningActivities(of app: AppID, limit: Int) throws -> [RunningActivity]
    /// Halted activities that have not ended, the newest first. Halts of a type or the app do not count.
    func haltedActivities(of app: AppID, limit: Int) throws -> [ActivityID]
    /// Activities that have not ended, with starts planned after one moment and up to another, soonest first.
    func plannedActivities(of app: AppID, after now: Instant, upTo moment: Instant, limit: Int) throws -> [ActivityID]
    /// Generations with ids below `id`, the newest first; nil begins at the newest.
    func newestActivities(of app: AppID, before id: ActivityID?, limit: Int) throws -> [Activity]
    /// Reports of activities that are gone with ids below `id`, the newest first; nil begins at the newest.
    func newestReports(of app: AppID, before id: ActivityID?, limit: Int) throws -> [KeptReport]
    /// The numbers of one counter in the range, in the order of their places.
    func counts(of counter: KeptCounter, in range: CountRange, limit: Int) throws -> [KeptCount]
}
