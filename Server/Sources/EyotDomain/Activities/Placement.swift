import EyotContract

/// The place of a card that a phone reports.
package enum Placement: Sendable, Hashable {
    /// The phone has reported the card before.
    case known(Replica)
    /// A remote start led to the card. It takes the place that the lease reserved.
    case started(Replica)
    /// A new replica of this generation.
    case joins(ActivityID)
    /// It opens its name.
    case opens

    /// Finds the place from what is known of the name on this device.
    ///
    /// Starts of two generations may be under way for one phone, and both of their cards may be reported, in either
    /// order. Nothing in the report says which start a card came from. The newest generation has the first choice: its
    /// start takes the card that is reported first. The second card joins that generation too and replaces the first,
    /// because the SDK also keeps the card of a name that it saw last. One card stays, with the newest state. A card
    /// that took the older start's place would be ended with it, while the SDK ends the other one.
    ///
    /// - Parameters:
    ///   - newest: the newest generation of the name; nil if there is none.
    ///   - replicas: the device's replicas of every generation of the name, newest generation first.
    package static func of(
        _ card: Card, newest: Activity?, replicas: [Replica], at now: Instant
    ) -> Placement {
        if let known = replicas.first(where: { $0.instance == card.instance }) { return .known(known) }
        let outstanding = replicas.filter { replica in
            guard replica.phase == .starting, let lease = replica.lease else { return false }
            // A start that has not left cannot have led to the card. In the newest generation the card takes its place
            // all the same, which spares the phone a second card. A planned start of an older generation will not leave
            // any more.
            return lease.isOutstanding(at: now) && (lease.state != .planned || replica.activity == newest?.id)
        }
        let own = replicas.filter { $0.activity == newest?.id }
        if var kept = outstanding.first(where: { $0.activity == newest?.id }) {
            // With several outstanding starts the card may show the state of another one, so it is sent its own state.
            if outstanding.count > 1 { kept.acceptedVersion = 0 }
            return .started(kept)
        }
        // The start counted as lost, but its card appeared (R8).
        let isLost = { (one: Replica) in one.hasLostStart || one.phase == .starting && one.lease?.state != .planned }
        if var lost = own.last(where: { isLost($0) && !$0.endsForOther }) {
            lost.acceptedVersion = 0
            return .started(lost)
        }
        if let older = outstanding.first, newest?.isEnded != false || !own.contains(where: \.mayHaveOlderCard) {
            return .started(older)
        }
        guard let newest else { return .opens }
        // An end is a state like any other: a card that appears after it joins and is ended. Only a backend's start
        // opens a new generation.
        return .joins(newest.id)
    }
}

extension Replica {
    /// Records that its card runs, with or without a token.
    package mutating func appear(_ instance: String, at now: Instant) {
        let isStarting = phase == .starting || hasLostStart
        let isFirst = appearedAt == nil || self.instance == nil
        self.instance = instance
        // The card may have begun in this second, by its app or by another generation's start. Its next push has to be
        // later, even if nothing is declared for it yet (R7).
        if isFirst { lastSecond = max(lastSecond, now.second) }
        appearedAt = appearedAt ?? now
        guard isStarting else { return }
        // An accepted start shows its state. If the outcome of the start is unknown, the state is sent again.
        if lease?.state != .accepted { acceptedVersion = 0 }
        // The start has arrived, and its alert with it (R4).
        alertedVersion = max(alertedVersion, lease?.alerted ?? 0)
        if lease?.cancellation == .otherPerson { ending = .otherPerson }
        lease = nil
        phase = .waitingForToken
    }

    /// Seconds within which the cards of one report appear.
    private static let longestReport = 0.01

