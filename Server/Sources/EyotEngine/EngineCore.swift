import APNSWire
import EyotContract
import EyotDomain

/// The engine's decisions: which activity is looked at next, what may be in flight, and when an activity rests.
///
/// The core is synchronous and does no I/O. ``step(_:now:)`` takes an input and the time, and returns effects.
/// ``Engine`` performs the effects and feeds each answer back as an input.
///
///     hint or look-up
///           │
///           ▼
///     ┌── ready ◀──────────── another lap ─────────────┐
///     │     │ take: one transaction                    │
///     │     ▼                                          │
///     │   pages in flight ──▶ verdicts ──▶ settle ──▶ end of lap ──▶ rest
///     └─ more of the lap
///
/// **Turns.** An activity that has something to do holds a ``Turn``. Hints from the store begin turns, and so does a
/// look-up of due activities at least once a second. The activity stays due in the store until it rests. So a lost
/// hint, a crash or a full limit loses no work. Turns wait in a ``ReadyQueue``, in which apps alternate (R10).
///
/// **Laps.** A turn consists of laps. A lap visits the replicas in the order of their ordinals. In a large activity it
/// visits the pages of the ring that may have something due, in the order of their numbers. It takes as many
/// transactions as it needs, and its cursor says where it continues. Each transaction uses the state that is newest
/// then, so a declaration during a lap does not send the lap back to the front (R3). `needsAnotherLap` records that
/// something changed. Another lap then follows this one.
///
/// **Pages in flight.** A take binds due replicas to pages of up to 1,000 pushes (R2). Only one take runs at a time.
/// Two at once could bind more pushes for an app than ``Limits/pushesPerApp`` allows. A look skips the ordinals and
/// ring pages that are in flight, so a replica has one push in flight at most. If some slots of a page get no answer,
/// the page is divided and the answered part is settled (EngineCore+Parts.swift).
///
/// **Settling.** One transaction stores the verdicts of a page and says which replicas are due again. If a replica is,
/// or if the store fails, another lap follows. A lap skips replicas in flight. It counts them as seen only if their
/// verdicts were settled under the lap's stamp of the activity or a later one.
///
/// **Rest.** An activity rests when its lap has seen all replicas and no page is in flight. The store grants the rest
/// only if the activity's stamp has not changed during the lap. If the last page is the only work left, its settling
/// transaction grants the rest. If cards join all the time, an activity never rests. Then an ``EndedLap`` lets its
/// operations complete and its canary proceed.
package struct EngineCore: Sendable {
    /// The number of a page in flight.
    package struct PageID: Sendable, Hashable {
        package let rawValue: Int
    }

    package enum Input: Sendable {
        /// Something was declared or registered for these activities, and perhaps for others that other nodes know.
        case woken([ActivityID], andOthers: Bool = false)
        /// The moment of an ``Effect/wake(at:)`` has come.
        case timer
        /// The answer to ``Effect/findDue``.
        case due([DueActivity], next: Instant?, trials: [Trial] = [])
        /// The answer to ``Effect/takeTrial(_:)``; nil if the store failed.
        case tried(TakenPages?)
        /// The answer to ``Effect/take(_:_:)``, with the activities that it was to look at; nil if the store failed.
        case took([ActivityID], TakenPages?)
        /// The verdicts of a page: all of them, or those known while some slots are open.
        case pushed(PageID, PageVerdicts)
        /// The answer to ``Effect/settle(_:_:_:resting:)``; nil if the store failed.
        case settled(PageID, SettledPage?)
        /// The answer to ``Effect/rest(_:_:)``: whether the activity rests.
        case rested(ActivityID, Bool)
        /// The answer to ``Effect/pause(_:)`` and ``Effect/clearSuspicion(_:)``.
        case paused(AppFault, PauseApp.Outcome)
        /// The answer to ``Effect/note(_:)``: whether the store knows it.
        case noted(AppleNews, isStored: Bool)
        /// The node pushes for these shards from now on. For others it begins nothing more, and finishes what is under
        /// way.
        case serve(Set<Int>)
        /// Begins nothing more, and finishes what is under way.
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
        /// Marks an activity as having nothing to do until a moment, if its stamp is still the plan's.
        case rest(ActivityID, RestPlan)
        /// Records that all replicas have what was newest when a lap began, although the activity does not rest.
        case conclude(ActivityID, EndedLap)
        /// Pauses an app in the environments of its fault.
        case pause(AppFault)
        /// Notes why no push of an app gets through, or that one did.
        case note(AppleNews)
        /// Clears the suspicion of further tokens of an app that was paused.
        case clearSuspicion(AppFault)
        /// Looks up which activities are due and when the next one will be.
        case findDue(limit: Int, in: Shards)
        case wake(at: Instant)
        /// Reports that everything under way in these shards is finished.
        case left(Set<Int>)
        /// Reports that everything under way is finished.
        case stopped
    }

    /// The engine's limits.
    package struct Limits: Sendable {
        /// Pushes of one app that are bound to a state and have no verdict. After a newer declaration at most this many
        /// older pushes still leave (R2).
        package var pushesPerApp = 4_000
        /// The same for all apps together, which share the room (R10).
        package var pushesInFlight = 16_000
        /// Pushes that one transaction binds. It is two pages, because each commit waits for the disk.
        package var pushesPerTake = 2 * PushPage.capacity
        /// Activities that one transaction looks at.
        package var looksPerTake = 100
        /// Replicas that one transaction looks at.
        package var replicasPerTake = 2_000
        /// The least number of replicas of an activity that is looked at by pages of the ring. A page costs one row to
        /// settle. In a smaller activity a row for each replica costs less.
        package var ringFrom = 64
        /// Turns of one app's activities. Further activities stay due in the store until there is room.
        package var turnsPerApp = 10_000
        /// The same for all apps together, which share the room (R10).
        package var turns = 40_000
        /// How many answers of an outage in a row open an app's ``CircuitBreaker``.
        package var outageAnswers = CircuitBreaker.limit
        /// The room for pushes to tokens that Apple has not accepted yet, for each app and environment.
        package var probation = ProbationLane.Limits()
        /// Seconds after which the store is asked for due activities again, even without a hint.
        package var poll = 1.0

        package init() {}

        /// The least room for which a transaction begins. A page of the ring is taken as a whole.
        var leastPerTake: Int { min(pushesPerTake, PushPage.capacity) }
    }

    let limits: Limits
    /// The time of the input that is applied.
    private(set) var now = Instant(second: 0)
    /// The shards that this node pushes for, and those that it is leaving.
    var served: ServedShards
    var turns: [ActivityID: Turn] = [:]
    /// Activities without a turn that have replicas which are behind, and wait for a moment that is near.
    var resting: [ActivityID: RestingBehind] = [:]
    /// The room of turns, counted for activities of a known app.
    var turnRoom: SharedRoom
    var ready = ReadyQueue()
    var flights: [PageID: TakenPage] = [:]
    private var windows: [Trial: SuspicionWindow] = [:]
    /// Trials that are due: environments in which an app is paused.
    private var trials: [Trial] = []
    /// The breakers of apps for which Apple's last answers reported an outage.
    private var breakers: [AppID: CircuitBreaker] = [:]
    private var watches: [Trial: FailureWatch] = [:]
    private var pushRoom: SharedRoom
    private var probation: ProbationLanes
    private(set) var nextPage = 1
    private(set) var isTaking = false
    /// The moment before which nothing is taken, because the store failed.
    private var restsUntil: Instant?
    /// How many activities the next transaction looks at. A failure halves it, because one of the activities may be the
    /// cause.
    private var looksAtOnce: Int
    private var isFinding = false
    /// When the last look-up of due activities began.
    private var findingSince = Instant(second: 0)
    /// Whether a look-up follows the one that is under way, because that one may have begun too early.
    private var findsAgain = false
    private var isStopping = false

    /// - Parameter sharding: The shards, none of which is served yet; nil for one shard that is served at once.
    package init(limits: Limits = Limits(), of sharding: Sharding? = nil) {
        self.limits = limits
        served = ServedShards(of: sharding)
        looksAtOnce = limits.looksPerTake
        probation = ProbationLanes(limits.probation)
        turnRoom = SharedRoom(limit: limits.turns, perApp: limits.turnsPerApp)
        pushRoom = SharedRoom(limit: limits.pushesInFlight, perApp: limits.pushesPerApp, least: limits.leastPerTake)
    }

    /// Applies an input and returns the effects to perform.
    package mutating func step(_ input: Input, now: Instant) -> [Effect] {
        var effects: [Effect] = []
        self.now = now
        switch input {
        case .woken(let ids, let andOthers):
            for id in ids { wake(id) }
            if andOthers { findOthers(&effects) }
        case .timer:
            restartWaiting(at: now)
            find(&effects)
        case .due(let found, let next, let due):
            isFinding = false
            trials = due
            for one in found {
                if turns[one.id] == nil { wake(one.id, of: one.app) } else { learn(one.app, ofReady: one.id) }
            }
            effects.append(.wake(at: nextFind(next)))
        case .took(let ids, let taken): took(ids, taken, at: now, &effects)
        case .tried(let taken): tried(taken, at: now, &effects)
        case .pushed(let id, let verdicts):
            pushed(id, verdicts, at: now, &effects)
        case .settled(let page, let result): settled(page, result, &effects)
        case .rested(let id, let isResting):
            endTurn(id, isResting: isResting)
            if turns.isEmpty { find(&effects) }
        case .paused(let fault, let outcome): if outcome.hasMore { effects.append(.clearSuspicion(fault)) }
        case .noted(let news, let isStored): if !isStored { watches[news.place]?.repeats() }
        case .serve(let shards):
            // A node that has gone may have noted a failure that only it had.
            for place in watches.keys { watches[place]?.repeats() }
            serve(shards, &effects)
        case .stop:
            isStopping = true
            serve([], &effects)
        }
        leaveShards(&effects)
        dispatch(at: now, &effects)
        if isStopping, !isTaking, flights.isEmpty { effects.append(.stopped) }
        return effects
    }

    private mutating func find(_ effects: inout [Effect]) {
        guard !isFinding, !served.activities.isEmpty else { return }
        isFinding = true
        findingSince = now
        effects.append(.findDue(limit: limits.turnsPerApp, in: served.activities))
    }

    /// Looks up what is due, because other nodes have made something due, or shards are new. If a look-up is under way,
    /// another follows.
    mutating func findOthers(_ effects: inout [Effect]) {
        findsAgain = isFinding
        find(&effects)
    }

    /// The moment of the next look-up. However often other nodes wake this one, look-ups take a fifth of the time at
    /// most.
    private mutating func nextFind(_ next: Instant?) -> Instant {
        let polled = min(next ?? now + limits.poll, now + limits.poll)
        guard findsAgain else { return polled }
        findsAgain = false
        return min(polled, now + 4 * max(0, now.seconds(since: findingSince)))
    }

    // MARK: Pages

    /// Lets activities take their turns while there is room in flight. Only one transaction runs at a time. Two at once
    /// could bind more pushes for an app than it may have in flight.
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
            probation: probation, ringFrom: limits.ringFrom)
        effects.append(.take(looks, room))
    }

    /// Removes and returns a due trial, if its app has no page in flight in that environment. Pushes that left before
    /// the pause must be back first.
    private mutating func nextTrial() -> Trial? {
        let index = trials.firstIndex { trial in
            !flights.values.contains { $0.app == trial.app && $0.page.environment == trial.environment }
        }
        return index.map { trials.remove(at: $0) }
    }

    private mutating func tried(_ taken: TakenPages?, at now: Instant, _ effects: inout [Effect]) {
        isTaking = false
        for page in taken?.pages ?? [] {
            for id in page.activities { attend(id, of: page.app) }
            leave(page, at: now, &effects)
        }
    }

    private mutating func leave(_ page: TakenPage, at now: Instant, _ effects: inout [Effect]) {
        let id = add(page)
        pushRoom.take(page.count, for: page.app)
        probation.take(page, at: now)
        begin(page)
        effects.append(.push(id, app: page.app, page.page))
    }

    /// Whether takes still wait after a failure of the store. A moment further off comes from a clock that was set back
    /// since, and does not count.
    private func isResting(at now: Instant) -> Bool {
        restsUntil.map { now < $0 && $0 <= now + limits.poll } ?? false
    }

    private mutating func took(
        _ ids: [ActivityID], _ taken: TakenPages?, at now: Instant, _ effects: inout [Effect]
    ) {
        isTaking = false
        if taken == nil {
            // Otherwise the store would be asked again at once, for as long as the disk is full.
            restsUntil = now + limits.poll
            effects.append(.wake(at: now + limits.poll))
        }
        looksAtOnce = taken == nil ? max(1, ids.count / 2) : min(limits.looksPerTake, 2 * looksAtOnce)
        for page in taken?.pages ?? [] { leave(page, at: now, &effects) }
        for (id, moment) in taken?.restingBehind ?? [:] { noteWait(of: id, until: moment) }
        probation.note(taken?.waitingBlocks ?? [:], at: now)
        for id in ids where !isUnseen(id, taken) { lookedAt(id, taken?.looked[id], &effects) }
        // In reverse, so that they keep their order at the front of the queue (R10).
        for id in ids.reversed() where isUnseen(id, taken) { lookedAt(id, taken?.looked[id], &effects) }
        if turns.isEmpty, taken != nil { find(&effects) }
    }

    private func isUnseen(_ id: ActivityID, _ taken: TakenPages?) -> Bool {
        if case .unseen? = taken?.looked[id]?.outcome { true } else { false }
    }

    /// Adds a page to the flights and numbers it.
    mutating func add(_ page: TakenPage) -> PageID {
        let id = PageID(rawValue: nextPage)
        flights[id] = page
        // Parts of a divided page keep the number of the page that left.
        if page.number == nil {
            flights[id]?.number = nextPage
            flights[id]?.leftAt = now
        }
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

    /// Counts the verdicts of a page in the circuit breaker of its app, and in its lane of unproven tokens, and looks
    /// whether any push of the app gets through.
    mutating func listen(
        to verdicts: PageVerdicts, of page: TakenPage, at now: Instant, _ effects: inout [Effect]
    ) {
        probation.settle(page, verdicts, at: now)
        if let news = watches[page.place, default: FailureWatch()].count(verdicts.verdicts, of: page.place, at: now) {
            effects.append(.note(news))
        }
        let app = page.app
        let former = breakers[app]
        var breaker = former ?? CircuitBreaker(limit: limits.outageAnswers)
        for verdict in verdicts.verdicts { breaker.count(verdict, at: now) }
        breakers[app] = breaker.isQuiet ? nil : breaker
        if let moment = breaker.closesAt, moment != former?.closesAt { effects.append(.wake(at: moment)) }
    }

    /// Pauses an app if refusals show that it is at fault.
    private mutating func judge(_ page: TakenPage, _ result: SettledPage, _ effects: inout [Effect]) {
        let place = page.place
        var window = windows[place] ?? SuspicionWindow()
        var isAtFault = false
        for answer in result.answers where window.count(answer) { isAtFault = true }
        if window.endPage() { isAtFault = true }
        // After the resume, mainly the tokens under suspicion are due, so the window is not a first one.
        windows[place] = isAtFault ? SuspicionWindow(isFirst: false) : window
        if let reason = result.pause { effects.append(.pause(page.fault(because: reason))) }
        if isAtFault, let reason = result.suspectReason {
            effects.append(.pause(page.fault(because: reason)))
        }
    }
}
