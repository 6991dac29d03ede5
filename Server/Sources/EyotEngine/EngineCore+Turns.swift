import APNSWire
import EyotDomain

extension EngineCore {
    /// The position of a lap.
    package enum Cursor: Sendable, Hashable {
        case start
        /// After this replica.
        case replica(ordinal: Int)
        case page(RingPlace)
    }

    /// The position of a lap over pages of the ring.
    package struct RingPlace: Sendable, Hashable {
        package var lap: RingLap
        /// The number of the last page that the lap has passed.
        package var number = -1
        /// Pages that the lap left because they were on their way or had been pushed to in that second. It returns to
        /// them at its end. Otherwise they would wait for another whole lap.
        package var left: [Int] = []
        package var isComingBack = false

        package init(lap: RingLap) { self.lap = lap }
    }

    /// The next look at an activity: where it begins, and which replicas it skips.
    package struct Look: Sendable, Hashable {
        package var activity: ActivityID
        package var cursor: Cursor
        /// Whether the lap before this one has come to its end.
        package var followsLap: Bool
        /// Ordinals that wait for a verdict and are skipped.
        package var inFlight: Set<Int>
        /// Pages of the ring with members that wait for a verdict, and the ordinals of those members.
        package var ringPages: [Int: RingSlots]

        package init(
            activity: ActivityID, cursor: Cursor = .start, followsLap: Bool = false, inFlight: Set<Int> = [],
            ringPages: [Int: RingSlots] = [:]
        ) {
            self.activity = activity
            self.cursor = cursor
            self.followsLap = followsLap
            self.inFlight = inFlight
            self.ringPages = ringPages
        }
    }

    /// The room for one look at several activities.
    package struct TakeRoom: Sendable, Hashable {
        package var pushes: Int
        /// How many of these an app may have, for apps that have less room left than ``pushes``.
        package var left: [AppID: Int] = [:]
        /// Replicas that may be read.
        package var replicas: Int
        /// Apps for which nothing is taken, because they have enough in flight or their circuit breaker is open.
        package var full: Set<AppID> = []
        /// The room for pushes to tokens that Apple has not accepted yet.
        package var probation: ProbationLanes
        /// The least number of replicas of an activity that is looked at by pages of the ring.
        package var ringFrom: Int

        package init(
            pushes: Int, left: [AppID: Int] = [:], replicas: Int, full: Set<AppID> = [],
            probation: ProbationLanes = ProbationLanes(), ringFrom: Int = Limits().ringFrom
        ) {
            self.pushes = pushes
            self.left = left
            self.replicas = replicas
            self.full = full
            self.probation = probation
            self.ringFrom = ringFrom
        }
    }

    /// The stamp under which an activity has nothing to do, and until when.
    package struct RestPlan: Sendable, Hashable {
        package var stamp: Int
        package var until: Instant?
        /// Whether a replica is behind and waits for ``until``.
        package var hasWaitingReplicas = false
    }

    /// Begins a turn for an activity, or another lap if it has a turn.
    ///
    /// - Parameter app: nil if unknown; the first look at the activity finds it.
    mutating func wake(_ id: ActivityID, of app: AppID? = nil) {
        guard served.contains(id) else { return }
        guard let turn = turns[id] else {
            // Beyond the limits the activity stays due in the store, and is found when there is room.
            guard turns.count < limits.turns, hasRoom(for: app) else { return }
            turns[id] = newTurn(of: id)
            learn(app, of: id)
            enqueue(id)
            return
        }
        turns[id]?.needsAnotherLap = true
        if turn.isWaiting { restart(id) }
    }

    /// Whether an app may have another turn. Activities of unknown apps have half of all room, because they may belong
    /// to one app.
    private func hasRoom(for app: AppID?) -> Bool {
        guard let app else { return turns.count - turnRoom.taken < limits.turns / 2 }
        return turnRoom.left(for: app) > 0
    }

    /// Begins another lap for activities that became due while they waited for verdicts.
    mutating func restartWaiting(at now: Instant) {
        let late = turns.filter { $0.value.isWaiting && $0.value.later.map { $0 <= now } == true }.keys
        // In a fixed order, so that the same inputs always have the same effects.
        for id in late.sorted(by: { $0.rawValue < $1.rawValue }) { restart(id) }
    }

