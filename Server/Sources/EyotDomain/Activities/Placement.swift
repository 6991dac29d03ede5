import EyotContract

/// Where a card that a phone speaks of belongs.
package enum Placement: Sendable, Hashable {
    /// The phone has spoken of it before.
    case known(Replica)
    /// It is what a remote start led to: it takes the place that the lease kept.
    case started(Replica)
    /// A new replica of this generation.
    case joins(ActivityID)
    /// The first of its name.
    case opens

    /// Decides by what is known of the name on this device.
    ///
    /// A lease of the newest generation goes first: should a start of an older one still lead to a card, that card is the
    /// second under its name and is sorted out by ``Replica/supersede()``. The other way round a lost start would cost a
    /// running card its life.
    ///
    /// - Parameters:
    ///   - newest: the newest generation of the name, nil where there is none.
    ///   - replicas: the device's replicas of every generation of the name, newest generation first.
    package static func of(
        _ card: Card, newest: Activity?, replicas: [Replica], at now: Instant
    ) -> Placement {
        if let known = replicas.first(where: { $0.instance == card.instance }) { return .known(known) }
        let outstanding = replicas.filter { replica in
            guard replica.phase == .starting, let lease = replica.lease else { return false }
            // A card cannot be what a start led to that has not left. It is taken for that to spare the phone a second one; an
            // older generation's will not leave any more.
            return lease.isOutstanding(at: now) && (lease.state != .planned || replica.activity == newest?.id)
        }
        if var kept = outstanding.first {
            // With several starts out it may show the state of another one, so it is told its own in any case.
            if outstanding.count > 1 { kept.accepted = 0 }
            return .started(kept)
        }
        // The start counted as lost, and its card is there all the same (R8).
        let isLost = { (one: Replica) in one.hasLostStart || one.phase == .starting && one.lease?.state != .planned }
        if var lost = replicas.last(where: { isLost($0) && $0.activity == newest?.id && !$0.endsForOther }) {
            lost.accepted = 0
            return .started(lost)
        }
        guard let newest else { return .opens }
        // An end is a state like any other: what appears after it is ended too. Only a backend's start opens anew.
        return .joins(newest.id)
    }
}

extension Replica {
    /// Takes the card in: it runs, with or without a token.
    package mutating func appear(_ instance: String, at now: Instant) {
        let isStarting = phase == .starting || hasLostStart
        let isFirst = appearedAt == nil || self.instance == nil
        self.instance = instance
        // It may have begun in this very second, by its app or by another generation's start: what is pushed next has to be later,
        // though nothing may be declared for it yet (R7).
        if isFirst { lastSecond = max(lastSecond, now.second) }
        appearedAt = appearedAt ?? now
        guard isStarting else { return }
        // A state that went out with a start shows; when the start's fate is unknown it is sent again.
        if lease?.state != .accepted { accepted = 0 }
        // The start has arrived, and its alert with it (R4).
        alerted = max(alerted, lease?.alerted ?? 0)
        if lease?.cancellation == .otherPerson { ending = .otherPerson }
        lease = nil
        phase = .waitingForToken
    }

    /// Seconds within which the cards of one report appear.
    private static let longestReport = 0.01

    /// Takes in that its card may be what another place's start led to, or had that place before: pushes for that one have seconds which
    /// the next one has to follow, and the clock may have been set back since (R7).
    package mutating func follow(_ other: Replica, at now: Instant) {
        lastSecond = max(lastSecond, other.newestSecond)
        // What was given to another card of the activity has sounded on this phone. Either of two starts may have led
        // to this card (R4).
        if other.activity == activity { alerted = max(alerted, other.alerted, other.lease?.alerted ?? 0) }
        // Cards that one report is the first to name appear one after the other.
        if let theirs = other.appearedAt, now <= theirs, theirs < now + Self.longestReport {
            appearedAt = max(appearedAt ?? now, theirs + 0.000_001)
        }
        // Where nobody has heard of its start yet: it left within this time.
        if let sentAt = other.lease?.sentAt, now < sentAt {
            lastSecond = max(lastSecond, (sentAt + Channel.startLead).second)
        }
    }

