import Synchronization

/// Whether a process pushes, why not, and what waits for a clock that was wrong.
package struct PushingStatus: Sendable, Hashable {
    /// Why nothing is pushed.
    package enum Wait: String, Sendable, Hashable, CaseIterable {
        /// The process has just begun.
        case starting
        /// Another node has the lease.
        case otherNode
        /// The clock was set back, and the process before may have pushed with later seconds.
        case clockSetBack
        /// The store fails.
        case storeFails
    }

    /// Nil while pages may leave.
    package var wait: Wait?
    /// When the wait is over; nil if that is not known.
    package var until: Instant?
    /// The last time that the clock was set back; nil if that has not been seen.
    package var setBack: ClockSetBack?
    /// When the last card may be pushed whose last push carries a second ahead of the clock (R7); nil if none was met.
    package var cardsWaitUntil: Instant?

    package init() { wait = .starting }

    /// What it is at a moment: waits that are over are left out.
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
        /// What ages of moments ahead of the clock are counted from.
        var reference: ClockSetBack
    }

    private let state: Mutex<State>

    /// - Parameter now: when the process began.
    package init(at now: Instant) { state = Mutex(State(reference: ClockSetBack(before: now, after: now))) }

    package func status(at now: Instant) -> PushingStatus { state.withLock { $0.status.current(at: now) } }

    /// For how many seconds a moment has gone by, also if it lies ahead of a clock that was set back.
    package func age(of moment: Instant, at now: Instant) -> Double {
        state.withLock { $0.reference.age(of: moment, at: now) }
    }

    /// Nothing is pushed for a reason, until a moment if that is known; nil is that pushing goes on.
    package func note(_ wait: PushingStatus.Wait?, until moment: Instant? = nil) {
        state.withLock { ($0.status.wait, $0.status.until) = (wait, moment) }
    }

    package func note(_ setBack: ClockSetBack) {
        state.withLock { ($0.status.setBack, $0.reference) = (setBack, setBack) }
    }

    /// Cards were met that wait for a second ahead of the clock.
    ///
    /// - Returns: whether none were known to wait.
    package func noteCards(waitingUntil moment: Instant, at now: Instant) -> Bool {
        state.withLock { state in
            let known = state.status.current(at: now).cardsWaitUntil
            state.status.cardsWaitUntil = max(known ?? moment, moment)
            return known == nil
        }
    }
}
