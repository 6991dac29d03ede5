import APNSWire
import EyotContract

/// A push that left, with what is needed to judge its verdict.
package struct SentPush: Sendable, Hashable {
    package var ordinal: Int
    package var push: Push
    /// The version of the update token, 0 for a start. A verdict on an older token does not apply to a newer one.
    package var tokenVersion: Int
    package var environment: PushEnvironment
    /// Whether Apple has not accepted anything for the card yet, so that its token may be made up.
    package var isUnproven: Bool

    package init(
        ordinal: Int, push: Push, tokenVersion: Int, environment: PushEnvironment, isUnproven: Bool = false
    ) {
        self.ordinal = ordinal
        self.push = push
        self.tokenVersion = tokenVersion
        self.environment = environment
        self.isUnproven = isUnproven
    }
}

/// Apple's answer to a push.
package struct PushAnswer: Sendable, Hashable {
    package var verdict: PushVerdict
    package var at: Instant
    /// With 410, the moment since which Apple knows the token to be dead.
    package var deadSince: Instant?
    /// The second with which the push was stamped, or a later one; 0 if it was not stamped.
    package var stampedUpTo: Int

    /// Makes an answer. A reason that is in no table of Apple's may come from a proxy, after Apple accepted the push
    /// (R4, R6), so it counts as no answer.
    package init(_ verdict: PushVerdict, at: Instant, deadSince: Instant? = nil, stampedUpTo: Int = 0) {
        self.verdict = verdict.reason == .unrecognized ? .unknown : verdict
        self.at = at
        self.deadSince = deadSince
        self.stampedUpTo = stampedUpTo
    }
}

/// The consequences of a verdict beyond the replica itself.
package struct Settlement: Sendable, Hashable {
    /// Seconds for which the replica had been behind when it caught up; nil if it did not. Negative if the clock has
    /// been set back since the replica fell behind.
    package var age: Double?
    /// The phone with a token that Apple refused, possibly because of the app, although it had accepted that token
    /// before; see ``SuspicionWindow``. For a start the caller checks whether Apple had accepted the token before.
    package var suspect: DeviceID?
    /// Apple's reason for refusing everything of the app. It holds until an operator repairs the cause.
    package var pause: APNSReason?
    /// The device's start token is not to be used any more.
    package var startTokenDeath: TokenDeath?
    /// The device's start token belongs to the other environment.
    package var startTokenMoved = false

    package init() {}
}

extension Replica {
    /// Applies a verdict. It is the only place that decides what Apple's answers do to a replica.
    ///
    /// - Parameter tally: the activity's counts, to which the verdict is added.
    package mutating func settle(
        _ sent: SentPush, _ answer: PushAnswer, tally: inout Tally, declaration: DeclarationLookup
    ) rethrows -> Settlement {
        let (verdict, now) = (answer.verdict, answer.at)
        var settlement = Settlement()
        // The result of a probe does not count against the app, because the token was counted already.
        let isProbe = sent.push.event == .start ? lease?.probing == true : token?.probing == true
        if verdict.reason?.action == .suspectToken, !isProbe, !isPardoned, sent.push.event == .start || hasProvenToken {
            settlement.suspect = device
        }
        if verdict == .notProcessed {
            sendAgain(at: now)
            if sent.push.event == .start, lease?.state == .sent { replanStart() }
            return settlement
        }
        // The push was stamped no later than this second, unless the clock has been set back since (R7).
        notePush(in: max(now.second, answer.stampedUpTo), at: now)
        if sent.push.event == .start {
            try settleStart(sent.push, answer, &settlement, &tally, declaration)
        } else if let current = token, current.version > sent.tokenVersion {
            // The state goes to the new token. The alert may have sounded by the former token (R4).
            if verdict.reason == nil { try forgetAlert(of: sent.push, declaration) }
        } else if let current = token, current.version == sent.tokenVersion {
            // The probe was cancelled while its push was on the way. A refusal in one environment says nothing of the
            // other.
            if verdict.reason?.action == .suspectToken, current.environment != sent.environment {
                settlement.suspect = nil
                return settlement
            }
            switch phase {
            case .live: try settleUpdate(sent.push, answer, &settlement, &tally, declaration)
            case .ended where sent.push.event == .end && sent.push.version > acceptedVersion:
                try settleFurtherEnd(sent.push, answer, &settlement, &tally, declaration)
            default: break
            }
        }
        return settlement
    }

