import Synchronization

/// The state of a process's pushing: whether it pushes, why not, and how long cards wait for a clock that was wrong.
package struct PushingStatus: Sendable, Hashable {
    /// The reason why nothing is pushed.
    package enum Wait: String, Sendable, Hashable, CaseIterable {
        /// The process has just started.
        case starting
        /// Other nodes have all leases.
        case otherNode
        /// An operator wants this node to push nothing.
        case drained
        /// The clocks of this machine and of the database differ by more than two seconds.
        case clockApart
        /// The clock was set back, and the former process may have pushed with later seconds.
        case clockSetBack
        /// The store fails.
        case storeFails
        /// Other programs have copied the database to here, and no operator has adopted it.
        case notAdopted
    }

    /// The reason why nothing is pushed; nil while pages may leave.
    package var wait: Wait?
    /// When the wait is over; nil if that is unknown.
    package var until: Instant?
    /// How many shards this process pushes for.
    package var shards = 0
    /// How many shards the store has.
    package var allShards = 1
    /// The number of this process's last tenure; nil before the first.
    package var epoch: Int?
    /// When the last tenure began, or begins; nil before the first.
    package var beginsAt: Instant?
    /// The last time that the clock was set back; nil if that has not been seen.
    package var setBack: ClockSetBack?
    /// Until when cards wait because their last pushes carry seconds ahead of the clock (R7); nil if none was met.
    package var cardsWaitUntil: Instant?

    package init() { wait = .starting }

    /// The status at a moment, without waits that are over.
    func current(at now: Instant) -> PushingStatus {
        var current = self
        if wait == .clockSetBack, let until, until <= now { (current.wait, current.until) = (nil, nil) }
        if let moment = cardsWaitUntil, moment <= now { current.cardsWaitUntil = nil }
        return current
    }
}

/// The ``PushingStatus`` of this process, which the node writes and callers read.
package final class PushingState: Sendable {
    private struct State {
        var status = PushingStatus()
        /// The reference for ages of moments ahead of the clock.
        var reference: ClockSetBack
        var served = Shards.all
        var leads = true
    }

    private let state: Mutex<State>

    /// - Parameter now: when the process started.
    package init(at now: Instant) { state = Mutex(State(reference: ClockSetBack(before: now, after: now))) }

    package func status(at now: Instant) -> PushingStatus { state.withLock { $0.status.current(at: now) } }

    /// Seconds since a moment, even if a clock that was set back makes it lie ahead.
    package func age(of moment: Instant, at now: Instant) -> Double {
        state.withLock { $0.reference.age(of: moment, at: now) }
    }

    /// Records why nothing is pushed, and until when if that is known; nil means that pushing goes on.
    package func note(_ wait: PushingStatus.Wait?, until moment: Instant? = nil) {
        state.withLock { ($0.status.wait, $0.status.until) = (wait, moment) }
    }

    /// Whether this machine's clock and the database's are too far apart for the node to push.
    package var isClockApart: Bool { state.withLock { $0.status.wait == .clockApart } }

    /// Records that a tenure begins.
    package func note(epoch: Int, beginsAt: Instant) {
        state.withLock { ($0.status.epoch, $0.status.beginsAt) = (epoch, beginsAt) }
    }

    /// Whether this process does what one node does for all: it processes member lists and removes old rows. Every
    /// process could, but would only repeat what the others do.
    package var leads: Bool { state.withLock(\.leads) }

    /// Whether an activity is in a shard that this process pushes for.
    package func serves(_ activity: ActivityID) -> Bool { state.withLock { $0.served.contains(activity) } }

    /// Records which shards this process pushes for. The node of the first one leads.
    package func note(serving shards: Set<Int>, of sharding: Sharding) {
        state.withLock { state in
            (state.status.shards, state.status.allShards) = (shards.count, sharding.count)
            state.served = sharding.activities(of: shards)
            state.leads = sharding.count == 1 || shards.contains(0)
        }
    }

    package func note(_ setBack: ClockSetBack) {
        state.withLock { ($0.status.setBack, $0.reference) = (setBack, setBack) }
    }

    /// Records that cards wait for a second ahead of the clock.
    ///
    /// - Returns: whether no card was known to wait before.
    package func noteCards(waitingUntil moment: Instant, at now: Instant) -> Bool {
        state.withLock { state in
            let known = state.status.current(at: now).cardsWaitUntil
            state.status.cardsWaitUntil = max(known ?? moment, moment)
            return known == nil
        }
    }
}