    /// Sets the token by which the card is updated from now on. Setting the same one again changes nothing while it works.
    ///
    /// The card's claim to alerts is as old as its place, not as its token (R4): one that was declared while the token was on
    /// its way is still given.
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
            provenAbove: accepted)
        retry = nil
        isPardoned = false
        phase = .live
        return true
    }

    /// Takes in that the card runs, though it counted as ended: Apple took the end, and the phone never got it. It is ended
    /// again, then.
    ///
    /// - Returns: whether anything changed.
    package mutating func reopen() -> Bool {
        guard phase == .ended || phase == .unlisted else { return false }
        phase = token == nil ? .waitingForToken : .live
        return true
    }

    /// Gives the name up to another card of the same phone.
    ///
    /// - Returns: whether anything changed.
    package mutating func supersede() -> Bool {
        guard phase == .live || phase == .waitingForToken, ending == nil else { return false }
        ending = .replaced
        return true
    }

    /// Whether this card took the name on their phone after the other one had it, and still has it.
    package func replaces(_ other: Replica) -> Bool {
        guard activity == other.activity, instance != nil, ending == nil else { return false }
        switch phase {
        case .live, .waitingForToken, .dead, .unlisted, .untracked:
            return (appearedAt ?? createdAt, ordinal) > (other.appearedAt ?? other.createdAt, other.ordinal)
        case .starting, .ended, .dismissed, .notStarted: return false
        }
    }

    /// Takes over what concerned the card that it replaces.
    package mutating func inherit(from former: Replica) {
        guard former.ending == nil || former.ending == .replaced, former.scoped > scoped else { return }
        scoped = former.scoped
        scopedAsOf = former.scopedAsOf
        scopedAlert = former.scopedAlert
    }

    /// The cards that took its name over, one from the other. One that was over when the next one came has left it nothing.
    ///
    /// - Parameter others: the device's replicas of the same activity.
    package func heirs(among others: [Replica]) -> [Replica] {
        let place = { (one: Replica) in (one.appearedAt ?? one.createdAt, one.ordinal) }
        var heirs: [Replica] = []
        var last = self
        for next in others.filter({ $0.appearedAt != nil && place($0) > place(self) }).sorted(by: {
            place($0) < place($1)
        }) {
            guard last.ending == .replaced else { break }
            heirs.append(next)
            last = next
        }
        return heirs
    }

    /// What happened to a card that the phone speaks of. Where it ended and was gone in one moment, that was our doing if we
    /// were about to end it. Else it counts as a person's: a card that somebody removed must not come back (R13).
    ///
    /// - Parameter makesWayNow: whether the report that says so is also the first to speak of the card that took its name. No
    ///   end of ours can have come from that.
    package func meaning(of event: CardEvent, in activity: Activity, makesWayNow: Bool) -> CardEvent {
        guard event == .vanished else { return event }
        var before = self
        if makesWayNow { before.ending = nil }
        return before.isEnding(in: activity) ? .ended : .dismissed
    }

    /// Takes in that its phone does not list the card any more. It went while the app did not run, or the list came too early:
    /// a later report may correct that (R8). Unless its time was over a person may have removed it (R13).
    ///
    /// - Returns: whether anything changed.
    package mutating func unlist(in activity: Activity, at now: Instant) -> Bool {
        guard phase == .live || phase == .waitingForToken else { return false }
        let isOver = expiresAt.map { $0 <= now } ?? false
        phase = isOver || isEnding(in: activity) ? .ended : .unlisted
        return true
    }

    /// Takes in what the phone says happened to the card.
    ///
    /// - Returns: whether anything changed.
    package mutating func report(_ event: CardEvent) -> Bool {
        switch (event, phase) {
        case (.dismissed, .dismissed), (_, .dismissed): return false
        case (.dismissed, _):
            phase = .dismissed
        case (.ended, .dead):
            // A further end would go to a token of which Apple has said that it is dead (R8).
            (phase, token) = (.ended, nil)
        case (.ended, .live), (.ended, .waitingForToken), (.ended, .untracked), (.ended, .unlisted):
            phase = .ended
        case (.locallyChanged, .live), (.locallyChanged, .waitingForToken):
            guard locallyChanged != accepted else { return false }
            locallyChanged = accepted
        case (.started, _), (.contentApplied, _), (.locallyChanged, _), (.stale, _), (.tapped, _), (.ended, _),
            (.vanished, _):
            return false
        }
        return true
    }

    /// Whether the app has changed the card by itself, and nothing was declared for it since. It is left alone, then.
    package func isLocallyChanged(in activity: Activity) -> Bool {
        locallyChanged == accepted && desiredState(in: activity) == accepted
    }

    /// The app no longer follows the card. It keeps running.
    package mutating func stopTracking() {
        guard phase == .live || phase == .waitingForToken else { return }
        phase = .untracked
        token = nil
    }
}

