import APNSWire
import EyotContract

/// The trials of an environment in which an app is paused. Their intervals grow.
package struct Trials: Sendable, Hashable {
    /// Seconds from a pause to the first trial.
    private static let firstInterval = 60.0
    /// The longest interval, in seconds.
    fileprivate static let longestInterval = 900.0
    /// Seconds after a trial in which a new pause counts as the same fault, so that the intervals go on growing.
    private static let memory = 3_600.0
    /// The most pushes of one trial.
    package static let pushes = 3

    /// Trials since the fault began.
    package private(set) var count: Int
    package private(set) var last: Instant

    package init(count: Int, last: Instant) {
        self.count = count
        self.last = last
    }

    fileprivate var next: Instant {
        last + min(Self.firstInterval * Double(1 << min(count, 16)), Self.longestInterval)
    }

    fileprivate func following(at now: Instant) -> Trials { Trials(count: count + 1, last: now) }

    /// Whether a pause that begins now is a new fault.
    fileprivate func isForgotten(at now: Instant) -> Bool { abs(now.seconds(since: last)) > Self.memory }
}

/// An environment of an app that is to be tried.
package struct Trial: Sendable, Hashable {
    package var app: AppID
    package var environment: PushEnvironment

    package init(of app: AppID, in environment: PushEnvironment) {
        self.app = app
        self.environment = environment
    }
}

extension App {
    /// Pauses the app in an environment.
    package mutating func pause(in environment: PushEnvironment, because reason: APNSReason, at now: Instant) {
        pauses[environment] = AppPause(reason: reason, since: now)
        let former = trials[environment].flatMap { $0.isForgotten(at: now) ? nil : $0 }
        trials[environment] = Trials(count: former?.count ?? 0, last: now)
    }

    /// When a paused environment is tried next; nil if it is not paused, or an operator has halted the app.
    package func nextTrial(in environment: PushEnvironment) -> Instant? {
        guard haltedAt == nil, let pause = pauses[environment] else { return nil }
        return trials[environment]?.next ?? pause.since
    }

    /// Whether a trial is due. A moment that is further ahead than any interval comes from a clock that was ahead, and
    /// counts as due.
    package func isTrialDue(in environment: PushEnvironment, at now: Instant) -> Bool {
        nextTrial(in: environment).map { $0 <= now || $0.seconds(since: now) > Trials.longestInterval } ?? false
    }

    package mutating func noteTrial(in environment: PushEnvironment, at now: Instant) {
        trials[environment] = (trials[environment] ?? Trials(count: 0, last: now)).following(at: now)
    }

    /// Whether a push to a token may be a trial. If tokens are refused, the answer for a token that never worked says
    /// nothing of the app.
    package func mayTry(_ replica: Replica, in environment: PushEnvironment) -> Bool {
        pauses[environment]?.reason.action != .suspectToken || replica.hasProvenToken
    }
}

extension Ledger {
    /// The environments of apps that are to be tried now.
    package func trials(at now: Instant) throws -> [Trial] {
        try pausedApps().flatMap { app in
            PushEnvironment.allCases.filter { app.isTrialDue(in: $0, at: now) }.map { Trial(of: app.id, in: $0) }
        }
    }
}
