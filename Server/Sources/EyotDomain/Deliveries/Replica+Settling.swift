import APNSWire
import EyotContract

/// A push that left, with what is needed to judge the verdict on it.
package struct SentPush: Sendable, Hashable {
    package var ordinal: Int
    package var push: Push
    /// The update token's version; verdicts on an older token change nothing. 0 for a start.
    package var tokenVersion: Int
    package var environment: PushEnvironment

    package init(ordinal: Int, push: Push, tokenVersion: Int, environment: PushEnvironment) {
        self.ordinal = ordinal
        self.push = push
        self.tokenVersion = tokenVersion
        self.environment = environment
    }
}

/// What a verdict means beyond the replica itself.
package struct Settlement: Sendable, Hashable {
    /// For how long the replica had been behind, in seconds, where it caught up. Negative if it was behind since a
    /// moment ahead of the clock, which has been set back since.
    package var age: Double?
    /// The phone whose token Apple refuses in a way that may be the app's fault, though it took it before: see
    /// ``SuspicionWindow``. Whether it took a start token before is for the caller to find out.
    package var suspect: DeviceID?
    /// Nothing will work for this app until somebody mends something.
    package var pause: APNSReason?
    /// The device's start token is of no use.
    package var startTokenDeath: TokenDeath?
    /// The device's start token belongs to the other environment.
    package var startTokenMoved = false

    package init() {}
}

extension Replica {
    /// Takes a verdict in. The one place that decides what Apple's answers do to a replica.
    ///
    /// - Parameters:
    ///   - deadSince: with 410, since when Apple knows the token to be dead.
    ///   - stampedUpTo: the second that the push was stamped with, or a later one; 0 where none was.
    ///   - tally: the activity's counts, which the verdict adds to.
    package mutating func settle(
        _ sent: SentPush, verdict answer: PushVerdict, deadSince: Instant?, stampedUpTo: Int, at now: Instant,
        tally: inout Tally, declaration: DeclarationLookup
    ) rethrows -> Settlement {
        // No word of Apple's that is known may come from between, when Apple has taken the push already (R4, R6).
        let verdict: PushVerdict = answer.reason == .unrecognized ? .unknown : answer
        var settlement = Settlement()
        // What a probe brings says nothing new of the app: the token is counted already.
        let isProbe = sent.push.event == .start ? lease?.probing == true : token?.probing == true
        if verdict.reason?.action == .suspectToken, !isProbe, !isPardoned, sent.push.event == .start || hasProvenToken {
            settlement.suspect = device
        }
        if verdict == .notProcessed {
            goAgain(at: now)
            if sent.push.event == .start, lease?.state == .sent { replanStart() }
            return settlement
        }
        // The second in which it was stamped is not later than this one, unless the clock has been set back since (R7).
        notePush(in: max(now.second, stampedUpTo), at: now)
        if sent.push.event == .start {
            try settleStart(sent, verdict, &settlement, &tally, now, declaration)
        } else if let current = token, current.version > sent.tokenVersion {
            // The state goes to the new token; the alert may have sounded by the former one (R4).
            if verdict.reason == nil { try forgetAlert(of: sent.push, declaration) }
        } else if let current = token, current.version == sent.tokenVersion {
            // A probe was called off while its push was on the way: what one environment says is not said of the other.
            if verdict.reason?.action == .suspectToken, current.environment != sent.environment {
                settlement.suspect = nil
                return settlement
            }
            switch phase {
            case .live: try settleUpdate(sent, verdict, current, deadSince, &settlement, &tally, now, declaration)
            case .ended where sent.push.event == .end && sent.push.version > accepted:
                try settleFurtherEnd(sent.push, verdict, &settlement, &tally, now, declaration)
            default: break
            }
        }
        return settlement
    }

    // MARK: Updates and ends

