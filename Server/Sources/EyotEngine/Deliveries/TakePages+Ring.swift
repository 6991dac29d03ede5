import EyotDomain

extension TakePages {
    /// How many pages are read at a time.
    private static let pagesAtATime = 16

    /// Looks at the pages of the ring on which something may be due. So the cost of an activity depends on what happens
    /// in it, and not on its size.
    ///
    /// - Returns: Where the lap continues; nil at its end.
    func lookByPages(
        _ look: EngineCore.Look, _ laps: inout RingLaps, _ builder: inout PageBuilder, _ room: inout EngineCore.TakeRoom
    ) throws -> EngineCore.Cursor? {
        let activity = builder.activity
        try openPages(of: activity)
        var place: EngineCore.RingPlace
        if case .page(let former) = look.cursor {
            place = former
        } else {
            if look.followsLap { laps.end() }
            place = EngineCore.RingPlace(lap: laps.begin(newest: activity.newestCommon))
            try ledger.wakeRingPages(of: activity.id, at: now)
            // Pages that this lap visits report their own moments.
            let version = place.lap.version(newest: activity.newestCommon)
            if let next = try ledger.nextRingLook(of: activity.id, from: version) { builder.wait(until: next) }
            if try ledger.ringOwes(of: activity.id, from: version) { builder.hasWaitingReplicas = true }
        }
        let few = min(PageBuilder.few, room.ringFrom)
        while true {
            let pages = try nextPages(of: activity, at: &place, look)
            for page in pages {
                // If there is no room for all members of a page, reading it would be in vain.
                guard room.replicas > 0, builder.count == 0 || builder.count + RingPage.capacity <= room.pushes,
                    let visit = try builder.takeRingPage(page, look, limit: room.pushes, few: few)
                else { return .page(place) }
                room.replicas -= visit.read
                place.pass(page, leaving: visit.isTooSoon)
            }
            guard pages.count < Self.pagesAtATime else { continue }
            if place.isComingBack || place.left.isEmpty { return nil }
            place.isComingBack = true
        }
    }

    /// - Returns: The next pages of the lap, at most ``pagesAtATime``. Fewer mean that there are no others.
    private func nextPages(
        of activity: Activity, at place: inout EngineCore.RingPlace, _ look: EngineCore.Look
    ) throws -> [Int] {
        guard place.isComingBack else {
            return try ledger.ringPages(
                of: activity.id, notSeen: place.lap.version(newest: activity.newestCommon), after: place.number,
                limit: Self.pagesAtATime)
        }
        place.left.removeAll { look.ringPages[$0] != nil }
        return Array(place.left.prefix(Self.pagesAtATime))
    }

    /// Stores rows for the pages of new ordinals. An activity has pages once it is large enough for the ring.
    private func openPages(of activity: Activity) throws {
        let last = RingPage.number(of: activity.nextOrdinal - 1)
        let opened = try ledger.lastRingPage(of: activity.id) ?? -1
        for number in opened + 1..<max(opened, last) + 1 {
            try ledger.put(RingPage(activity: activity.id, number: number))
        }
    }
}

extension EngineCore.RingPlace {
    /// Moves past a page, or removes it from the pages to return to.
    ///
    /// - Parameter isTooSoon: Whether the page was on its way or had been pushed to in this second.
    fileprivate mutating func pass(_ page: Int, leaving isTooSoon: Bool) {
        if isComingBack {
            left.removeAll { $0 == page }
        } else {
            number = page
            if isTooSoon { left.append(page) }
        }
    }
}
