import EyotDomain

extension TakePages {
    /// Pages that are asked for at a time.
    private static let pagesAtATime = 16

    /// Looks at those pages of the ring on which something may be due: what an activity costs follows from what happens in it,
    /// and not from how large it is.
    ///
    /// - Returns: where to go on; nil at the end of the lap.
    func lookByPages(
        _ look: EngineCore.Look, _ laps: inout RingLaps, _ press: inout PagePress, _ room: inout EngineCore.TakeRoom
    ) throws -> EngineCore.Cursor? {
        let activity = press.activity
        try openPages(of: activity)
        var passed = -1
        let lap: Int
        if case .page(let number, let begun) = look.cursor {
            (passed, lap) = (number, begun)
        } else {
            if look.followsLap { laps.end() }
            lap = laps.begin(newest: activity.newestForEveryone)
            try ledger.wakeRingPages(of: activity.id, at: now)
            // Those that this lap sees speak for themselves.
            if let next = try ledger.nextRingLook(of: activity.id, from: lap) { press.wait(until: next) }
            if try ledger.ringOwes(of: activity.id, from: lap) { press.owes = true }
        }
        let few = min(PagePress.few, room.ringFrom)
        while true {
            let pages = try ledger.ringPages(
                of: activity.id, notSeen: lap, after: passed, limit: Self.pagesAtATime)
            for page in pages {
                // A page that has no room for all of its members would be read in vain.
                guard room.replicas > 0, press.count == 0 || press.count + RingPage.capacity <= room.pushes,
                    let read = try press.takeRingPage(page, look, limit: room.pushes, few: few)
                else { return .page(passed, notSeen: lap) }
                room.replicas -= read
                passed = page
            }
            guard pages.count == Self.pagesAtATime else { break }
        }
        return nil
    }

    /// Pages have rows from the time on when the activity is large enough for them.
    private func openPages(of activity: Activity) throws {
        let last = RingPage.number(of: activity.nextOrdinal - 1)
        let opened = try ledger.lastRingPage(of: activity.id) ?? -1
        for number in opened + 1..<max(opened, last) + 1 {
            try ledger.put(RingPage(activity: activity.id, number: number))
        }
    }
}