    private mutating func learn(_ app: AppID?, of id: ActivityID) {
        guard let app, let turn = turns[id], turn.app == nil else { return }
        turns[id]?.app = app
        turnRoom.take(1, for: app)
    }

    /// Ends the turn of an activity. Its remaining work stays due in the store.
    mutating func letGo(of id: ActivityID) {
        guard let turn = turns.removeValue(forKey: id), let app = turn.app else { return }
        noteRest(of: id, turn, in: app)
        turnRoom.take(-1, for: app)
    }

    /// Gives an activity a turn because a push of it is on its way that no look of its own has bound. The activity is
    /// looked at when the push is back.
    mutating func attend(_ id: ActivityID, of app: AppID) {
        if turns[id] == nil { turns[id] = newTurn(of: id) }
        turns[id]?.needsAnotherLap = true
        learn(app, of: id)
    }

    private mutating func enqueue(_ id: ActivityID) {
        turns[id]?.isReady = true
        ready.append(id, of: turns[id]?.app)
    }

    /// Makes the activity the next one of its app, and its app the next one.
    private mutating func goBack(_ id: ActivityID) {
        turns[id]?.isReady = true
        ready.putBack(id, of: turns[id]?.app)
    }

    /// Moves an activity from the line of unknown apps to the line of its own app (R10).
    mutating func learn(_ app: AppID, ofReady id: ActivityID) {
        guard let turn = turns[id], turn.app == nil, turn.isReady else { return }
        learn(app, of: id)
        // Its place in the other line stays. An activity that is not ready any more is skipped there.
        ready.append(id, of: app)
    }

    private mutating func restart(_ id: ActivityID) {
        turns[id]?.beginLap(next: nextPage, at: now)
        enqueue(id)
    }

    /// Ends the turn of an activity that rests. If something changed meanwhile, another lap begins.
    mutating func endTurn(_ id: ActivityID, isResting: Bool) {
        if turns[id]?.needsAnotherLap == true || !isResting { restart(id) } else { letGo(of: id) }
    }

    // MARK: Looking

    /// The activities that the next transaction looks at: several short ones, or one that takes several looks.
    mutating func nextLooks(atMost limit: Int, full: Set<AppID>) -> [Look] {
        var looks: [Look] = []
        while looks.count < limit, let id = ready.next(without: full) {
            guard let turn = turns[id], turn.isReady, served.contains(id) else { continue }
            if turn.isLong, !looks.isEmpty {
                ready.putBack(id, of: turn.app)
                break
            }
            turns[id]?.isReady = false
            turns[id]?.isTaking = true
            looks.append(
                Look(
                    activity: id, cursor: turn.cursor, followsLap: turn.followsLap, inFlight: turn.inFlight,
                    ringPages: turn.ringPages))
            if turn.isLong { break }
        }
        return looks
    }

    /// Notes that a page is on its way.
    mutating func begin(_ page: TakenPage) {
        for run in page.runs {
            if let ring = run.ring {
                turns[run.activity]?.ringPages[ring.page] = page.ordinals(of: run)
            } else {
                turns[run.activity]?.inFlight.formUnion(page.sent[run.slots].map(\.ordinal))
            }
        }
        for id in page.activities { turns[id]?.pages += 1 }
    }

