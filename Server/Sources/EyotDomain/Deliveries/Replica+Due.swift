import APNSWire
import EyotContract

/// What there is to do for a replica now.
package enum Due: Sendable, Hashable {
    /// Nothing; where a moment is given, its time is over then.
    case nothing(until: Instant?)
    /// Its time is over: iOS has ended the card, or the start came to nothing.
    case expired
    /// Something, but not before this.
    case later(Instant)
    case push(Push)
    /// The start that was planned is not to be made any more.
    case abandonStart(StartFailure)
}

extension Replica {
    /// The newest state whose scope contains this replica, 0 for none.
    ///
    /// Later versions win, unless both say when they were true: then the later truth wins (R14).
    package func desiredState(in activity: Activity) -> Int {
        let common = activity.common(for: ordinal)
        if scoped > 0, common.state > 0, let own = scopedAsOf, let theirs = common.asOf, own != theirs {
            return own > theirs ? scoped : common.state
        }
        return max(common.state, scoped)
    }

    /// Whether it is to be ended: by a scope, for everyone, or since another card took its name.
    package func isEnding(in activity: Activity) -> Bool { ending != nil || activity.common(for: ordinal).end != nil }

    /// The newest declaration that concerns this replica: its end, where there is one, else its state.
    package func desired(in activity: Activity) -> Int { max(endVersion(in: activity), desiredState(in: activity)) }

    /// The declaration that ends it, 0 where it is ended without one.
    package func endVersion(in activity: Activity) -> Int {
        switch ending {
        case .declared(let version): version
        case .replaced, .otherPerson: 0
        case nil: activity.common(for: ordinal).end ?? 0
        }
    }

    /// The newest alert that this replica still has to be given, 0 for none (R4).
    package func owedAlert(in activity: Activity, at now: Instant, declaration: DeclarationLookup) rethrows -> Int {
        // The card that took the name hears it instead, and the next person hears nothing of the former one's.
        guard ending != .replaced, ending != .otherPerson else { return 0 }
        let newest = max(activity.common(for: ordinal).alert, scopedAlert)
        // What is declared after its end is for the cards that run.
        if case .declared(let end)? = ending, newest > end { return 0 }
        guard newest > alerted, let alert = try declaration(newest)?.content.alert, now < alert.expiresAt
        else { return 0 }
        return newest
    }

    /// What there is to do at this moment. The one place that decides what is sent to a phone.
    ///
    /// - Parameters:
    ///   - startToken: the device's token for the activity's type; only asked for where a start is planned.
    ///   - language: the phone's; only asked for where an alert has texts in several.
    package func due(
        in activity: Activity, at now: Instant, profile: TypeProfile, startToken: () throws -> StartToken?,
        osVersion: () throws -> OSVersion, language: () throws -> String? = { nil }, declaration: DeclarationLookup
    ) rethrows -> Due {
        if let expiresAt, expiresAt <= now { return .expired }
        let due: Due =
            switch phase {
            case .starting:
                try dueStart(
                    in: activity, at: now, profile: profile, startToken: startToken, osVersion: osVersion,
                    declaration: declaration)
            case .live: try dueUpdate(in: activity, at: now, profile: profile, declaration: declaration)
            case .ended: try dueFurtherEnd(in: activity, at: now, profile: profile, declaration: declaration)
            case .waitingForToken, .dismissed, .dead, .unlisted, .notStarted, .untracked:
                .nothing(until: expiresAt)
            }
        guard case .push(var push) = due, let alert = try push.alert(declaration), alert.isLocalized else { return due }
        push.localization = alert.localization(for: try language())
        return .push(push)
    }