    // MARK: Updates and ends

    private mutating func settleUpdate(
        _ push: Push, _ answer: PushAnswer, _ settlement: inout Settlement, _ tally: inout Tally,
        _ declaration: DeclarationLookup
    ) rethrows {
        guard let current = token else { return }
        let (verdict, now) = (answer.verdict, answer.at)
        switch verdict.reason?.action {
        case nil where verdict == .accepted:
            settlement.age = try catchUp(to: push, since: current.setAt, at: now, &tally, declaration)
            token?.suspicion = nil
            if push.event == .end {
                (phase, removal) = (.ended, nil)
                tally.ended += 1
            }
        case nil:
            tally.unknown += 1
            try forgetAlert(of: push, declaration)
            backOff(from: push, at: now)
        case .buryToken:
            tally.refused += 1
            if Self.isDoubtful(answer.deadSince, ofTokenSetAt: current.setAt, at: now) {
                backOff(from: push, because: verdict.reason, at: now)
            } else if let reason = verdict.reason {
                phase = .dead(TokenDeath(reason: reason, isQuarantine: false))
            }
        case .suspectToken:
            tally.refused += 1
            suspect(current, verdict.reason)
        case .retryLater, .renewProviderToken:
            tally.refused += 1
            backOff(from: push, because: verdict.reason, at: now)
        case .slowToken:
            tally.refused += 1
            backOff(from: push, because: verdict.reason, at: now)
            retry?.version = nil
        case .pauseApp where current.probing, .pauseChannels where current.probing:
            tally.refused += 1
            abandonProbe()
        case .pauseApp, .pauseChannels:  // the second never comes for a token
            tally.refused += 1
            settlement.pause = verdict.reason
        case .dropPush:
            tally.refused += 1
            (blockedVersion, blockedReason) = (push.version, verdict.reason)
            if push.event == .end, let reason = verdict.reason {
                phase = .dead(TokenDeath(reason: reason, isQuarantine: true))
            }
        }
    }

    /// Seconds after a token was set in which Apple may not know it yet. A later 410 counts whatever moment it names,
    /// because a phone may report a token that is already dead.
    private static let doubt = 60.0

    /// Whether a 410 is doubtful because the token was set after the moment that Apple names. The refusal may then be
    /// about a former token (R8).
    package static func isDoubtful(_ deadSince: Instant?, ofTokenSetAt setAt: Instant, at now: Instant) -> Bool {
        deadSince.map { setAt > $0 && now.seconds(since: setAt) <= doubt } ?? false
    }

    /// Probes the token in the other environment. After a second refusal, puts it in quarantine in the first
    /// environment. The first reason stands: the other environment cannot know a token of this one.
    private mutating func suspect(_ current: UpdateToken, _ reason: APNSReason?) {
        token?.environment = current.environment.other
        token?.suspicion = current.probing ? nil : reason
        guard let first = current.suspicion else { return }
        phase = .dead(TokenDeath(reason: first, isQuarantine: true))
    }

    /// Stops a probe because the other environment accepts nothing of this app. The first refusal stands, and the token
    /// is quarantined until the app is resumed or the token is restored.
    package mutating func abandonProbe() {
        guard let current = token, let reason = current.suspicion else { return }
        token?.environment = current.environment.other
        token?.suspicion = nil
        phase = .dead(TokenDeath(reason: reason, isQuarantine: true))
    }

