import APNSWire
import EyotDomain

extension EngineCore {
    /// How far a lap has come.
    package enum Cursor: Sendable, Hashable {
        case start
        /// Past this replica.
        case replica(ordinal: Int)
        case page(RingPlace)
    }

    /// How far a lap over pages of the ring has come.
    package struct RingPlace: Sendable, Hashable {
        package var lap: RingLap
        /// Past this page.
        package var number = -1
        /// Pages that were on their way when it came to them, or that had been pushed to in that second. It comes back to them in
        /// the end: they would have to wait for a whole lap more.
        package var left: [Int] = []
        package var isComingBack = false

        package init(lap: RingLap) { self.lap = lap }
    }

    /// Which replicas of an activity are to be looked at next.
    package struct Look: Sendable, Hashable {
        package var activity: ActivityID
        package var cursor: Cursor
        /// The lap before this one has come to its end.
        package var followsLap: Bool
        /// Ordinals that wait for a verdict, and are passed over.
        package var inFlight: Set<Int>
        /// Pages of the ring of which members wait for a verdict, and these.
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

    /// What one look at several activities may take.
    package struct TakeRoom: Sendable, Hashable {
        package var pushes: Int
        /// Of these, what an app may take that has so many in flight that it is less.
        package var left: [AppID: Int] = [:]
        /// Replicas that are read.
        package var replicas: Int
        /// Apps for which nothing is taken: they have enough in flight.
        package var full: Set<AppID> = []
        /// An activity of so many replicas is looked at by pages of the ring.
        package var ringFrom: Int

        package init(
            pushes: Int, left: [AppID: Int] = [:], replicas: Int, full: Set<AppID> = [],
            ringFrom: Int = Limits().ringFrom
        ) {
            self.pushes = pushes
            self.left = left
            self.replicas = replicas
            self.full = full
            self.ringFrom = ringFrom
        }
    }

    /// Under what stamp, and until when, an activity has nothing to do.
    package struct RestPlan: Sendable, Hashable {
        package var stamp: Int
        package var until: Instant?
        /// Somebody is behind and waits for that.
        package var owes = false
    }

    /// - Parameter app: nil where it is not known, which is known when the activity has been looked at.
    mutating func wake(_ id: ActivityID, of app: AppID? = nil) {
        guard let turn = turns[id] else {
            // Beyond the limits it stays due in the store, and is found when there is room.
            guard turns.count < limits.turns, hasRoom(for: app) else { return }
            turns[id] = Turn()
            learn(app, of: id)
            enqueue(id)
            return
        }
        turns[id]?.again = true
        if turn.isWaiting { restart(id) }
    }

    /// Those that are of unknown apps have half of all room: they may be one app's alone.
    private func hasRoom(for app: AppID?) -> Bool {
        guard let app else { return turns.count - turnRoom.taken < limits.turns / 2 }
        return turnRoom.left(for: app) > 0
    }

    /// Looks once more at those whose time has come while they waited for verdicts.
    mutating func restartWaiting(at now: Instant) {
        let late = turns.filter { $0.value.isWaiting && $0.value.later.map { $0 <= now } == true }.keys
        // In a stated order, so that the same inputs always have the same effects.
        for id in late.sorted(by: { $0.rawValue < $1.rawValue }) { restart(id) }
    }

    private mutating func learn(_ app: AppID?, of id: ActivityID) {
        guard let app, let turn = turns[id], turn.app == nil else { return }
        turns[id]?.app = app
        turnRoom.take(1, for: app)
    }

    /// What is left to do for it stays due in the store.
    private mutating func letGo(of id: ActivityID) {
        guard let turn = turns.removeValue(forKey: id), let app = turn.app else { return }
        turnRoom.take(-1, for: app)
    }

    /// Something of it is on its way that no look of its own has bound: it is looked at when that is back.
    mutating func attend(_ id: ActivityID, of app: AppID) {
        if turns[id] == nil { turns[id] = Turn() }
        turns[id]?.again = true
        learn(app, of: id)
    }

    private mutating func enqueue(_ id: ActivityID) {
        turns[id]?.isReady = true
        ready.append(id, of: turns[id]?.app)
    }

    /// It is the next one of its app, and its app is the next one.
    private mutating func goBack(_ id: ActivityID) {
        turns[id]?.isReady = true
        ready.putBack(id, of: turns[id]?.app)
    }

    /// One that was taken in without knowing whose it is stands in a line with those of all apps: now it takes its own app's turn (R10).
    mutating func learn(_ app: AppID, ofReady id: ActivityID) {
        guard let turn = turns[id], turn.app == nil, turn.isReady else { return }
        learn(app, of: id)
        // Where it stands in the other line nothing will be found to do.
        ready.append(id, of: app)
    }

    private mutating func restart(_ id: ActivityID) {
        turns[id]?.beginLap(next: nextPage)
        enqueue(id)
    }

    /// The activity rests, unless something changed meanwhile.
    mutating func endTurn(_ id: ActivityID, isResting: Bool) {
        if turns[id]?.again == true || !isResting { restart(id) } else { letGo(of: id) }
    }

    // MARK: Looking

    /// Whom the next transaction looks at: several, or one that takes several looks.
    mutating func nextLooks(atMost limit: Int, full: Set<AppID>) -> [Look] {
        var looks: [Look] = []
        while looks.count < limit, let id = ready.next(without: full) {
            guard let turn = turns[id], turn.isReady else { continue }
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

    /// A page is on its way.
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
            // The work stays due in the store. A lap that broke off has not seen everybody, so it must not end in rest.
            turn.again = true
            turns[id] = turn
            return turn.pages > 0 ? () : letGo(of: id)
        case .unseen:
            // Hints are taken in without knowing whose they are. One whose app has no room gives way to those of others.
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
            turn.owes = turn.owes || seen.owes
            turn.again = turn.again || seen.again
            turn.missesReplicas = turn.missesReplicas || seen.again
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
            // Until the answer comes it counts as taking, so that nothing else begins.
            turns[id]?.isTaking = true
            effects.append(.rest(id, RestPlan(stamp: turn.lapStamp ?? 0, until: turn.later, owes: turn.owes)))
        }
    }

    // MARK: Verdicts

    /// Which activities have nothing to do but this page: they may rest with its verdicts.
    func restPlans(of page: TakenPage) -> [ActivityID: RestPlan] {
        var plans: [ActivityID: RestPlan] = [:]
        for id in page.activities {
            guard let turn = turns[id], turn.isWaiting, turn.pages == 1, turn.hasSeenAll, turn.passed.isEmpty,
                let stamp = turn.lapStamp
            else { continue }
            plans[id] = RestPlan(stamp: stamp, until: turn.later, owes: turn.owes)
        }
        return plans
    }

    /// A page of the ring is on its way no more. Whom the lap has passed over on it is looked at in another one.
    mutating func release(_ page: Int, of id: ActivityID) {
        turns[id]?.ringPages[page] = nil
        if turns[id]?.passed.remove(page) != nil { turns[id]?.again = true }
    }

    /// A page is back. Where its verdicts could not be stored, whom they concern is as much behind as before.
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
            turn.owes = turn.owes || settled?.owes == true
            if result == nil || settled?.isDue == true { (turn.again, turn.missesReplicas) = (true, true) }
            turn.settleEnded(page, settled)
            if let lap = turn.takeConcluded() { effects.append(.conclude(id, lap)) }
            turn.settledStamp = [turn.settledStamp, settled?.stamp].compactMap(\.self).min()
            turns[id] = turn
            guard !turn.isReady, !turn.isTaking else { continue }
            // Where something came between, the rest was not granted, or does not hold any more.
            if settled?.rests == true, turn.pages == 0, turn.hasSeenAll {
                letGo(of: id)
            } else {
                finishLap(id, &effects)
            }
        }
    }
}