    private mutating func settleUpdate(
        _ sent: SentPush, _ verdict: PushVerdict, _ current: UpdateToken, _ deadSince: Instant?,
        _ settlement: inout Settlement, _ tally: inout Tally, _ now: Instant, _ declaration: DeclarationLookup
    ) rethrows {
        switch verdict.reason?.action {
        case nil where verdict == .accepted:
            settlement.age = try catchUp(to: sent.push, since: current.setAt, at: now, &tally, declaration)
            token?.suspicion = nil
            if sent.push.event == .end {
                phase = .ended
                tally.ended += 1
            }
        case nil:
            tally.unknown += 1
            try forgetAlert(of: sent.push, declaration)
            backOff(from: sent.push, at: now)
        case .buryToken:
            tally.refused += 1
            if Self.isDoubtful(deadSince, ofTokenSetAt: current.setAt, at: now) {
                backOff(from: sent.push, at: now)
            } else if let reason = verdict.reason {
                phase = .dead(TokenDeath(reason: reason, isQuarantine: false))
            }
        case .suspectToken:
            tally.refused += 1
            suspect(current, verdict.reason)
        case .retryLater, .renewProviderToken:
            tally.refused += 1
            backOff(from: sent.push, at: now)
        case .slowToken:
            tally.refused += 1
            backOff(from: sent.push, at: now)
            retry?.version = nil
        case .pauseApp where current.probing, .pauseChannels where current.probing:
            tally.refused += 1
            giveUpProbe()
        case .pauseApp, .pauseChannels:  // the second never comes for a token
            tally.refused += 1
            settlement.pause = verdict.reason
        case .dropPush:
            tally.refused += 1
            (blocked, blockedReason) = (sent.push.version, verdict.reason)
            if sent.push.event == .end, let reason = verdict.reason {
                phase = .dead(TokenDeath(reason: reason, isQuarantine: true))
            }
        }
    }

    /// Seconds after a token was set in which Apple may not have heard of it. What it says of the token later counts, whatever
    /// moment it names: a phone may tell of a token late, when it is dead already.
    private static let doubt = 60.0

    /// Whether a token was set after the moment that Apple names, so that the refusal may speak of what was there before (R8).
    package static func isDoubtful(_ deadSince: Instant?, ofTokenSetAt setAt: Instant, at now: Instant) -> Bool {
        deadSince.map { setAt > $0 && now.seconds(since: setAt) <= doubt } ?? false
    }

    /// One probe of the other environment, then quarantine in the first one.
    private mutating func suspect(_ current: UpdateToken, _ reason: APNSReason?) {
        token?.environment = current.environment.other
        token?.suspicion = current.probing ? nil : reason
        guard current.probing, let reason else { return }
        phase = .dead(TokenDeath(reason: reason, isQuarantine: true))
    }

    /// Nothing can be found out in the other environment, where nothing is taken for this app: the first refusal stands. Asked
    /// again when somebody has mended that and resumes the app, or restores the token.
    package mutating func giveUpProbe() {
        guard let current = token, let reason = current.suspicion else { return }
        token?.environment = current.environment.other
        token?.suspicion = nil
        phase = .dead(TokenDeath(reason: reason, isQuarantine: true))
    }

    /// A refusal of a further end says nothing new of the card, which has ended.
    private mutating func settleFurtherEnd(
        _ push: Push, _ verdict: PushVerdict, _ settlement: inout Settlement, _ tally: inout Tally, _ now: Instant,
        _ declaration: DeclarationLookup
    ) rethrows {
        settlement.suspect = nil
        switch verdict.reason?.action {
        case nil where verdict == .accepted: _ = try catchUp(to: push, since: now, at: now, &tally, declaration)
        case nil:
            tally.unknown += 1
            try forgetAlert(of: push, declaration)
            backOff(from: push, at: now)
        case .retryLater, .renewProviderToken, .slowToken:
            tally.refused += 1
            backOff(from: push, at: now)
        case .pauseApp, .pauseChannels:
            tally.refused += 1
            settlement.pause = verdict.reason
        case .buryToken, .suspectToken, .dropPush:
            tally.refused += 1
            (blocked, blockedReason) = (push.version, verdict.reason)
        }
    }

    // MARK: Starts