    /// Applies a verdict on a further end. A refusal says nothing new of the card, which has ended.
    private mutating func settleFurtherEnd(
        _ push: Push, _ answer: PushAnswer, _ settlement: inout Settlement, _ tally: inout Tally,
        _ declaration: DeclarationLookup
    ) rethrows {
        let (verdict, now) = (answer.verdict, answer.at)
        settlement.suspect = nil
        switch verdict.reason?.action {
        case nil where verdict == .accepted: _ = try catchUp(to: push, since: now, at: now, &tally, declaration)
        case nil:
            tally.unknown += 1
            try forgetAlert(of: push, declaration)
            backOff(from: push, at: now)
        case .retryLater, .renewProviderToken, .slowToken:
            tally.refused += 1
            backOff(from: push, because: verdict.reason, at: now)
        case .pauseApp, .pauseChannels:
            tally.refused += 1
            settlement.pause = verdict.reason
        case .buryToken, .suspectToken, .dropPush:
            tally.refused += 1
            (blockedVersion, blockedReason) = (push.version, verdict.reason)
        }
    }

    // MARK: Starts

    private mutating func settleStart(
        _ push: Push, _ answer: PushAnswer, _ settlement: inout Settlement, _ tally: inout Tally,
        _ declaration: DeclarationLookup
    ) rethrows {
        let (verdict, now) = (answer.verdict, answer.at)
        guard let current = lease, current.state == .sent || current.state == .unknown else {
            // The card was reported before this answer came, and that ended the lease.
            if verdict == .accepted, phase == .live || phase == .waitingForToken {
                tally.started += 1
                tally.accepted += 1
            }
            return
        }
        switch verdict.reason?.action {
        case nil where verdict == .accepted:
            lease?.state = .accepted
            lease?.suspicion = nil
            settlement.startTokenMoved = current.probing
            settlement.age = try catchUp(
                to: push, since: startsAt ?? createdAt, at: now, &tally, declaration)
            tally.started += 1
        case nil:
            tally.unknown += 1
            lease?.state = .unknown
        case .retryLater, .renewProviderToken, .slowToken:
            tally.refused += 1
            backOff(from: push, because: verdict.reason, at: now)
            retry?.version = nil
            replanStart()
        case .pauseApp where current.probing, .pauseChannels where current.probing:
            tally.refused += 1
            settlement.startTokenDeath = abandonStartProbe()
        case .pauseApp, .pauseChannels:
            tally.refused += 1
            settlement.pause = verdict.reason
            replanStart()
        case .suspectToken where !current.probing:
            tally.refused += 1
            lease?.suspicion = verdict.reason
            replanStart()
        case .suspectToken, .buryToken, .dropPush:
            tally.refused += 1
            endRefusedStart(isSuspect: verdict.reason?.action == .suspectToken)
            guard let reason = verdict.reason, reason.action != .dropPush else { return }
            // The reason of the token's own environment stands.
            let isSuspect = reason.action == .suspectToken
            settlement.startTokenDeath = TokenDeath(
                reason: isSuspect ? current.suspicion ?? reason : reason, isQuarantine: isSuspect)
        }
    }

    /// Plans the start again, because it has provably led to no card, or drops it if it was cancelled. No report is
    /// expected until it is sent again.
    private mutating func replanStart() {
        lease?.state = .planned
        lease?.sentAt = nil
        dropCalledOff()
    }

    private mutating func dropCalledOff() {
        guard let failure = lease?.cancellation else { return }
        (phase, lease, retry) = (.notStarted(failure), nil, nil)
    }

    /// Stops a start's probe, like ``abandonProbe()``.
    ///
    /// - Returns: the death of the start token; nil if it was not suspect.
    package mutating func abandonStartProbe() -> TokenDeath? {
        let reason = lease?.suspicion
        endRefusedStart(isSuspect: true)
        return reason.map { TokenDeath(reason: $0, isQuarantine: true) }
    }

    /// Abandons its start, or keeps it until the app is resumed if the failure is ``StartFailure/suspected``.
    package mutating func abandonStart(_ failure: StartFailure) {
        if failure == .suspected { return endRefusedStart(isSuspect: true) }
        (phase, lease) = (.notStarted(failure), nil)
    }

    /// Closes its start after a provable refusal. If the app may be at fault, the start is kept as it was planned.
    private mutating func endRefusedStart(isSuspect: Bool) {
        guard lease?.cancellation == nil else { return dropCalledOff() }
        phase = .notStarted(isSuspect ? .suspected : .refused)
        lease = isSuspect ? lease.map { Lease(version: $0.version) } : nil
    }