    /// Raises the last second and the alerts given to those of `other`. The card may have been started by the other
    /// replica's lease, or may have had its place before. Its next push needs a later second, even if the clock was set
    /// back (R7).
    package mutating func follow(_ other: Replica, at now: Instant) {
        lastSecond = max(lastSecond, other.newestSecond)
        // An alert of another card of the activity has sounded on this phone, and either of two starts may have led to
        // this card (R4).
        if other.activity == activity {
            alertedVersion = max(alertedVersion, other.alertedVersion, other.lease?.alerted ?? 0)
        }
        // Cards that one report names first appear one after the other.
        if let theirs = other.appearedAt, now <= theirs, theirs < now + Self.longestReport {
            appearedAt = max(appearedAt ?? now, theirs + 0.000_001)
        }
        // The outcome of the other start is not known yet. It left within the start lead.
        if let sentAt = other.lease?.sentAt, now < sentAt {
            lastSecond = max(lastSecond, (sentAt + Channel.startLead).second)
        }
    }

    /// Sets the token for the card's updates. Setting the same token again changes nothing while it works.
    ///
    /// The card is owed the alerts since its place was reserved, not since it had a token (R4). An alert that was
    /// declared before the token arrived is still given.
    ///
    /// - Returns: whether anything changed.
    package mutating func set(_ new: PushToken, environment: PushEnvironment, at now: Instant) -> Bool {
        switch phase {
        case .dismissed: return false
        case .live, .ended:
            if token?.token == new { return reopen() }
        case .waitingForToken, .dead, .unlisted, .untracked, .starting, .notStarted: break
        }
        token = UpdateToken(
            token: new, environment: environment, version: (token?.version ?? 0) + 1, setAt: now,
            provenAbove: acceptedVersion)
        retry = nil
        isPardoned = false
        removal = nil
        phase = .live
        return true
    }

    /// Marks a card that counted as ended or unlisted as running again. If Apple accepted its end, the phone never got
    /// that end, and the card is ended again.
    ///
    /// - Returns: whether anything changed.
    package mutating func reopen() -> Bool {
        guard phase == .ended || phase == .unlisted else { return false }
        removal = nil
        phase = token == nil ? .waitingForToken : .live
        return true
    }

    /// Gives the name up to another card of the same phone. This card is ended.
    ///
    /// - Returns: whether anything changed.
    package mutating func supersede() -> Bool {
        guard phase == .live || phase == .waitingForToken, ending == nil else { return false }
        ending = .replaced
        return true
    }

    /// Whether its card may have come from the start of an older generation. A place that was ended by itself passes
    /// its end on to no other card.
    fileprivate var mayHaveOlderCard: Bool { instance != nil && (ending == nil || ending == .replaced) }

    /// Whether this card took the name on their phone after `other`, and still has it.
    package func replaces(_ other: Replica) -> Bool {
        guard activity == other.activity, instance != nil, ending == nil else { return false }
        switch phase {
        case .live, .waitingForToken, .dead, .unlisted, .untracked:
            return tookName(after: other)
        case .starting, .ended, .dismissed, .notStarted: return false
        }
    }

    /// Whether its card took the name after the card of `other`, on the same phone.
    package func tookName(after other: Replica) -> Bool {
        (appearedAt ?? createdAt, ordinal) > (other.appearedAt ?? other.createdAt, other.ordinal)
    }

    /// Copies the scoped state and alert of the card that it replaces, and what its build cannot decode, if they are
    /// newer.
    package mutating func inherit(from former: Replica) {
        guard former.ending == nil || former.ending == .replaced else { return }
        if former.keeping?.until ?? 0 > keeping?.until ?? 0 { keeping = former.keeping }
        guard former.scopedState > scopedState else { return }
        scopedState = former.scopedState
        scopedAsOf = former.scopedAsOf
        scopedAlert = former.scopedAlert
    }

    /// The cards that took its name over, one from the other. The chain stops at a card that was not replaced, because
    /// it has left nothing to the next one.
    ///
    /// - Parameter others: the device's replicas of the same activity.
    package func heirs(among others: [Replica]) -> [Replica] {
        var heirs: [Replica] = []
        var last = self
        let later = others.filter { $0.appearedAt != nil && $0.tookName(after: self) }
        for next in later.sorted(by: { $1.tookName(after: $0) }) {
            guard last.ending == .replaced else { break }
            heirs.append(next)
            last = next
        }
        return heirs
    }

