import APNSWire
import EyotContract

/// The work that is due for a replica.
package enum Due: Sendable, Hashable {
    /// No work. At the moment, if there is one, the replica's time is over.
    case nothing(until: Instant?)
    /// Its time is over: iOS has ended the card, or its start came to nothing.
    case expired
    /// There is work, but not before this moment.
    case later(Instant)
    case push(Push)
    /// The planned start is not to be made any more.
    case abandonStart(StartFailure)
}

/// Looks up what a push depends on beside its card and its activity, if the push needs it.
package struct PhoneLookup {
    /// Returns the device's token for the activity's type; only called if a start is planned.
    var startToken: () throws -> StartToken?
    /// Returns the phone's version of iOS; only called if a start is planned.
    var osVersion: () throws -> OSVersion
    /// Returns the phone's language; only called if an alert has texts in several languages.
    var language: () throws -> String?
    /// Returns whether a later card took the name on the phone; only called if an ended card would give an alert.
    var hasLaterCard: () throws -> Bool

    package init(
        startToken: @escaping () throws -> StartToken? = { nil },
        osVersion: @escaping () throws -> OSVersion = { .remoteStart },
        language: @escaping () throws -> String? = { nil },
        hasLaterCard: @escaping () throws -> Bool = { false }
    ) {
        self.startToken = startToken
        self.osVersion = osVersion
        self.language = language
        self.hasLaterCard = hasLaterCard
    }
}

extension Replica {
    /// The newest state that applies to this replica, 0 for none.
    package func desiredState(in activity: Activity) -> Int {
        common(in: activity).newestState(beside: scopedState, asOf: scopedAsOf)
    }

    /// Whether it is to be ended: by a scope, for everyone, because another card took its name, or because its phone
    /// has another user.
    package func isEnding(in activity: Activity) -> Bool { ending != nil || activity.common(for: ordinal).end != nil }

    /// The newest declaration that applies to this replica: its end or its state, whichever has the higher version.
    package func desired(in activity: Activity) -> Int { max(endVersion(in: activity), desiredState(in: activity)) }

    /// The declaration that ends it; 0 if it is not ended, or ended without a declaration.
    package func endVersion(in activity: Activity) -> Int {
        switch ending {
        case .declared(let version):
            // A further end with a scope gives way to a later one for everyone. The end of a card that was ended alone
            // does not.
            activity.firstEnd.map { version > $0 } == true
                ? max(version, activity.common(for: ordinal).end ?? 0) : version
        case .replaced, .otherPerson: 0
        case nil: activity.common(for: ordinal).end ?? 0
        }
    }

    /// The newest alert that this replica still has to give, 0 for none (R4).
    package func owedAlert(in activity: Activity, at now: Instant, declaration: DeclarationLookup) rethrows -> Int {
        // The card that took the name gives the alert instead. The phone's next user hears no alert of the former user.
        guard ending != .replaced, ending != .otherPerson else { return 0 }
        let newest = max(activity.common(for: ordinal).alert, scopedAlert)
        // An alert declared after its end is for the cards that run.
        if case .declared(let end)? = ending, newest > end { return 0 }
        guard newest > alertedVersion, let alert = try declaration(newest)?.content.alert, now < alert.expiresAt
        else { return 0 }
        return newest
    }

    /// Decides what is due at this moment. It is the only place that decides what is sent to a phone.
    ///
    package func due(
        in activity: Activity, at now: Instant, profile: TypeProfile, phone: PhoneLookup = PhoneLookup(),
        declaration: DeclarationLookup
    ) throws -> Due {
        if let expiresAt, expiresAt <= now { return .expired }
        let due: Due =
            switch phase {
            case .starting:
                try dueStart(in: activity, at: now, profile: profile, phone: phone, declaration: declaration)
            case .live: try dueUpdate(in: activity, at: now, profile: profile, declaration: declaration)
            case .ended: try dueFurtherEnd(in: activity, at: now, profile: profile, declaration: declaration)
            case .waitingForToken, .dismissed, .dead, .unlisted, .notStarted, .untracked:
                .nothing(until: expiresAt)
            }
        guard case .push(var push) = due else { return due }
        // The later card gives the alert (R4).
        if phase == .ended, push.alertVersion > 0, try phone.hasLaterCard() {
            push.alertVersion = 0
            return .push(push)
        }
        guard let alert = try push.alert(declaration), alert.isLocalized else { return due }
        push.localization = alert.localization(for: try phone.language())
        return .push(push)
    }