    // MARK: Parts

    /// The most versions that are searched for what a replica missed. Only counts depend on it.
    private static let versionsLookedAt = 200

    /// Records what Apple accepted.
    ///
    /// - Returns: the seconds for which the replica had been behind; nil if it was not.
    private mutating func catchUp(
        to push: Push, since reachable: Instant, at now: Instant, _ tally: inout Tally, _ declaration: DeclarationLookup
    ) rethrows -> Double? {
        var behindSince: Instant?
        for passed in try missed(after: acceptedVersion, upTo: push.version, declaration) {
            behindSince = passed.countsFrom
            // A declaration from before the replica could be reached was not missed.
            guard passed.countsFrom > reachable else { break }
            if passed.kind == .state, passed.version != push.stateVersion { tally.superseded += 1 }
        }
        try passAlerts(of: push, &tally, declaration)
        tally.accepted += 1
        isPardoned = false
        acceptedVersion = max(push.version, push.event == .end ? acceptedVersion : 0)
        if let keeping, push.stateVersion > keeping.until, push.stateVersion != scopedState { self.keeping = nil }
        retry = nil
        return behindSince.map { now.seconds(since: max($0, reachable)) }
    }

    /// Marks the alerts that are done with because Apple accepted a push. A scoped declaration counts only if it
    /// carries an alert. A canary's alert may be older than a scoped state and reach this replica later, and it must
    /// still be given then.
    private mutating func passAlerts(
        of push: Push, _ tally: inout Tally, _ declaration: DeclarationLookup
    ) rethrows {
        let hasAlert = try declaration(push.alertVersion)?.content.alert != nil
        if hasAlert, push.alertVersion > alertedVersion {
            if push.leavesAlertOut {
                tally.alertsSuperseded += 1
                tally.alertsWithoutRoom += 1
            } else {
                tally.alertsGiven += 1
            }
        }
        var newest = max(alertedVersion, hasAlert ? push.alertVersion : 0)
        for passed in try missed(after: alertedVersion, upTo: max(push.version, push.alertVersion), declaration) {
            let isAlert = passed.content.alert != nil
            if isAlert || passed.scope == .everyone { newest = max(newest, passed.version) }
            guard isAlert, passed.version != push.alertVersion else { continue }
            if passed.version < push.alertVersion { tally.alertsSuperseded += 1 } else { tally.alertsExpired += 1 }
        }
        alertedVersion = newest
    }

    /// The declarations that this replica missed between two versions, newest first. These are the ones for everyone,
    /// and its newest scoped state and scoped end.
    private func missed(
        after oldest: Int, upTo newest: Int, _ declaration: DeclarationLookup
    ) rethrows -> [Declaration] {
        var found: [Declaration] = []
        var version = newest
        while version > oldest, found.count < Self.versionsLookedAt, let passed = try declaration(version) {
            if isConcerned(by: passed) { found.append(passed) }
            version = passed.follows
        }
        for own in [scopedState, scopedEnd]
        where own > oldest && own <= newest && !found.contains(where: { $0.version == own }) {
            if let passed = try declaration(own) { found.append(passed) }
        }
        return found.sorted { $0.version > $1.version }
    }

    /// The scoped declaration that ends it, 0 for none.
    private var scopedEnd: Int {
        guard case .declared(let version) = ending else { return 0 }
        return version
    }

    /// Marks the alert of a push with an unknown outcome as given, unless it is urgent (R4).
    private mutating func forgetAlert(of push: Push, _ declaration: DeclarationLookup) rethrows {
        guard push.alertVersion > 0, !push.leavesAlertOut, try declaration(push.alertVersion)?.content.isUrgent != true
        else { return }
        alertedVersion = max(alertedVersion, push.alertVersion)
    }

    /// Repeats a push that did not reach Apple, at once the first time. Further attempts wait, because Apple cannot be
    /// reached.
    private mutating func sendAgain(at now: Instant) {
        let attempts = (retry?.attempts ?? 0) + 1
        let pause = attempts == 1 ? 0 : min(Retry.pause(after: attempts - 1), Retry.unreachablePause)
        // What Apple last said stands, because it also closes connections.
        retry = Retry(attempts: attempts, notBefore: now + pause, version: nil, reason: retry?.reason)
    }