    mutating func lookedAt(_ id: ActivityID, _ looked: LookedAt?, _ effects: inout [Effect]) {
        turns[id]?.isTaking = false
        learn(looked?.app, of: id)
        guard var turn = turns[id] else { return }
        switch looked?.outcome {
        case nil, .closed:
            // The work stays due in the store. A lap that broke off has not seen all replicas, so it must not end in
            // rest.
            turn.needsAnotherLap = true
            turns[id] = turn
            return turn.pages > 0 ? () : letGo(of: id)
        case .unseen:
            // Hints are accepted before their app is known. If the app has no room, the activity yields its turn.
            if turn.pages == 0, let app = turn.app, turnRoom.left(for: app) < 0 {
                return letGo(of: id)
            }
            turns[id] = turn
            return goBack(id)
        case .rests:
            turns[id] = turn
            return endTurn(id, isResting: true)
        case .seen(let seen):
            let next = seen.next
            turn.hasWaitingReplicas = turn.hasWaitingReplicas || seen.hasWaitingReplicas
            turn.needsAnotherLap = turn.needsAnotherLap || seen.needsAnotherLap
            turn.missesReplicas = turn.missesReplicas || seen.needsAnotherLap
            turn.hasPausedReplicas = turn.hasPausedReplicas || seen.hasPausedReplicas
            if turn.lapStamp == nil { (turn.lapStamp, turn.lapGoal) = (seen.stamp, seen.goal) }
            turn.later = Instant.soonest(turn.later, seen.later)
            turn.cursor = next ?? .start
            if next != nil { turn.isLong = true }
            if let lap = turn.takeConcluded() { effects.append(.conclude(id, lap)) }
            turns[id] = turn
            if next != nil { enqueue(id) } else { finishLap(id, &effects) }
        }
    }

    private mutating func finishLap(_ id: ActivityID, _ effects: inout [Effect]) {
        guard let turn = turns[id] else { return }
        if !turn.hasSeenAll {
            restart(id)
        } else if turn.pages > 0 {
            if let later = turn.later { effects.append(.wake(at: later)) }
        } else {
            // Until the answer comes the activity counts as taking, so that nothing else begins.
            turns[id]?.isTaking = true
            effects.append(
                .rest(
                    id,
                    RestPlan(stamp: turn.lapStamp ?? 0, until: turn.later, hasWaitingReplicas: turn.hasWaitingReplicas))
            )
        }
    }

    // MARK: Verdicts

    /// Which activities have nothing to do but this page, so that they may rest with its verdicts.
    func restPlans(of page: TakenPage) -> [ActivityID: RestPlan] {
        var plans: [ActivityID: RestPlan] = [:]
        for id in page.activities {
            guard let turn = turns[id], turn.isWaiting, turn.pages == 1, turn.hasSeenAll, turn.passed.isEmpty,
                let stamp = turn.lapStamp
            else { continue }
            plans[id] = RestPlan(stamp: stamp, until: turn.later, hasWaitingReplicas: turn.hasWaitingReplicas)
        }
        return plans
    }

    /// Notes that a page of the ring is no longer on its way. If the current lap skipped its members, another lap looks
    /// at them.
    mutating func release(_ page: Int, of id: ActivityID) {
        turns[id]?.ringPages[page] = nil
        if turns[id]?.passed.remove(page) != nil { turns[id]?.needsAnotherLap = true }
    }

    /// Applies the settling of a page. If its verdicts could not be stored, its replicas are as far behind as before.
    mutating func finish(_ page: TakenPage, _ result: SettledPage?, _ effects: inout [Effect]) {
        for run in page.runs {
            if let ring = run.ring {
                release(ring.page, of: run.activity)
            } else {
                turns[run.activity]?.inFlight.subtract(page.sent[run.slots].map(\.ordinal))
            }
        }
        for id in page.activities {
            guard var turn = turns[id] else { continue }
            let settled = result?.activities[id]
            turn.pages -= 1
            turn.later = Instant.soonest(turn.later, settled?.later)
            turn.hasWaitingReplicas = turn.hasWaitingReplicas || settled?.hasWaitingReplicas == true
            if result == nil || settled?.isDue == true { (turn.needsAnotherLap, turn.missesReplicas) = (true, true) }
            turn.settleEnded(page, settled)
            if let lap = turn.takeConcluded() { effects.append(.conclude(id, lap)) }
            turn.settledStamp = [turn.settledStamp, settled?.stamp].compactMap(\.self).min()
            turns[id] = turn
            guard !turn.isReady, !turn.isTaking else { continue }
            // If something changed meanwhile, the rest was not granted or no longer holds.
            if settled?.rests == true, turn.pages == 0, turn.hasSeenAll {
                letGo(of: id)
            } else {
                finishLap(id, &effects)
            }
        }
    }
}
