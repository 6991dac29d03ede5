import APNSWire
import EyotContract
import EyotDomain

/// The reconciler's decisions: which activity is looked at next, what may be in flight, when to rest.
///
/// Synchronous and without I/O: inputs and the time go in, effects come out, and whoever performs them feeds the results
/// back as inputs. It holds nothing of an activity that has nothing to do.
package struct EngineCore: Sendable {
    /// Names a page in flight.
    package struct PageID: Sendable, Hashable {
        package let rawValue: Int
    }

    package enum Input: Sendable {
        /// Something was declared or registered.
        case woken([ActivityID])
        /// A moment has come that ``Effect/wake(at:)`` asked for.
        case timer
        /// The answer to ``Effect/findDue``.
        case due([DueActivity], next: Instant?, trials: [Trial] = [])
        /// The answer to ``Effect/takeTrial(_:)``; nil where the store failed.
        case tried(TakenPages?)
        /// The answer to ``Effect/take(_:_:)``, with the activities that were to be looked at; nil where the store
        /// failed.
        case took([ActivityID], TakenPages?)
        /// Verdicts came for a page: all of them, or those that are known while some slots are open.
        case pushed(PageID, PageVerdicts)
        /// The answer to ``Effect/settle(_:_:_:resting:)``; nil where the store failed.
        case settled(PageID, SettledPage?)
        /// The answer to ``Effect/rest(_:until:stamp:)``.
        case rested(ActivityID, Bool)
        /// Begin nothing more; finish what is under way.
        case stop
    }

    package enum Effect: Sendable {
        /// Looks at activities in one transaction and binds what is due to pages.
        case take([Look], TakeRoom)
        /// Binds a few pushes for an environment in which their app is paused.
        case takeTrial(Trial)
        case push(PageID, app: AppID, PushPage)
        /// Stores verdicts, and lets activities rest that have nothing else to do.
        case settle(PageID, TakenPage, PageVerdicts, resting: [ActivityID: RestPlan])
        /// Marks an activity as having nothing to do until a moment, if its stamp is still this one.
        case rest(ActivityID, RestPlan)
        /// Notes that everybody has what was newest when a lap began, though the activity does not rest.
        case conclude(ActivityID, EndedLap)
        /// Lets nothing be sent for an app where it is at fault.
        case pause(AppFault)
        /// Looks up which activities are due and when the next one will be.
        case findDue(limit: Int)
        case wake(at: Instant)
        /// Everything that was under way is finished.
        case stopped
    }

    /// What bounds the engine.
    package struct Limits: Sendable {
        /// Pushes of one app that are bound to a state and without a verdict; at most this many older ones leave after a
        /// successor (R2).
        package var pushesPerApp = 4_000
        /// The same for all apps together, which share it (R10).
        package var pushesInFlight = 16_000
        /// Pushes that one transaction binds. Two pages: each commit waits for the disk.
        package var pushesPerTake = 2 * PushPage.capacity
        /// Activities that one transaction looks at.
        package var looksPerTake = 100
        /// Replicas that one transaction looks at.
        package var replicasPerTake = 2_000
        /// An activity of so many replicas is looked at by pages of the ring, which cost a row each to settle. Below, rows of
        /// their own cost less.
        package var ringFrom = 64
        /// Activities of one app held at a time; the rest stays in the store until there is room.
        package var turnsPerApp = 10_000
        /// The same for all apps together, which share it (R10).
        package var turns = 40_000
        /// Answers in a row that Apple is out of order, after which nothing leaves for an app for some seconds.
        package var outageAnswers = CircuitBreaker.limit
        /// Seconds after which the store is asked again though nobody said that something is due.
        package var poll = 1.0

        package init() {}

        /// A page of the ring is taken as a whole.
        var leastPerTake: Int { min(pushesPerTake, PushPage.capacity) }
    }

    let limits: Limits
    /// Nothing leaves before; nil once that has come, whatever the clock reads later.
    private var beginsAt: Instant?
    var turns: [ActivityID: Turn] = [:]
    /// How many of them are known to be of an app.
    var turnRoom: SharedRoom
    var ready = ReadyQueue()
    var flights: [PageID: TakenPage] = [:]
    private var windows: [Trial: SuspicionWindow] = [:]
    /// Environments of paused apps that are to be tried.
    private var trials: [Trial] = []
    /// Of apps whose last answers were that Apple is out of order.
    private var breakers: [AppID: CircuitBreaker] = [:]
    private var pushRoom: SharedRoom
    private(set) var nextPage = 1
    private var isTaking = false
    /// Nothing is taken before, since the store failed.
    private var restsUntil: Instant?
    /// Activities that the next transaction looks at: fewer after one that failed, since one of them may be why.
    private var looksAtOnce: Int
    private var isFinding = false
    private var isStopping = false

    /// - Parameter beginsAt: the moment before which nothing leaves: who pushed before may have done so up to then, and no
    ///   replica is pushed twice in a second (R7).
    package init(limits: Limits = Limits(), beginsAt: Instant? = nil) {
        self.limits = limits
        self.beginsAt = beginsAt
        looksAtOnce = limits.looksPerTake
        turnRoom = SharedRoom(limit: limits.turns, perApp: limits.turnsPerApp)
        pushRoom = SharedRoom(limit: limits.pushesInFlight, perApp: limits.pushesPerApp, least: limits.leastPerTake)
    }

    /// Takes an input and says what to do.
    package mutating func step(_ input: Input, now: Instant) -> [Effect] {
        var effects: [Effect] = []
        switch input {
        case .woken(let ids):
            for id in ids { wake(id) }
        case .timer:
            restartWaiting(at: now)
            find(&effects)
        case .due(let found, let next, let due):
            isFinding = false
            trials = due
            for one in found {
                if turns[one.id] == nil { wake(one.id, of: one.app) } else { learn(one.app, ofReady: one.id) }
            }
            effects.append(.wake(at: min(next ?? now + limits.poll, now + limits.poll)))
        case .took(let ids, let taken): took(ids, taken, at: now, &effects)
        case .tried(let taken): tried(taken, &effects)
        case .pushed(let id, let verdicts):
            pushed(id, verdicts, at: now, &effects)
        case .settled(let page, let result): settled(page, result, &effects)
        case .rested(let id, let isResting):
            endTurn(id, isResting: isResting)
            if turns.isEmpty { find(&effects) }
        case .stop: isStopping = true
        }
        beginsAt = beginsAt.map { NodeLease.beginning($0, at: now) }
        if let beginsAt, now < beginsAt {
            effects.append(.wake(at: beginsAt))
        } else {
            beginsAt = nil
            dispatch(at: now, &effects)
        }
        if isStopping, !isTaking, flights.isEmpty { effects.append(.stopped) }
        return effects
    }

    private mutating func find(_ effects: inout [Effect]) {
        guard !isFinding else { return }
        isFinding = true
        effects.append(.findDue(limit: limits.turnsPerApp))
    }

    // MARK: Pages

    /// Lets activities take their turns where there is room in flight. One transaction at a time: what an earlier one binds has
    /// to be known, or together they would bind more for an app than it may have in flight.
    private mutating func dispatch(at now: Instant, _ effects: inout [Effect]) {
        let least = limits.leastPerTake
        let pushes = min(limits.pushesPerTake, pushRoom.leftForAnyone)
        guard !isStopping, !isTaking, pushes >= least, !isResting(at: now) else { return }
        if let trial = nextTrial() {
            isTaking = true
            return effects.append(.takeTrial(trial))
        }
        var left: [AppID: Int] = [:]
        for app in pushRoom.apps where pushRoom.left(for: app) < pushes { left[app] = pushRoom.left(for: app) }
        let full = Set(left.filter { $0.value < least }.keys)
            .union(breakers.filter { $0.value.isOpen(at: now) }.keys)
        let looks = nextLooks(atMost: looksAtOnce, full: full)
        guard !looks.isEmpty else { return }
        isTaking = true
        let room = TakeRoom(
            pushes: pushes, left: left, replicas: limits.replicasPerTake, full: full,
            ringFrom: limits.ringFrom)
        effects.append(.take(looks, room))
    }

    /// One transaction takes it, as all others: nothing else binds what it binds. What left before the pause has to be
    /// back.
    private mutating func nextTrial() -> Trial? {
        let index = trials.firstIndex { trial in
            !flights.values.contains { $0.app == trial.app && $0.page.environment == trial.environment }
        }
        return index.map { trials.remove(at: $0) }
    }

    private mutating func tried(_ taken: TakenPages?, _ effects: inout [Effect]) {
        isTaking = false
        for page in taken?.pages ?? [] {
            for id in page.activities { attend(id, of: page.app) }
            leave(page, &effects)
        }
    }

    private mutating func leave(_ page: TakenPage, _ effects: inout [Effect]) {
        let id = add(page)
        pushRoom.take(page.count, for: page.app)
        begin(page)
        effects.append(.push(id, app: page.app, page.page))
    }

    /// A moment that is further off was set by a clock that has been set back since.
    private func isResting(at now: Instant) -> Bool {
        restsUntil.map { now < $0 && $0 <= now + limits.poll } ?? false
    }

    private mutating func took(
        _ ids: [ActivityID], _ taken: TakenPages?, at now: Instant, _ effects: inout [Effect]
    ) {
        isTaking = false
        if taken == nil {
            // Else it would be asked again at once, for as long as the disk is full.
            restsUntil = now + limits.poll
            effects.append(.wake(at: now + limits.poll))
        }
        looksAtOnce = taken == nil ? max(1, ids.count / 2) : min(limits.looksPerTake, 2 * looksAtOnce)
        for page in taken?.pages ?? [] { leave(page, &effects) }
        for id in ids where !isUnseen(id, taken) { lookedAt(id, taken?.looked[id], &effects) }
        // From the last one on, so that they stand in their old order before all others (R10).
        for id in ids.reversed() where isUnseen(id, taken) { lookedAt(id, taken?.looked[id], &effects) }
        if turns.isEmpty, taken != nil { find(&effects) }
    }

    private func isUnseen(_ id: ActivityID, _ taken: TakenPages?) -> Bool {
        if case .unseen? = taken?.looked[id]?.outcome { true } else { false }
    }

    /// Gives a page that is in flight a name.
    mutating func add(_ page: TakenPage) -> PageID {
        let id = PageID(rawValue: nextPage)
        flights[id] = page
        // Parts of a page that was divided left with it.
        if page.number == nil { flights[id]?.number = nextPage }
        nextPage += 1
        return id
    }

    private mutating func settled(_ id: PageID, _ result: SettledPage?, _ effects: inout [Effect]) {
        guard let page = flights.removeValue(forKey: id) else { return }
        pushRoom.take(-page.count, for: page.app)
        if let result { judge(page, result, &effects) }
        finish(page, result, &effects)
        if turns.isEmpty { find(&effects) }
    }

    /// Takes in whether Apple is out of order for an app.
    mutating func listen(to verdicts: PageVerdicts, of app: AppID, at now: Instant, _ effects: inout [Effect]) {
        let former = breakers[app]
        var breaker = former ?? CircuitBreaker(limit: limits.outageAnswers)
        for verdict in verdicts.verdicts { breaker.count(verdict, at: now) }
        breakers[app] = breaker.isQuiet ? nil : breaker
        if let moment = breaker.closesAt, moment != former?.closesAt { effects.append(.wake(at: moment)) }
    }

    /// Pauses an app that refusals show to be at fault, where they do.
    private mutating func judge(_ page: TakenPage, _ result: SettledPage, _ effects: inout [Effect]) {
        let place = Trial(of: page.app, in: page.page.environment)
        var window = windows[place] ?? SuspicionWindow()
        var isAtFault = false
        for answer in result.answers where window.count(answer) { isAtFault = true }
        // What is due when the app goes on are above all the tokens that are under suspicion.
        windows[place] = isAtFault ? SuspicionWindow(isFirst: false) : window
        if let reason = result.pause { effects.append(.pause(page.fault(because: reason))) }
        if isAtFault, let reason = result.suspectReason {
            effects.append(.pause(page.fault(because: reason)))
        }
    }
}