// MARK: - Starts

extension Replica {
    /// Takes in that the person dismissed a card of the name (R13): a start that has not left is not made, and one that may have left does
    /// not go again.
    ///
    /// - Returns: whether there is such a start.
    package mutating func cancelStart() -> Bool {
        guard phase == .starting, let state = lease?.state, state != .accepted else { return false }
        if state == .planned {
            (phase, lease, retry) = (.notStarted(.dismissed), nil, nil)
        } else if lease?.cancellation == nil {
            lease?.cancellation = .dismissed
        }
        return true
    }

    /// Takes in that its start was for another person than the phone's (R12): one that has not left is not made, and one that may have left
    /// does not go again.
    ///
    /// - Returns: whether there is such a start.
    package mutating func cancelForOtherPerson() -> Bool {
        switch (phase, lease?.state) {
        case (.starting, .planned), (.notStarted(.suspected), _):
            (phase, lease, retry) = (.notStarted(.otherPerson), nil, nil)
        // Its card may still appear, and is ended then.
        case (.starting, _): lease?.cancellation = .otherPerson
        case (.notStarted(let failure), _) where failure.isLostStart: break
        case (.live, _), (.waitingForToken, _), (.dead, _), (.untracked, _), (.unlisted, _): break
        case (.ended, _), (.dismissed, _), (.notStarted, _): return false
        }
        if phase != .notStarted(.otherPerson) { ending = .otherPerson }
        return true
    }

    /// Takes in that what was declared for the phone's former user alone is not for the next one (R12).
    ///
    /// - Parameter version: the newest declaration by then.
    /// - Returns: whether anything changed.
    package mutating func close(upTo version: Int) -> Bool {
        guard closedVersion < version else { return false }
        closedVersion = version
        (scoped, scopedAsOf, scopedAlert) = (0, nil, 0)
        return true
    }

    /// Whether its phone has become another person's.
    package var endsForOther: Bool { ending == .otherPerson || lease?.cancellation == .otherPerson }

    /// Takes in that another start takes the place of this one, which neither leaves nor is waited for any more.
    ///
    /// - Returns: whether it was still to be reckoned with.
    package mutating func giveWay(at now: Instant) -> Bool {
        switch phase {
        case .starting: phase = .notStarted(isPlanned(after: now) ? .replanned : .givenUp)
        case .notStarted(.suspected): phase = .notStarted(.refused)
        default: return false
        }
        lease = nil
        return true
    }

    /// Takes in that the card it led to has gone to a newer generation of the name: it neither counts as lost nor is
    /// waited for any more.
    ///
    /// - Returns: whether anything changed.
    package mutating func abandonLostStart() -> Bool {
        guard hasLostStart || isRefutedByList else { return false }
        (phase, lease, retry) = (.notStarted(.givenUp), nil, nil)
        return true
    }

    /// Takes in that a caller wants a card though the person removed one: a start that was called off may go again if it has not left.
    ///
    /// - Returns: whether there is such a start.
    package mutating func reinstateStart() -> Bool {
        guard phase == .starting, lease?.cancellation == .dismissed else { return false }
        lease?.cancellation = nil
        return true
    }

    /// Whether a device may get a card of this generation, given the replicas that it has there.
    ///
    /// - Parameters:
    ///   - existing: the device's replicas of this generation.
    ///   - startsAt: when the start is to leave. One that is planned for another time makes way for it.
    ///   - isForced: starts again though an earlier start may still arrive (R6).
    ///   - restartsDismissed: starts again though the person removed a card of this generation (R13).
    package static func startFailure(
        for device: Device, startToken: StartToken?, existing: [Replica], startsAt: Instant, isForced: Bool,
        restartsDismissed: Bool, at now: Instant
    ) -> StartFailure? {
        for replica in existing {
            switch replica.phase {
            case .live, .waitingForToken, .untracked:
                if replica.ending == nil { return .alreadyActive }
            case .starting:
                if replica.isPlanned(after: now), replica.startsAt != startsAt { continue }
                guard let lease = replica.lease, lease.isOutstanding(at: now), !isForced, !replica.endsForOther
                else { continue }
                return lease.state == .unknown ? .startUnknown : .alreadyActive
            case .dismissed:
                if !restartsDismissed { return .dismissed }
            case .dead, .unlisted:
                if !restartsDismissed { return .cardGone }
            case .ended, .notStarted: continue
            }
        }
        return StartCandidate(device, startToken).failure
    }
}
