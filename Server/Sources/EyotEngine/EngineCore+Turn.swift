import EyotDomain

extension EngineCore {
    /// An activity that has something to do, and the state of its current lap.
    struct Turn {
        /// Nil until the activity has been looked at.
        var app: AppID?
        var cursor = Cursor.start
        var followsLap = false
        /// The stamp with which the current lap began, and what was newest then, if that is known.
        var lapStamp: Int?
        var lapGoal: LapGoal?
        var later: Instant?
        /// Whether a replica that this lap has met is behind and must wait.
        var hasWaitingReplicas = false
        /// Whether something changed during this lap, so that all replicas need another look.
        var needsAnotherLap = false
        /// The oldest stamp at which replicas were looked at with their verdicts since this lap began; nil if none
        /// were. They were in flight, so the lap itself may have skipped them.
        var settledStamp: Int?
        var isTaking = false
        var isReady = false
        /// Whether one look does not see the whole activity. It is then looked at alone.
        var isLong = false
        var inFlight: Set<Int> = []
        var ringPages: [Int: RingSlots] = [:]
        /// Pages of the ring that were on their way when the lap began. The lap skips all of their members, including
        /// those that were not due when the page left.
        var passed: Set<Int> = []
        var pages = 0
        /// Whether the lap misses replicas that existed when it began. They may not have what was newest then, even
        /// after its pages in flight are back.
        var missesReplicas = false
        /// Whether a pause skips replicas that are behind.
        var hasPausedReplicas = false
        /// A lap that is over although the activity does not rest.
        var ended: EndedLap?
        /// The moment up to which all replicas had the newest state, or later. It only informs.
        private(set) var since: Instant
        private var lapBegan: Instant

        init(at now: Instant) { (since, lapBegan) = (now, now) }

        /// Whether the turn is at the end of a lap and only waits for verdicts.
        var isWaiting: Bool { !isReady && !isTaking && pages > 0 }

        /// Whether the lap has seen all replicas as they are now.
        var hasSeenAll: Bool { !needsAnotherLap && hasSeenVerdicts }

        /// Whether the replicas that the lap skipped in flight were looked at under its stamp or a later one.
        private var hasSeenVerdicts: Bool { settledStamp.map { $0 >= lapStamp ?? 0 } ?? true }

        /// Begins a lap, and notes the end of the lap before it.
        ///
        /// - Parameter next: The number of the next page that leaves.
        mutating func beginLap(next: Int, at now: Instant) {
            followsLap = cursor == .start && lapStamp != nil
            if followsLap { noteEnd(before: next) }
            lapBegan = now
            cursor = .start
            (lapStamp, settledStamp) = (nil, nil)
            later = nil
            (hasWaitingReplicas, needsAnotherLap, isTaking, hasPausedReplicas) = (false, false, false, false)
            passed = Set(ringPages.keys)
            missesReplicas = !passed.isEmpty
        }

        private mutating func noteEnd(before next: Int) {
            guard ended == nil, !missesReplicas, hasSeenVerdicts, let lapStamp, let lapGoal else { return }
            var lap = EndedLap(
                stamp: lapStamp, goal: lapGoal, hasWaitingReplicas: hasWaitingReplicas,
                hasPausedReplicas: hasPausedReplicas, before: next,
                pages: pages)
            lap.began = lapBegan
            if lap.concludesSomething { ended = lap }
        }

        /// Counts a page that is back for the lap that is over. If a replica on the page is due again, that lap has not
        /// reached all replicas.
        mutating func settleEnded(_ page: TakenPage, _ part: SettledPage.Part?) {
            guard var lap = ended, lap.includes(page) else { return }
            lap.pages -= 1
            lap.hasWaitingReplicas = lap.hasWaitingReplicas || part?.hasWaitingReplicas == true
            let isReached = part.map { !$0.isDue && $0.stamp >= lap.stamp } ?? false
            ended = isReached && lap.concludesSomething ? lap : nil
        }

        /// Removes and returns the lap that is over, if all of its pages are back.
        mutating func takeConcluded() -> EndedLap? {
            guard let lap = ended, lap.pages == 0 else { return nil }
            ended = nil
            if lap.isForAll, let began = lap.began { since = max(since, began) }
            return lap
        }
    }
}
