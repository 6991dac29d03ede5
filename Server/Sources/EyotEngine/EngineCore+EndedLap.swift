import EyotDomain

extension EngineCore {
    /// The declaration that all replicas should have that existed when a lap began.
    package struct LapGoal: Sendable, Hashable {
        /// The newest version then, except a canary's trial. It is 0 if no operation up to it is open, or if members
        /// are still pending.
        package var version: Version
        /// The share of the canary that was on trial then; nil if there was none.
        package var share: Canary.Share?

        package init(version: Version, share: Canary.Share? = nil) {
            (self.version, self.share) = (version, share)
        }
    }

    /// A lap that is over although the activity does not rest, because something happens all the time. When its last
    /// pages are back, each replica that existed when it began has the newest state of then, or must wait for it.
    package struct EndedLap: Sendable, Hashable {
        /// The activity's stamp when the lap began.
        var stamp: Int
        package var goal: LapGoal
        /// Whether a replica is behind and must wait.
        package var hasWaitingReplicas: Bool
        /// Whether a replica is behind that a pause skips.
        package var hasPausedReplicas: Bool
        /// The number from which pages no longer belong to the lap.
        var before: Int
        /// How many pages of the lap are still in flight.
        var pages: Int
        /// When the lap began; nil if that is unknown.
        var began: Instant?

        package init(
            stamp: Int = 0, goal: LapGoal, hasWaitingReplicas: Bool = false, hasPausedReplicas: Bool = false,
            before: Int = 0,
            pages: Int = 0
        ) {
            (self.stamp, self.goal, self.hasWaitingReplicas, self.hasPausedReplicas) = (
                stamp, goal, hasWaitingReplicas, hasPausedReplicas
            )
            (self.before, self.pages) = (before, pages)
        }

        /// Whether the lap completes something that does not wait for replicas that are behind.
        var concludesSomething: Bool { goal.share != nil || isForAll }

        /// Whether no replica that existed is behind.
        package var isForAll: Bool { !hasWaitingReplicas && !hasPausedReplicas }

        func includes(_ page: TakenPage) -> Bool { page.number.map { $0 < before } ?? false }
    }
}
