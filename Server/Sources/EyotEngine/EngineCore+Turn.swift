import EyotDomain

extension EngineCore {
    /// One activity that has something to do.
    struct Turn {
        /// Unknown until it has been looked at.
        var app: AppID?
        var cursor = Cursor.start
        var followsLap = false
        /// The stamp with which the current lap began, and what was newest then, where that is known.
        var lapStamp: Int?
        var lapGoal: LapGoal?
        var later: Instant?
        /// Somebody whom this lap has met is behind and has to wait.
        var owes = false
        /// Something changed during this lap: look at everybody once more.
        var again = false
        /// The oldest stamp at which replicas were looked at with their verdicts since this lap began. They were in flight,
        /// so the lap itself may have passed them over.
        var settledStamp: Int?
        var isTaking = false
        var isReady = false
        /// One look does not see all of it, so that it is looked at alone.
        var isLong = false
        var inFlight: Set<Int> = []
        var ringPages: [Int: RingSlots] = [:]
        /// Pages of the ring that were on their way when the lap began. It passes over all of their members, also over those that were
        /// not due when the page left.
        var passed: Set<Int> = []
        var pages = 0
        /// Not everybody who was there when this lap began has what was newest then when the pages are back that are on their way.
        var missesReplicas = false
        /// A pause passes over some.
        var hasPausedReplicas = false
        /// A lap that is over though the activity does not rest.
        var ended: EndedLap?

        /// At the end of a lap, with nothing to do but wait for verdicts.
        var isWaiting: Bool { !isReady && !isTaking && pages > 0 }

        /// Whether the lap is over and has seen everybody as they are.
        var hasSeenAll: Bool { !again && hasSeenVerdicts }

        /// Whether those whom it passed over in flight were looked at since it began.
        private var hasSeenVerdicts: Bool { settledStamp.map { $0 >= lapStamp ?? 0 } ?? true }

        /// - Parameter next: the number of the next page that leaves.
        mutating func beginLap(next: Int) {
            followsLap = cursor == .start && lapStamp != nil
            if followsLap { noteEnd(before: next) }
            cursor = .start
            (lapStamp, settledStamp) = (nil, nil)
            later = nil
            (owes, again, isTaking, hasPausedReplicas) = (false, false, false, false)
            passed = Set(ringPages.keys)
            missesReplicas = !passed.isEmpty
        }

        private mutating func noteEnd(before next: Int) {
            guard ended == nil, !missesReplicas, hasSeenVerdicts, let lapStamp, let lapGoal else { return }
            let lap = EndedLap(
                stamp: lapStamp, goal: lapGoal, owes: owes, hasPausedReplicas: hasPausedReplicas, before: next,
                pages: pages)
            if lap.concludesSomething { ended = lap }
        }

        /// A page is back. Where somebody on it has to be looked at once more, the lap that is over has not reached everybody.
        mutating func settleEnded(_ page: TakenPage, _ part: SettledPage.Part?) {
            guard var lap = ended, lap.includes(page) else { return }
            lap.pages -= 1
            lap.owes = lap.owes || part?.owes == true
            let isReached = part.map { !$0.isDue && $0.stamp >= lap.stamp } ?? false
            ended = isReached && lap.concludesSomething ? lap : nil
        }

        /// The lap that is over, if no page of it is on its way any more.
        mutating func takeConcluded() -> EndedLap? {
            guard let lap = ended, lap.pages == 0 else { return nil }
            ended = nil
            return lap
        }
    }
}
