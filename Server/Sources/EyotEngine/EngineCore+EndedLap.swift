import EyotDomain

extension EngineCore {
    /// What everybody is to have who was there when a lap began.
    package struct LapGoal: Sendable, Hashable {
        /// The newest version then, but what is tried out; 0 where nothing up to it waits for everybody to have it, and where some have
        /// not been told yet what was declared for them.
        package var version: Int
        /// Whom something was being tried out with then.
        package var share: Canary.Share?

        package init(version: Int, share: Canary.Share? = nil) {
            (self.version, self.share) = (version, share)
        }
    }

    /// A lap that is over though the activity does not rest, since something happens all the time: who was there when it began has the
    /// newest state of then, or has to wait for it, when the pages are back that were on their way when it ended.
    package struct EndedLap: Sendable, Hashable {
        /// The activity's stamp when it began.
        var stamp: Int
        package var goal: LapGoal
        /// Somebody is behind and has to wait.
        package var owes: Bool
        /// Somebody is behind whom a pause passes over.
        package var hasPausedReplicas: Bool
        /// Pages with lower numbers belong to it.
        var before: Int
        /// How many of them are not back.
        var pages: Int

        package init(
            stamp: Int = 0, goal: LapGoal, owes: Bool = false, hasPausedReplicas: Bool = false, before: Int = 0,
            pages: Int = 0
        ) {
            (self.stamp, self.goal, self.owes, self.hasPausedReplicas) = (stamp, goal, owes, hasPausedReplicas)
            (self.before, self.pages) = (before, pages)
        }

        /// Whether there is something that does not wait for those who are behind.
        var concludesSomething: Bool { goal.share != nil || isForAll }

        /// Nobody is behind who was there.
        package var isForAll: Bool { !owes && !hasPausedReplicas }

        func includes(_ page: TakenPage) -> Bool { page.number.map { $0 < before } ?? false }
    }
}