    private func dueUpdate(
        in activity: Activity, at now: Instant, profile: TypeProfile, declaration: DeclarationLookup
    ) rethrows -> Due {
        let state = desiredState(in: activity)
        let alert = try owedAlert(in: activity, at: now, declaration: declaration)
        var push: Push
        if isEnding(in: activity) {
            let end = endVersion(in: activity)
            let isOthers = ending == .otherPerson
            push = Push(
                event: .end, version: end, stateVersion: isOthers ? 0 : state, alertVersion: alert,
                priority: try declaration(end)?.content.priority ?? .immediate)
            push.makesWay = isOthers || ending == .replaced
        } else {
            guard state > 0, state != accepted || alert > 0 else { return .nothing(until: expiresAt) }
            let content = try declaration(state)?.content
            let isPressing =
                alert > 0 || accepted == 0 || activity.common(for: ordinal).urgent > accepted
                || content?.isUrgent == true
            push = Push(
                event: .update, version: state, stateVersion: state, alertVersion: alert,
                priority: content?.priority ?? (isPressing ? .immediate : .considerate))
            push.isSpaced = !isPressing
        }
        if push.version > 0, push.version == blocked { return .nothing(until: expiresAt) }
        return timed(push, at: now, profile)
    }

    /// What an end for everyone changes on a card that has ended by an earlier one and may still be in view.
    private func dueFurtherEnd(
        in activity: Activity, at now: Instant, profile: TypeProfile, declaration: DeclarationLookup
    ) rethrows -> Due {
        guard isAwaitingFurtherEnd(in: activity, at: now) else { return .nothing(until: nil) }
        return try dueUpdate(in: activity, at: now, profile: profile, declaration: declaration)
    }

    /// Whether its card has ended, and a further end may still change what the card shows.
    package func isAwaitingFurtherEnd(in activity: Activity, at now: Instant) -> Bool {
        guard phase == .ended, token != nil, ending == nil, activity.endReplacedAt != nil,
            let end = activity.common(for: ordinal).end
        else { return false }
        return accepted < end && activity.hasCardsInView(at: now)
    }

    private func dueStart(
        in activity: Activity, at now: Instant, profile: TypeProfile, startToken: () throws -> StartToken?,
        osVersion: () throws -> OSVersion,
        declaration: DeclarationLookup
    ) rethrows -> Due {
        guard let lease, lease.state == .planned else { return .nothing(until: expiresAt) }
        if ending == .otherPerson { return .abandonStart(.otherPerson) }
        if isEnding(in: activity) { return .abandonStart(.overtakenByEnd) }
        // What is tried out starts the cards of the share; the others wait for it to go on.
        if lease.version != scoped, activity.withholds(lease.version, from: ordinal) {
            return .nothing(until: expiresAt)
        }
        // Nothing is owed to a card whose start was lost before its further start leaves.
        if let moment = plannedStart, now < moment { return isRestart ? .nothing(until: moment) : .later(moment) }
        guard let token = try startToken() else { return .abandonStart(.noStartToken) }
        // One that was only set aside may work when the app is resumed.
        if let death = token.death { return .abandonStart(death.isQuarantine ? .suspected : .noStartToken) }
        // The state of the start itself may be late: then the newest one goes with its attributes.
        let desired = desiredState(in: activity)
        let state = desired > 0 ? desired : lease.version
        let alert = try owedAlert(in: activity, at: now, declaration: declaration)
        var push = Push(
            event: .start, version: state, stateVersion: state, alertVersion: max(alert, lease.version),
            priority: try declaration(lease.version)?.content.priority ?? .immediate)
        push.attributesVersion = lease.version
        push.asksForToken = try osVersion() >= .inputPushToken
        return timed(push, at: now, profile)
    }

    /// A push whose content is right and whose time may not have come.
    private func timed(_ push: Push, at now: Instant, _ profile: TypeProfile) -> Due {
        if let retry, retry.isPausing(at: now), retry.version.map({ push.version <= $0 }) ?? true {
            return .later(retry.notBefore)
        }
        let spacing = isSparing ? profile.sparingSpacing ?? profile.spacing : profile.spacing
        let first = max(
            push.firstSecond(after: PushSecond.toFollow(lastSecond, at: now), spacing: spacing),
            PushSecond.toFollow(pageSecond, at: now) + 1)
        return now.second < first ? .later(Instant(second: first)) : .push(push)
    }
}