    private mutating func settleStart(
        _ sent: SentPush, _ verdict: PushVerdict, _ settlement: inout Settlement, _ tally: inout Tally, _ now: Instant,
        _ declaration: DeclarationLookup
    ) rethrows {
        guard let current = lease, current.state == .sent || current.state == .unknown else {
            // The card's registration came before the answer, and has taken the lease's place.
            if verdict == .accepted, phase == .live || phase == .waitingForToken { tally.started += 1 }
            return
        }
        switch verdict.reason?.action {
        case nil where verdict == .accepted:
            lease?.state = .accepted
            lease?.suspicion = nil
            settlement.startTokenMoved = current.probing
            settlement.age = try catchUp(
                to: sent.push, since: startsAt ?? createdAt, at: now, &tally, declaration)
            tally.started += 1
        case nil:
            tally.unknown += 1
            lease?.state = .unknown
        case .retryLater, .renewProviderToken, .slowToken:
            tally.refused += 1
            backOff(from: sent.push, at: now)
            retry?.version = nil
            replanStart()
        case .pauseApp where current.probing, .pauseChannels where current.probing:
            tally.refused += 1
            settlement.startTokenDeath = giveUpStartProbe()
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
            giveUpStart(isSuspect: verdict.reason?.action == .suspectToken)
            guard let reason = verdict.reason, reason.action != .dropPush else { return }
            settlement.startTokenDeath = TokenDeath(reason: reason, isQuarantine: reason.action == .suspectToken)
        }
    }

    /// It has provably not led to a card, and may go again, unless it was called off meanwhile. Until then nobody need wait for its card.
    private mutating func replanStart() {
        lease?.state = .planned
        lease?.sentAt = nil
        dropCalledOff()
    }

    private mutating func dropCalledOff() {
        guard let failure = lease?.cancellation else { return }
        (phase, lease, retry) = (.notStarted(failure), nil, nil)
    }

    /// The start's part of ``giveUpProbe()``.
    ///
    /// - Returns: what that says of the start token.
    package mutating func giveUpStartProbe() -> TokenDeath? {
        let reason = lease?.suspicion
        giveUpStart(isSuspect: true)
        return reason.map { TokenDeath(reason: $0, isQuarantine: true) }
    }

    /// Takes in that it is not to be made any more, or not before the app is resumed.
    package mutating func abandonStart(_ failure: StartFailure) {
        if failure == .suspected { return giveUpStart(isSuspect: true) }
        (phase, lease) = (.notStarted(failure), nil)
    }

    /// It is provably refused. Where that may be the app's fault it is kept as it was planned.
    private mutating func giveUpStart(isSuspect: Bool) {
        guard lease?.cancellation == nil else { return dropCalledOff() }
        phase = .notStarted(isSuspect ? .suspected : .refused)
        lease = isSuspect ? lease.map { Lease(version: $0.version) } : nil
    }

    // MARK: Parts

    /// How many versions are looked through for what a replica has missed. Counts go no further back; nothing else hangs
    /// on it.
    private static let versionsLookedAt = 200

    /// Marks what Apple accepted, and answers for how long the replica had been behind.
    private mutating func catchUp(
        to push: Push, since reachable: Instant, at now: Instant, _ tally: inout Tally, _ declaration: DeclarationLookup
    ) rethrows -> Double? {
        var behindSince: Instant?
        for passed in try missed(after: accepted, upTo: push.version, declaration) {
            behindSince = passed.countsFrom
            // What was declared before it could be reached it has not missed.
            guard passed.countsFrom > reachable else { break }
            if passed.kind == .state, passed.version != push.stateVersion { tally.superseded += 1 }
        }
        try passAlerts(of: push, &tally, declaration)
        tally.accepted += 1
        isPardoned = false
        accepted = max(push.version, push.event == .end ? accepted : 0)
        retry = nil
        return behindSince.map { now.seconds(since: max($0, reachable)) }
    }

    /// Notes which alerts are done with, now that Apple has accepted a push. What is tried out with others and comes to this
    /// replica later may be older than what was declared for it alone: so that passes no alert but its own.
    private mutating func passAlerts(
        of push: Push, _ tally: inout Tally, _ declaration: DeclarationLookup
    ) rethrows {
        let hasAlert = try declaration(push.alertVersion)?.content.alert != nil
        if hasAlert, push.leavesAlertOut, push.alertVersion > alerted { tally.alertsSuperseded += 1 }
        var newest = max(alerted, hasAlert ? push.alertVersion : 0)
        for passed in try missed(after: alerted, upTo: max(push.version, push.alertVersion), declaration) {
            let isAlert = passed.content.alert != nil
            if isAlert || passed.scope == .everyone { newest = max(newest, passed.version) }
            guard isAlert, passed.version != push.alertVersion else { continue }
            if passed.version < push.alertVersion { tally.alertsSuperseded += 1 } else { tally.alertsExpired += 1 }
        }
        alerted = newest
    }

