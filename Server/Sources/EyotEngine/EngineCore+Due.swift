import EyotDomain
import EyotMetrics

/// What metrics know of the engine's work. Nothing here decides anything.
extension EngineCore {
    /// An activity that rests although replicas are behind, for example until the next try after a lost answer.
    struct RestingBehind {
        var app: AppID
        var since: Instant
        /// When it is due again.
        var until: Instant

        /// Whether it should have had a turn since. It was halted, or another hint is late.
        func isOver(at now: Instant) -> Bool { now.seconds(since: until) > EngineCore.shortRest }
    }

    /// Seconds up to which a rest counts as a wait of replicas that are behind. A longer one is planned.
    private static let shortRest = 60.0

    /// What each app has due: its activities with a turn, and since when a card of them can be behind.
    ///
    /// A turn begins when something becomes due. All cards of an activity had the newest state when a lap began, once
    /// that lap is over and has its verdicts. A short rest with replicas behind does not end the wait.
    package var due: [AppID: Meters.Due] {
        var due: [AppID: Meters.Due] = [:]
        func note(_ app: AppID, _ since: Instant) {
            let former = due[app]
            due[app] = Meters.Due(
                activities: (former?.activities ?? 0) + 1, since: min(former?.since ?? since, since))
        }
        for turn in turns.values { if let app = turn.app { note(app, turn.since) } }
        for rest in resting.values where !rest.isOver(at: now) { note(rest.app, rest.since) }
        return due
    }

    /// Since when a card of each activity can be behind, for activities that have something due.
    package var behind: [ActivityID: Instant] {
        let rests = resting.filter { !$0.value.isOver(at: now) }.mapValues(\.since)
        return rests.merging(turns.mapValues(\.since)) { min($0, $1) }
    }

    /// A turn for an activity that has none.
    mutating func newTurn(of id: ActivityID) -> Turn {
        guard let rest = resting.removeValue(forKey: id), !rest.isOver(at: now) else { return Turn(at: now) }
        return Turn(at: rest.since)
    }

    /// Notes that a look has found replicas that are behind and wait, and that it let the activity rest.
    mutating func noteWait(of id: ActivityID, until moment: Instant) {
        guard var turn = turns[id] else { return }
        (turn.hasWaitingReplicas, turn.later) = (true, Instant.soonest(turn.later, moment))
        turns[id] = turn
    }

    /// Notes that a turn has ended, if replicas stay behind for a short time.
    mutating func noteRest(of id: ActivityID, _ turn: Turn, in app: AppID) {
        guard turn.hasWaitingReplicas, let later = turn.later, later.seconds(since: now) < Self.shortRest
        else { return }
        if resting.count >= limits.turnsPerApp { resting = resting.filter { !$0.value.isOver(at: now) } }
        guard resting.count < limits.turnsPerApp else { return }
        resting[id] = RestingBehind(app: app, since: turn.since, until: later)
    }
}
