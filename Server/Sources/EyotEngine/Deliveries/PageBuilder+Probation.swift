import APNSWire
import EyotContract
import EyotDomain

/// Pushes to tokens that Apple has not accepted yet, which leave only while their lane has room (R8).
extension PageBuilder {
    /// Holds a replica back if its token is unproven and the lane of its environment has no room.
    ///
    /// - Returns: Whether it waits.
    mutating func waitsForLane(_ replica: Replica, for push: Push, in environment: PushEnvironment?) throws -> Bool {
        guard let environment, replica.isUnproven, !hasLaneRoom(for: replica.ordinal, in: environment) else {
            return false
        }
        if push.event == .start, try ledger.isStartTokenProven(of: replica) { return false }
        holdBack(until: nextPlace(for: replica.ordinal, in: environment))
        return true
    }

    /// Whether the lane has room for a push to a card, beside some that were not added yet.
    func hasLaneRoom(for ordinal: Int, in environment: PushEnvironment, beside others: Int = 0) -> Bool {
        probation[Trial(of: app.id, in: environment)].admits(ordinal, of: activity.id, beside: others, at: now)
    }

    /// When another push that finds no room may look again. Each call counts as a push that waits.
    mutating func nextPlace(for ordinal: Int, in environment: PushEnvironment) -> Instant {
        let place = Trial(of: app.id, in: environment)
        let lane = probation[place]
        // Most members stand in a block that has been met.
        if waitingBlocks[place]?.contains(ProbationBlock(of: ordinal, in: activity.id)) != true {
            waitingBlocks[place, default: .init()].insert(lane.waiting(ordinal, of: activity.id, at: now))
        }
        defer { waitingForLane += 1 }
        return lane.moment(behind: waitingForLane, at: now)
    }

    /// Takes places for pushes that were added.
    mutating func takePlaces(_ count: Int, in environment: PushEnvironment) {
        guard count > 0 else { return }
        let now = now
        probation.change(Trial(of: app.id, in: environment), at: now) { $0.take(count, at: now) }
    }
}

extension Ledger {
    /// Whether Apple took an earlier start by the same token: a start on this phone that was accepted after the token
    /// was set.
    func isStartTokenProven(of planned: Replica) throws -> Bool {
        guard let type = try activity(planned.activity)?.type,
            let token = try startToken(of: planned.device, type: type)
        else { return false }
        var isProven = false
        try forEachReplica(of: planned.device) { other in
            guard !isProven, let startsAt = other.startsAt, startsAt > token.setAt, other.acceptedVersion > 0 else {
                return
            }
            isProven = try activity(other.activity)?.type == type
        }
        return isProven
    }
}