    /// Whether it is behind and no push reaches it, because its channel is lost (R1).
    package func isCutOff(in activity: Activity) -> Bool {
        hasLostChannel && phase == .waitingForToken && ending != .replaced
            && (acceptedVersion < desired(in: activity) || ending == .otherPerson)
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
            push.leavesAtOnce = isOthers || ending == .replaced
        } else {
            guard state > 0, state != acceptedVersion || alert > 0 else { return .nothing(until: expiresAt) }
            let content = try declaration(state)?.content
            let isPressing =
                alert > 0 || acceptedVersion == 0 || activity.common(for: ordinal).urgent > acceptedVersion
                || content?.isUrgent == true
            push = Push(
                event: .update, version: state, stateVersion: state, alertVersion: alert,
                priority: content?.priority ?? (isPressing ? .immediate : .considerate))
            push.isSpaced = !isPressing
        }
        if push.version > 0, push.version == blockedVersion { return .nothing(until: expiresAt) }
        return timed(push, at: now, profile)
    }

    /// Decides what a further end changes on a card that an earlier end has ended.
    private func dueFurtherEnd(
        in activity: Activity, at now: Instant, profile: TypeProfile, declaration: DeclarationLookup
    ) rethrows -> Due {
        guard isAwaitingFurtherEnd(in: activity, at: now) else { return .nothing(until: nil) }
        return try dueUpdate(in: activity, at: now, profile: profile, declaration: declaration)
    }

    /// Whether its card has ended, may still be in view, and has not got the newest end.
    package func isAwaitingFurtherEnd(in activity: Activity, at now: Instant) -> Bool {
        guard activity.firstEnd != nil, mayTakeFurtherEnd(in: activity, at: now) else { return false }
        return acceptedVersion < endVersion(in: activity)
    }

    /// Whether its card has ended and may still be in view, so that a further end can change or remove it.
    package func mayTakeFurtherEnd(in activity: Activity, at now: Instant) -> Bool {
        guard phase == .ended, token != nil, ending != .replaced, ending != .otherPerson else { return false }
        return activity.hasCardsInView(at: now)
    }

    private func dueStart(
        in activity: Activity, at now: Instant, profile: TypeProfile, phone: PhoneLookup,
        declaration: DeclarationLookup
    ) throws -> Due {
        guard let lease, lease.state == .planned else { return .nothing(until: expiresAt) }
        if ending == .otherPerson { return .abandonStart(.otherPerson) }
        if isEnding(in: activity) { return .abandonStart(.overtakenByEnd) }
        // A canary's start starts the cards of the share. The others wait until it goes on to everyone.
        if lease.version != scopedState, activity.withholds(lease.version, from: ordinal) {
            return .nothing(until: expiresAt)
        }
        // A replica with a lost start is not behind before its further start leaves.
        if let moment = plannedStart, now < moment { return isRestart ? .nothing(until: moment) : .later(moment) }
        guard let token = try phone.startToken() else { return .abandonStart(.noStartToken) }
        // A token that was only set aside may work when the app is resumed.
        if let death = token.death { return .abandonStart(death.isQuarantine ? .suspected : .noStartToken) }
        // The state of the start itself may be superseded. The newest state then goes with the start's attributes.
        let desired = desiredState(in: activity)
        let state = desired > 0 ? desired : lease.version
        let alert = try owedAlert(in: activity, at: now, declaration: declaration)
        var push = Push(
            event: .start, version: state, stateVersion: state, alertVersion: max(alert, lease.version),
            priority: try declaration(lease.version)?.content.priority ?? .immediate)
        push.attributesVersion = lease.version
        push.asksForToken = try phone.osVersion() >= .inputPushToken
        return timed(push, at: now, profile)
    }

    /// Delays a push until the pause, the spacing and the last second are over.
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