    /// Records that its phone does not list the card any more. The card went while the app did not run, or the list
    /// came too early, so a later report may correct it (R8). If its time was not over, a person may have removed it
    /// (R13). The list speaks for cards with a dead token and for those that the app no longer follows, too.
    ///
    /// - Returns: whether anything changed.
    package mutating func unlist(in activity: Activity, at now: Instant, activitiesAreOff: Bool = false) -> Bool {
        switch phase {
        case .live, .waitingForToken, .untracked: break
        // The phone would set a token anew if the card ran after all.
        case .dead: token = nil
        case .starting, .ended, .dismissed, .unlisted, .notStarted: return false
        }
        if isEnding(in: activity) {
            (phase, removal) = (.ended, nil)
        } else if (appearedAt ?? createdAt) + Self.cardLifetime <= now {
            (phase, removal) = (.ended, .time)
        } else {
            (phase, removal) = activitiesAreOff ? (.ended, .activitiesOff) : (.unlisted, nil)
        }
        return true
    }

    /// Applies an event of the card that its phone reports.
    ///
    /// - Parameter cause: what took the card away, if the event is its end; nil for a swipe, and if it is not known.
    /// - Returns: whether anything changed.
    package mutating func report(_ event: CardEvent, by cause: Removal? = nil) -> Bool {
        let former = phase
        defer { if phase != former { removal = cause } }
        switch (event, phase) {
        case (.dismissed, .dismissed), (_, .dismissed): return false
        case (.dismissed, _):
            phase = .dismissed
        case (.ended, .dead):
            // Without this, a further end would go to a token that Apple has called dead (R8).
            (phase, token) = (.ended, nil)
        case (.ended, .live), (.ended, .waitingForToken), (.ended, .untracked), (.ended, .unlisted):
            phase = .ended
        case (.contentApplied, .live), (.contentApplied, .waitingForToken):
            // The announced change was an update.
            removal = nil
            return false
        case (.locallyChanged, .live), (.locallyChanged, .waitingForToken):
            removal = .app
            guard locallyChanged != acceptedVersion else { return false }
            locallyChanged = acceptedVersion
        case (.started, _), (.contentApplied, _), (.locallyChanged, _), (.stale, _), (.tapped, _), (.ended, _),
            (.vanished, _):
            return false
        }
        return true
    }

    /// Whether the app has changed the card by itself, and nothing has been declared for it since. Such a card is not
    /// updated.
    package func isLocallyChanged(in activity: Activity) -> Bool {
        locallyChanged == acceptedVersion && desiredState(in: activity) == acceptedVersion
    }

    /// Records that the app no longer follows the card. The card keeps running.
    package mutating func stopTracking() {
        guard phase == .live || phase == .waitingForToken else { return }
        phase = .untracked
        token = nil
    }
}

// MARK: - Starts

extension Replica {
    /// Cancels its start because the person dismissed a card of the name (R13). A start that has not left is not made,
    /// and one that may have left is not sent again. A start that a caller wants although a person has removed a card
    /// stays, also if the phone tells of the removal later.
    ///
    /// - Returns: whether there is such a start.
    package mutating func cancelStart(for dismissed: Replica) -> Bool {
        if origin == .despiteDismissal, dismissed.ordinal < ordinal { return false }
        guard phase == .starting, let state = lease?.state, state != .accepted else { return false }
        if state == .planned {
            (phase, lease, retry) = (.notStarted(.dismissed), nil, nil)
        } else if lease?.cancellation == nil {
            lease?.cancellation = .dismissed
        }
        return true
    }

    /// Cancels its start, or ends its card, because it was for another user than the phone's (R12). A start that has
    /// not left is not made, and one that may have left is not sent again.
    ///
    /// - Returns: whether anything is left to cancel or to end.
    package mutating func cancelForOtherPerson() -> Bool {
        switch (phase, lease?.state) {
        case (.starting, .planned), (.notStarted(.suspected), _):
            (phase, lease, retry) = (.notStarted(.otherPerson), nil, nil)
        // The card may still appear, and is then ended.
        case (.starting, _): lease?.cancellation = .otherPerson
        case (.notStarted(let failure), _) where failure.isLostStart: break
        case (.live, _), (.waitingForToken, _), (.dead, _), (.untracked, _), (.unlisted, _): break
        case (.ended, _), (.dismissed, _), (.notStarted, _): return false
        }
        if phase != .notStarted(.otherPerson) { ending = .otherPerson }
        return true
    }

