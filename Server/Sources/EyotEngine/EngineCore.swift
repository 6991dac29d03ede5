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
        case due([ActivityID], next: Instant?)
        /// The answer to ``Effect/take(_:after:excluding:limit:)``; nil where the activity is gone.
        case took(ActivityID, TakenPage?)
        /// Verdicts came for a page.
        case pushed(PageID, PageVerdicts)
        /// The answer to ``Effect/settle(_:_:_:_:)``.
        case settled(PageID, SettledPage)
        /// The answer to ``Effect/rest(_:until:stamp:)``.
        case rested(ActivityID, Bool)
        /// Begin nothing more; finish what is under way.
        case stop
    }

    package enum Effect: Sendable {
        case take(ActivityID, after: Int, excluding: Set<Int>, limit: Int)
        case push(PageID, app: AppID, PushPage)
        case settle(PageID, ActivityID, [SentPush], PageVerdicts)
        /// Marks an activity as having nothing to do until a moment, if its stamp is still this one.
        case rest(ActivityID, until: Instant?, stamp: Int)
        case pause(AppID, because: APNSReason)
        /// Looks up which activities are due and when the next one will be.
        case findDue(limit: Int)
        case wake(at: Instant)
        /// Everything that was under way is finished.
        case stopped
    }

    /// What bounds the engine.
    package struct Limits: Sendable {
        /// Pushes bound to a state and without a verdict; at most this many older ones leave after a successor (R2).
        package var pushesInFlight = 4_000
        /// Activities held at a time; the rest stays in the store until there is room.
        package var turns = 10_000
        /// Seconds after which the store is asked again though nobody said that something is due.
        package var poll = 1.0

        package init() {}
    }

    /// One activity that has something to do.
    private struct Turn {
        var cursor = 0
        /// The stamp with which the current lap began.
        var lapStamp: Int?
        var later: Instant?
        /// Something changed during this lap: look at everybody once more.
        var again = false
        /// The oldest stamp at which replicas were looked at with their verdicts since this lap began. They were in flight,
        /// so the lap itself may have passed them over.
        var settledStamp: Int?
        var isTaking = false
        var isReady = false
        var inFlight: Set<Int> = []
        var pages = 0
    }

    private struct Flight {
        var activity: ActivityID
        var app: AppID
        var sent: [SentPush]
    }

    private let limits: Limits
    /// Nothing leaves before.
    private let beginsAt: Instant?
    private var turns: [ActivityID: Turn] = [:]
    private var ready: [ActivityID] = []
    private var flights: [PageID: Flight] = [:]
    private var windows: [AppID: SuspicionWindow] = [:]
    private var pushesInFlight = 0
    private var nextPage = 1
    private var takes = 0
    private var isFinding = false
    private var isStopping = false

    /// - Parameter startedAt: when the process began. Nothing leaves within that second: a process that died in it may have
    ///   pushed, and no replica is pushed twice in a second (R7).
    package init(limits: Limits = Limits(), startedAt: Instant? = nil) {
        self.limits = limits
        beginsAt = startedAt.map { Instant(second: $0.second + 1) }
    }

    /// Takes an input and says what to do.
    package mutating func step(_ input: Input, now: Instant) -> [Effect] {
        var effects: [Effect] = []
        switch input {
        case .woken(let ids):
            for id in ids { wake(id) }
        case .timer:
            for (id, turn) in turns where isWaiting(id) && turn.later.map({ $0 <= now }) == true { restart(id) }
            find(&effects)
        case .due(let ids, let next):
            isFinding = false
            for id in ids where turns[id] == nil { wake(id) }
            effects.append(.wake(at: min(next ?? now + limits.poll, now + limits.poll)))
        case .took(let id, let taken): took(id, taken, &effects)
        case .pushed(let page, let verdicts):
            guard let flight = flights[page] else { return [] }
            effects.append(.settle(page, flight.activity, flight.sent, verdicts))
        case .settled(let page, let result): settled(page, result, &effects)
        case .rested(let id, let isResting):
            if turns[id]?.again == true || !isResting { restart(id) } else { turns[id] = nil }
            if turns.isEmpty { find(&effects) }
        case .stop: isStopping = true
        }
        if let beginsAt, now < beginsAt {
            effects.append(.wake(at: beginsAt))
        } else {
            dispatch(&effects)
        }
        if isStopping, takes == 0, flights.isEmpty { effects.append(.stopped) }
        return effects
    }

    // MARK: Turns

    private mutating func wake(_ id: ActivityID) {
        guard turns[id] != nil else {
            // Beyond the limit it stays due in the store, and is found when there is room.
            guard turns.count < limits.turns else { return }
            turns[id] = Turn()
            enqueue(id)
            return
        }
        turns[id]?.again = true
        if isWaiting(id) { restart(id) }
    }

    /// At the end of a lap, with nothing to do but wait for verdicts.
    private func isWaiting(_ id: ActivityID) -> Bool {
        guard let turn = turns[id] else { return false }
        return !turn.isReady && !turn.isTaking && turn.pages > 0
    }

    private mutating func enqueue(_ id: ActivityID) {
        turns[id]?.isReady = true
        ready.append(id)
    }

    /// Begins a new lap.
    private mutating func restart(_ id: ActivityID) {
        turns[id]?.cursor = 0
        turns[id]?.lapStamp = nil
        turns[id]?.later = nil
        turns[id]?.again = false
        turns[id]?.settledStamp = nil
        turns[id]?.isTaking = false
        enqueue(id)
    }

    /// Lets activities take turns while there is room in flight.
    private mutating func dispatch(_ effects: inout [Effect]) {
        var served = 0
        while !isStopping, served < ready.count, pushesInFlight + PushPage.capacity <= limits.pushesInFlight {
            let id = ready[served]
            served += 1
            guard var turn = turns[id], turn.isReady else { continue }
            turn.isReady = false
            turn.isTaking = true
            turns[id] = turn
            // Room is kept for a full page until it is known how many there are.
            pushesInFlight += PushPage.capacity
            takes += 1
            effects.append(
                .take(id, after: turn.cursor, excluding: turn.inFlight, limit: PushPage.capacity))
        }
        ready.removeFirst(served)
    }

    private mutating func took(_ id: ActivityID, _ taken: TakenPage?, _ effects: inout [Effect]) {
        pushesInFlight -= PushPage.capacity
        takes -= 1
        guard var turn = turns[id] else { return }
        turn.isTaking = false
        guard let taken, !taken.isPaused else {
            // The work stays due in the store. A lap that broke off has not seen everybody, so it must not end in rest.
            turn.again = true
            turns[id] = turn.pages > 0 ? turn : nil
            return
        }
        turn.lapStamp = turn.lapStamp ?? taken.stamp
        turn.later = [turn.later, taken.later].compactMap(\.self).min()
        for part in taken.parts {
            let page = PageID(rawValue: nextPage)
            nextPage += 1
            flights[page] = Flight(activity: id, app: taken.app, sent: part.sent)
            turn.inFlight.formUnion(part.sent.map(\.ordinal))
            turn.pages += 1
            pushesInFlight += part.sent.count
            effects.append(.push(page, app: taken.app, part.page))
        }
        turn.cursor = taken.next ?? 0
        turns[id] = turn
        if taken.next != nil {
            enqueue(id)
        } else {
            finishLap(id, &effects)
        }
    }

    private mutating func finishLap(_ id: ActivityID, _ effects: inout [Effect]) {
        guard let turn = turns[id] else { return }
        let hasPassedOver = turn.settledStamp.map { $0 < turn.lapStamp ?? 0 } ?? false
        if turn.again || hasPassedOver {
            restart(id)
        } else if turn.pages > 0 {
            if let later = turn.later { effects.append(.wake(at: later)) }
        } else {
            // Until the answer comes it counts as taking, so that nothing else begins.
            turns[id]?.isTaking = true
            effects.append(.rest(id, until: turn.later, stamp: turn.lapStamp ?? 0))
        }
    }

    // MARK: Verdicts

    private mutating func settled(_ page: PageID, _ result: SettledPage, _ effects: inout [Effect]) {
        guard let flight = flights.removeValue(forKey: page) else { return }
        pushesInFlight -= flight.sent.count
        // Both environments together: a token that one of them does not know is tried in the other.
        var window = windows[flight.app] ?? SuspicionWindow()
        var isAtFault = false
        for isSuspect in result.suspicions where window.count(isSuspect: isSuspect) { isAtFault = true }
        windows[flight.app] = isAtFault ? nil : window
        if let reason = result.pause ?? (isAtFault ? result.suspectReason : nil) {
            effects.append(.pause(flight.app, because: reason))
        }
        guard var turn = turns[flight.activity] else { return }
        turn.pages -= 1
        turn.inFlight.subtract(flight.sent.map(\.ordinal))
        turn.later = [turn.later, result.later].compactMap(\.self).min()
        if result.isDue { turn.again = true }
        turn.settledStamp = [turn.settledStamp, result.stamp].compactMap(\.self).min()
        turns[flight.activity] = turn
        if !turn.isReady, !turn.isTaking { finishLap(flight.activity, &effects) }
    }

    private mutating func find(_ effects: inout [Effect]) {
        guard !isFinding else { return }
        isFinding = true
        effects.append(.findDue(limit: limits.turns))
    }
}
