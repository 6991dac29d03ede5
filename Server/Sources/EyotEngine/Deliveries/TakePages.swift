import APNSWire
import EyotContract
import EyotDomain

/// The transaction that looks at activities and binds the newest state to replicas that are behind. It is durable
/// before any bytes leave, because starts must be recorded as sent first (R6).
package struct TakePages: UseCase {
    package let transaction: Transaction
    private let held: HeldLeases
    private let profile: ProfileReader

    /// - Parameter held: The leases of the activities' shards.
    package init(_ transaction: Transaction, holding held: HeldLeases = .unbounded) {
        self.transaction = transaction
        self.held = held
        profile = ProfileReader(transaction.ledger)
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
        for index in taken.pages.indices {
            taken.pages[index].stamp(from: now, before: held.end(of: taken.pages[index].shard))
            try MarkAlerts(transaction)(of: &taken.pages[index])
        }
        return taken
    }

    private func look(
        _ look: EngineCore.Look, at former: Activity, of app: App, _ room: inout EngineCore.TakeRoom,
        _ taken: inout TakenPages
    ) throws -> LookedAt.Outcome {
        var activity = former
        _ = try transaction.end(inTime: &activity)
        try transaction.noteStale(&activity)
        try AdvanceCanary(transaction)(&activity)
        let known = try look.cursor == .start ? recall(activity, of: app) : activity.skippedEnvironments
        // Handed over instead of copied: the builder is the only owner of the pages while they grow.
        var builder = try PageBuilder(
            ledger: ledger, app: app, activity: activity, profile: try profile(of: activity), now: now,
            holding: held, pages: taken.pages, probation: room.probation)
        taken.pages = []
        // A further end is for cards that have ended, and pages of the ring have no such members.
        let isLarge = activity.nextOrdinal > room.ringFrom && activity.firstEnd == nil
        var own = room.share(of: app.id)
        let next =
            try isLarge
            ? lookByPages(look, &activity.laps, &builder, &own) : lookAtEach(look, &builder, &own)
        for lost in builder.lost {
            guard
                let startsAt = try RestartLost(transaction)(lost.former, lost.now, in: &activity)
            else { continue }
            builder.wait(until: startsAt)
        }
        for follower in builder.cutOff where try RestartFollower(transaction)(follower, in: &activity) {
            builder.wait(until: now)
        }
        // A lap that broke off has continued with the version that was newest when it began.
        let needsAnotherLap = isLarge && next == nil && activity.laps.begun < activity.newestCommon
        let later = Instant.soonest(Instant.soonest(activity.endsAt, activity.common.staleAt), builder.later)
        room.take(builder.count, of: app.id, reading: room.replicas - own.replicas)
        room.probation = builder.probation
        for (place, blocks) in builder.waitingBlocks { taken.waitingBlocks[place, default: .init()].insert(blocks) }
        taken.pages = builder.handOver()
        taken.clockWait = Instant.latest(taken.clockWait, builder.clockWait)
        activity.nextOrdinal = max(activity.nextOrdinal, builder.firstOrdinalOfNewCards)
        let skippedEnvironments = known.union(builder.skippedEnvironments)
        note(skippedEnvironments, in: &activity)
        activity.tally.unknown += builder.doubted
        if builder.doubted > 0 || skippedEnvironments != former.skippedEnvironments || activity.laps != former.laps
            || activity.nextOrdinal != former.nextOrdinal
        {
            try ledger.update(activity)
        }
        if builder.count == 0, next == nil, !needsAnotherLap, look.cursor == .start, look.inFlight.isEmpty,
            look.ringPages.isEmpty
        {
            // This transaction has looked at all replicas, so nothing can have come between.
            try Rest(transaction)(&activity, until: later, hasWaitingReplicas: builder.hasWaitingReplicas)
            if builder.hasWaitingReplicas { taken.restingBehind[look.activity] = later }
            return .rests
        }
        let goal = try look.followsLap && look.cursor == .start ? self.goal(of: activity) : nil
        return .seen(
            .init(
                stamp: activity.stamp, goal: goal, next: next, later: later,
                hasWaitingReplicas: builder.hasWaitingReplicas, needsAnotherLap: needsAnotherLap,
                hasPausedReplicas: !skippedEnvironments.isEmpty))
    }

    /// The goal of a lap that begins now.
    ///
    /// - Returns: nil if nothing waits until all replicas have it.
    private func goal(of activity: Activity) throws -> EngineCore.LapGoal? {
        let canary = activity.openCanary
        var share: Canary.Share?
        // If members of the share are still without a place, this lap may not meet them.
        if let canary, canary.isDelivering,
            try AdvanceCanary(transaction).isShareThere(for: canary, of: activity)
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

    /// Finds out again which environments have replicas that a pause skips. It does not read ring pages that are up to
    /// date.
    ///
    /// - Returns: The former environments, while a page of the ring still has skipped members; otherwise none. The look
    ///   itself adds those of other replicas.
    private func recall(_ activity: Activity, of app: App) throws -> Set<PushEnvironment> {
        guard !activity.skippedEnvironments.isEmpty else { return [] }
        if activity.skippedEnvironments.contains(where: app.isSending(in:)) {
            try ledger.recallRingPages(of: activity.id)
        }
        try ledger.wakeRingPages(of: activity.id, at: now)
        return try ledger.ringHasSkipped(of: activity.id) ? activity.skippedEnvironments : []
    }

    private func note(_ skippedEnvironments: Set<PushEnvironment>, in activity: inout Activity) {
        guard skippedEnvironments != activity.skippedEnvironments else { return }
        // After a crash, only the activity's due moment makes the next process continue this lap.
        let isDue = activity.dueAt.map { $0 <= now } ?? false
        if !isDue, !skippedEnvironments.isSuperset(of: activity.skippedEnvironments) { activity.wake(at: now) }
        activity.skippedEnvironments = skippedEnvironments
    }

    /// Seconds until another look at a replica with a ring page that is on its way.
    private static let pagePatience = 1.0

    /// Looks at the replicas of a small activity one by one.
    ///
    /// - Returns: Where the lap continues; nil at its end.
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
                builder.holdBack(until: now + Self.pagePatience)
                continue
            }
            try builder.take(replica)
        }
        return replicas.count == limit ? .replica(ordinal: passed) : nil
    }
}

extension EngineCore.TakeRoom {
    /// The room that is left for one app.
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