    /// Drops the scoped state and alert that were declared for the phone's former user (R12).
    ///
    /// - Parameter version: the newest declaration when the user changed.
    /// - Returns: whether anything changed.
    package mutating func close(upTo version: Version) -> Bool {
        guard closedVersion < version else { return false }
        closedVersion = version
        (scopedState, scopedAsOf, scopedAlert) = (0, nil, 0)
        return true
    }

    /// Whether it ends because its phone has another user.
    package var endsForOther: Bool { ending == .otherPerson || lease?.cancellation == .otherPerson }

    /// Gives its place up to another start. Its own start neither leaves nor is waited for any more.
    ///
    /// - Returns: whether the start was still planned, outstanding or suspected.
    package mutating func yieldName(at now: Instant) -> Bool {
        switch phase {
        case .starting: phase = .notStarted(isPlanned(after: now) ? .replanned : .givenUp)
        case .notStarted(.suspected): phase = .notStarted(.refused)
        default: return false
        }
        lease = nil
        return true
    }

    /// Gives up a start that has not left, because its phone has the card.
    ///
    /// - Returns: whether it was such a start.
    package mutating func yieldToCard() -> Bool {
        guard phase == .starting, let lease, lease.state == .planned, lease.cancellation == nil else { return false }
        (phase, self.lease, retry) = (.notStarted(.alreadyActive), nil, nil)
        return true
    }

    /// Whether the phone has said that its card runs, and nothing since.
    package var isInView: Bool { phase == .live || phase == .waitingForToken }

    /// Closes its start because a newer generation of the name took the card. The start neither counts as lost nor is
    /// waited for any more.
    ///
    /// - Returns: whether anything changed.
    package mutating func abandonLostStart() -> Bool {
        guard hasLostStart || isRefutedByList else { return false }
        (phase, lease, retry) = (.notStarted(.givenUp), nil, nil)
        return true
    }

    /// Keeps its start from being cancelled, because a caller wants a card although the person removed one. If it was
    /// cancelled, it may go again if it has not left.
    ///
    /// - Returns: whether anything changed.
    package mutating func reinstateStart() -> Bool {
        let former = self
        guard phase == .starting else { return false }
        if lease?.cancellation == .dismissed { lease?.cancellation = nil }
        if origin == .asked { origin = .despiteDismissal }
        return self != former
    }

    /// Returns the reason why a device may not get a card of this generation; nil if it may.
    ///
    /// - Parameters:
    ///   - existing: the device's replicas of this generation.
    ///   - wish: what the caller asks for.
    package static func startFailure(
        for candidate: StartCandidate, existing: [Replica], wish: StartWish, at now: Instant
    ) -> StartFailure? {
        for replica in existing {
            switch replica.phase {
            case .live, .waitingForToken, .untracked:
                // iOS has ended the card, though the phone has not said so.
                if let end = replica.expiresAt, end <= now { continue }
                if replica.ending == nil, !replica.hasLostChannel { return .alreadyActive }
            case .starting:
                if replica.isPlanned(after: now), replica.startsAt != wish.startsAt { continue }
                guard let lease = replica.lease, lease.isOutstanding(at: now), !wish.isForced, !replica.endsForOther
                else { continue }
                return lease.state == .unknown ? .startUnknown : .alreadyActive
            case .dismissed:
                if !wish.restartsDismissed { return .dismissed }
            case .dead(let death) where death.isQuarantine && death.reason.action == .suspectToken:
                // The card may well be there. It is reached again when the quarantine is lifted.
                if !wish.restartsDismissed { return .suspected }
            case .dead, .unlisted:
                if !wish.restartsDismissed { return .cardGone }
            case .notStarted:
                if !wish.isForced, !wish.ignoresSilence, replica.mayRunUnheard(at: now) { return .startUnknown }
            case .ended: continue
            }
        }
        return candidate.failure
    }
}
