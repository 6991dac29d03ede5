import APNSWire
import EyotContract
import EyotDomain

/// Looks at activities and binds the newest state to those of their replicas that are behind. One transaction; what it says
/// of starts has to be durable before their bytes leave (R6).
package struct TakePages {
    let ledger: any Ledger
    let now: Instant
    private let until: Instant?
    private let profile: ProfileReader

    /// - Parameter until: the end of the tenure; what has not left by then does not leave.
    package init(ledger: any Ledger, now: Instant, until: Instant? = nil) {
        self.ledger = ledger
        self.now = now
        self.until = until
        profile = ProfileReader(ledger)
    }

    package func callAsFunction(_ looks: [EngineCore.Look], in room: EngineCore.TakeRoom) throws -> TakenPages {
        var taken = TakenPages()
        var room = room
        var apps: [AppID: App] = [:]
        for look in looks {
            guard !room.isEmpty else {
                taken.looked[look.activity] = LookedAt(app: nil, .unseen)
                continue
            }
            guard let activity = try ledger.activity(look.activity) else {
                taken.looked[look.activity] = LookedAt(app: nil, .closed)
                continue
            }
            let app = try apps[activity.app] ?? ledger.app(activity.app)
            apps[activity.app] = app
            let outcome: LookedAt.Outcome
            if let app, app.isSending, app.halt(of: activity) == nil {
                let hasRoom = !room.share(of: app.id).isEmpty
                outcome = hasRoom ? try self.look(look, at: activity, of: app, &room, &taken) : .unseen
            } else {
                outcome = .closed
            }
            taken.looked[look.activity] = LookedAt(app: activity.app, outcome)
        }
        for index in taken.pages.indices { taken.pages[index].stamp(from: now, before: until) }
        return taken
    }

    private func look(
        _ look: EngineCore.Look, at former: Activity, of app: App, _ room: inout EngineCore.TakeRoom,
        _ taken: inout TakenPages
    ) throws -> LookedAt.Outcome {
        var activity = former
        try ledger.end(inTime: &activity, at: now)
        try AdvanceCanary(ledger: ledger, now: now)(&activity)
        let known = try look.cursor == .start ? recall(activity, of: app) : activity.passedOver
        // Handed over rather than copied: nobody else holds the pages while they grow.
        var builder = try PageBuilder(
            ledger: ledger, app: app, activity: activity, profile: try profile(of: activity), now: now,
            pages: taken.pages)
        taken.pages = []
        // Pages of the ring have no members that have ended, and a further end is for those.
        let isLarge = activity.nextOrdinal > room.ringFrom && activity.endReplacedAt == nil
        var own = room.share(of: app.id)
        let next =
            try isLarge
            ? lookByPages(look, &activity.laps, &builder, &own) : lookAtEach(look, &builder, &own)
        for lost in builder.lost {
            guard
                let startsAt = try RestartLost(ledger: ledger, now: now)(lost.former, lost.now, in: &activity)
            else { continue }
            builder.wait(until: startsAt)
        }
        // One that broke off has gone on with what was the newest when it began.
        let again = isLarge && next == nil && activity.laps.begun < activity.newestForEveryone
        let later = Instant.soonest(activity.endsAt, builder.later)
        room.take(builder.count, of: app.id, reading: room.replicas - own.replicas)
        taken.pages = builder.handOver()
        taken.clockWait = Instant.latest(taken.clockWait, builder.clockWait)
        activity.nextOrdinal = max(activity.nextOrdinal, builder.firstOrdinalOfNewCards)
        let passedOver = known.union(builder.passedOver)
        note(passedOver, in: &activity)
        if passedOver != former.passedOver || activity.laps != former.laps || activity.nextOrdinal != former.nextOrdinal
        {
            try ledger.update(activity)
        }
        if builder.count == 0, next == nil, !again, look.cursor == .start, look.inFlight.isEmpty, look.ringPages.isEmpty
        {
            // Everybody has been looked at in this transaction, so nothing can have come between.
            try Rest(ledger: ledger, now: now)(&activity, until: later, owes: builder.owes)
            return .rests
        }
        let goal = try look.followsLap && look.cursor == .start ? self.goal(of: activity) : nil
        return .seen(
            .init(
                stamp: activity.stamp, goal: goal, next: next, later: later, owes: builder.owes, again: again,
                hasPausedReplicas: !passedOver.isEmpty))
    }

    /// - Returns: nil where nothing waits for everybody to have it.
    private func goal(of activity: Activity) throws -> EngineCore.LapGoal? {
        let canary = activity.openCanary
        var share: Canary.Share?
        // Who gets a place later may not be met by this lap.
        if let canary, canary.isDelivering,
            try AdvanceCanary(ledger: ledger, now: now).isShareThere(for: canary, of: activity)
        {
            share = canary.share
        }
        let version = canary.map { $0.oldest - 1 } ?? activity.version
        let isAwaited =
            try ledger.openOperations(of: activity.id, limit: 1).contains { $0.version <= version }
            && ledger.memberLists(of: activity.id, limit: 1).isEmpty
        guard isAwaited || share != nil else { return nil }
        return EngineCore.LapGoal(version: isAwaited ? version : 0, share: share)
    }

    /// Whom a pause has passed over is passed over anew, or not any more; pages of the ring that have seen what there is are
    /// not read for that.
    ///
    /// - Returns: the environments of which that is still true.
    private func recall(_ activity: Activity, of app: App) throws -> Set<PushEnvironment> {
        guard !activity.passedOver.isEmpty else { return [] }
        if activity.passedOver.contains(where: app.isSending(in:)) { try ledger.recallRingPages(of: activity.id) }
        try ledger.wakeRingPages(of: activity.id, at: now)
        return try ledger.ringHolds(of: activity.id) ? activity.passedOver : []
    }

    private func note(_ passedOver: Set<PushEnvironment>, in activity: inout Activity) {
        guard passedOver != activity.passedOver else { return }
        // Nobody else would go on with this lap after a crash: from now on its being due is all that says so.
        let isDue = activity.dueAt.map { $0 <= now } ?? false
        if !isDue, !passedOver.isSuperset(of: activity.passedOver) { activity.wake(at: now) }
        activity.passedOver = passedOver
    }

    /// Seconds before a replica whose page of the ring is on its way is looked at again.
    private static let pagePatience = 1.0

    /// - Returns: where to go on; nil at the end of the lap.
    private func lookAtEach(
        _ look: EngineCore.Look, _ builder: inout PageBuilder, _ room: inout EngineCore.TakeRoom
    ) throws -> EngineCore.Cursor? {
        var passed = 0
        if case .replica(let ordinal) = look.cursor { passed = ordinal }
        let limit = room.replicas
        let replicas = try ledger.replicas(of: look.activity, after: passed, limit: limit)
        room.replicas -= replicas.count
        for replica in replicas {
            guard builder.count < room.pushes else { return .replica(ordinal: passed) }
            passed = replica.ordinal
            if look.inFlight.contains(replica.ordinal) { continue }
            if look.ringPages[RingPage.number(of: replica.ordinal)] != nil {
                builder.owe(until: now + Self.pagePatience)
                continue
            }
            try builder.take(replica)
        }
        return replicas.count == limit ? .replica(ordinal: passed) : nil
    }
}

extension EngineCore.TakeRoom {
    /// What is left of it for one app.
    fileprivate func share(of app: AppID) -> EngineCore.TakeRoom {
        var share = self
        share.pushes = full.contains(app) ? 0 : min(pushes, left[app] ?? pushes)
        return share
    }

    fileprivate var isEmpty: Bool { pushes <= 0 || replicas <= 0 }

    fileprivate mutating func take(_ count: Int, of app: AppID, reading read: Int) {
        pushes -= count
        left[app]? -= count
        replicas -= read
    }
}