    /// What concerns this replica of what was declared after one version and up to another, newest first: what is for everyone,
    /// and the newest of each kind that is for some.
    private func missed(
        after oldest: Int, upTo newest: Int, _ declaration: DeclarationLookup
    ) rethrows -> [Declaration] {
        var found: [Declaration] = []
        var version = newest
        while version > oldest, found.count < Self.versionsLookedAt, let passed = try declaration(version) {
            if isConcerned(by: passed) { found.append(passed) }
            version = passed.follows
        }
        for own in [scoped, scopedEnd]
        where own > oldest && own <= newest && !found.contains(where: { $0.version == own }) {
            if let passed = try declaration(own) { found.append(passed) }
        }
        return found.sorted { $0.version > $1.version }
    }

    /// The declaration for some that ends it, 0 for none.
    private var scopedEnd: Int {
        guard case .declared(let version) = ending else { return 0 }
        return version
    }

    /// An alert whose fate is unknown is not given twice, unless it is urgent (R4).
    private mutating func forgetAlert(of push: Push, _ declaration: DeclarationLookup) rethrows {
        guard push.alertVersion > 0, !push.leavesAlertOut, try declaration(push.alertVersion)?.content.isUrgent != true
        else { return }
        alerted = max(alerted, push.alertVersion)
    }

    /// What did not reach Apple goes again at once; if it goes on, Apple cannot be reached, and there is a pause.
    private mutating func goAgain(at now: Instant) {
        let attempts = (retry?.attempts ?? 0) + 1
        let pause = attempts == 1 ? 0 : min(Retry.pause(after: attempts - 1), Retry.unreachablePause)
        retry = Retry(attempts: attempts, notBefore: now + pause, version: nil)
    }

    private mutating func backOff(from push: Push, at now: Instant) {
        let attempts = (retry?.attempts ?? 0) + 1
        retry = Retry(attempts: attempts, notBefore: now + Retry.pause(after: attempts), version: push.version)
    }
}

// MARK: - Setting right

extension Replica {
    /// Whether Apple's answers speak against its token, or against the app.
    package var isSuspect: Bool {
        if case .dead(let death) = phase, death.isQuarantine { return true }
        return phase == .notStarted(.suspected) || token?.probing == true || lease?.probing == true
    }

    /// Plans a start again that was provably refused, and not for its own sake (R6).
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

    /// Lifts a quarantine or calls a probe off: the app was at fault, not the token.
    ///
    /// Whoever was to be probed is pardoned, too: that Apple refuses it is counted already, and where most tokens of an app are dead it
    /// would be paused at every resume. Should nothing have been mended, the app is paused again for those of whom nothing was known; who is
    /// pardoned is at worst set aside once more, until the next resume.
    package mutating func clearSuspicion() {
        if token?.probing == true || lease?.probing == true { isPardoned = true }
        if token?.probing == true, let probed = token?.environment {
            token?.environment = probed.other
            token?.suspicion = nil
        }
        lease?.suspicion = nil
        if case .dead(let death) = phase, death.isQuarantine { (phase, isPardoned) = (.live, true) }
    }

    /// Gives a token that counts as dead another chance, and what Apple did not take of late with it. The token is the same,
    /// so that a refusal which is older than it is now buries it again.
    ///
    /// - Returns: false where there is nothing to restore: the token is in use, or iOS has ended the card by now.
    package mutating func restoreToken(at now: Instant) -> Bool {
        guard case .dead(let death) = phase, token != nil else { return false }
        var restored = self
        restored.phase = .live
        restored.isPardoned = death.isQuarantine
        guard restored.expiresAt.map({ $0 > now }) ?? true else { return false }
        restored.token?.suspicion = nil
        restored.blocked = 0
        restored.blockedReason = nil
        restored.retry = nil
        self = restored
        return true
    }

    /// The process that had sent the start is gone, and with it the answer (R6).
    fileprivate mutating func loseStartAnswer() {
        if lease?.state == .sent { lease?.state = .unknown }
    }
}

extension Ledger {
    /// Takes in that the process that had sent a start is gone, and with it Apple's answer: the start counts as unknown.
    package func loseAnswer(ofStart sent: Replica) throws {
        var replica = sent
        replica.loseStartAnswer()
        try update(replica)
        guard replica != sent, var activity = try activity(sent.activity) else { return }
        activity.tally.unknown += 1
        try update(activity)
    }
}
