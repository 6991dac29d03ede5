import EyotDomain

extension EngineCore {
    /// One activity that has something to do.
    struct Turn {
        /// Unknown until it has been looked at.
        var app: AppID?
        var cursor = Cursor.start
        var followsLap = false
        /// The stamp with which the current lap began, and the newest version then, where that is known.
        var lapStamp: Int?
        var lapVersion: Int?
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
        var leavesSome = false
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
            (owes, again, isTaking) = (false, false, false)
            passed = Set(ringPages.keys)
            leavesSome = !passed.isEmpty
        }

        private mutating func noteEnd(before next: Int) {
            guard ended == nil, !owes, !leavesSome, hasSeenVerdicts, let lapStamp, let lapVersion else { return }
            ended = EndedLap(stamp: lapStamp, version: lapVersion, before: next, pages: pages)
        }

        /// A page is back. Where somebody on it has to be looked at once more, the lap that is over has not reached everybody.
        mutating func settleEnded(_ page: TakenPage, _ part: SettledPage.Part?) {
            guard let lap = ended, lap.includes(page) else { return }
            guard let part, !part.isDue, !part.owes, part.stamp >= lap.stamp else {
                ended = nil
                return
            }
            ended?.pages -= 1
        }

        /// Up to which version everybody has the newest state, or will not get it, who was there when that lap began; nil as long
        /// as pages of it are on their way.
        mutating func takeConcluded() -> Int? {
            guard let lap = ended, lap.pages == 0 else { return nil }
            ended = nil
            return lap.version
        }
    }

    /// A lap that is over though the activity does not rest, since something happens all the time: who was there when it began has the
    /// newest state of then when the pages are back that were on their way when it ended.
    struct EndedLap {
        /// The activity's stamp when it began.
        var stamp: Int
        /// The newest version when it began.
        var version: Int
        /// Pages with lower numbers belong to it.
        var before: Int
        /// How many of them are not back.
        var pages: Int

        func includes(_ page: TakenPage) -> Bool { page.number.map { $0 < before } ?? false }
    }
}