    /// - Parameter reason: Apple's; nil if there was no answer.
    private mutating func backOff(from push: Push, because reason: APNSReason? = nil, at now: Instant) {
        let attempts = (retry?.attempts ?? 0) + 1
        retry = Retry(
            attempts: attempts, notBefore: now + Retry.pause(after: attempts), version: push.version,
            reason: reason ?? retry?.reason)
    }
}

// MARK: - Setting right

extension Replica {
    /// Whether Apple's refusals put its token or the app in doubt.
    package var isSuspect: Bool {
        if case .dead(let death) = phase, death.isQuarantine { return true }
        return phase == .notStarted(.suspected) || token?.probing == true || lease?.probing == true
    }

    /// Plans a suspected start again, or closes it for good (R6).
    ///
    /// - Parameter isAllowed: whether the device may still get the card.
    package mutating func startAgain(isAllowed: Bool) {
        guard phase == .notStarted(.suspected) else { return }
        if isAllowed, lease != nil {
            phase = .starting
            isPardoned = true
            retry = nil
        } else {
            phase = .notStarted(.refused)
            lease = nil
        }
    }

    /// Lifts a quarantine or cancels a probe, because the app was at fault and not the token.
    ///
    /// A probed replica is pardoned as well, because its refusal is counted already. Otherwise an app with mostly dead
    /// tokens would be paused at every resume. If the cause was not repaired, tokens that were not suspect pause the
    /// app again. A pardoned replica is at worst set aside until the next resume.
    package mutating func clearSuspicion() {
        if token?.probing == true || lease?.probing == true { isPardoned = true }
        if token?.probing == true, let probed = token?.environment {
            token?.environment = probed.other
            token?.suspicion = nil
        }
        lease?.suspicion = nil
        if case .dead(let death) = phase, death.isQuarantine { (phase, isPardoned) = (.live, true) }
    }

    /// Gives a dead token another chance, and the pushes that Apple refused lately with it. The token stays the same,
    /// so an older refusal can bury it again.
    ///
    /// - Returns: false if there is nothing to restore: the token is in use, or iOS has ended the card by now.
    package mutating func restoreToken(at now: Instant) -> Bool {
        guard case .dead(let death) = phase, token != nil else { return false }
        var restored = self
        restored.phase = .live
        restored.isPardoned = death.isQuarantine
        guard restored.expiresAt.map({ $0 > now }) ?? true else { return false }
        restored.token?.suspicion = nil
        restored.blockedVersion = 0
        restored.blockedReason = nil
        restored.retry = nil
        self = restored
        return true
    }

    /// Whether its start, or a repetition of it, may have left by a moment although this is not known.
    ///
    /// - Parameter doubts: See ``NodeLease/doubtsUntil``.
    package func hasStartInDoubt(until doubts: Instant?) -> Bool {
        guard let doubts, phase == .starting, let lease else { return false }
        return lease.sentAt.map { $0 < doubts } ?? ((startsAt ?? createdAt) <= doubts)
    }

    /// Marks its start as unknown, because the store has forgotten what became of it (R6).
    ///
    /// - Parameter moment: The last moment at which it, or a repetition of it, can have left.
    package mutating func doubtStart(until moment: Instant) {
        lease?.state = .unknown
        lease?.sentAt = moment
    }

    /// Marks a sent start as unknown, because the process that sent it is gone and its answer with it (R6).
    fileprivate mutating func loseStartAnswer() {
        if lease?.state == .sent { lease?.state = .unknown }
    }
}

extension Transaction {
    /// Marks a start as unknown, because the process that sent it is gone and Apple's answer with it.
    package func loseAnswer(ofStart sent: Replica) throws {
        var replica = sent
        replica.loseStartAnswer()
        guard replica != sent, var activity = try ledger.activity(sent.activity) else { return }
        try update(replica, from: sent, in: activity.app)
        activity.tally.unknown += 1
        try ledger.update(activity)
    }
}
