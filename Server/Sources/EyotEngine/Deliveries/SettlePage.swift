import APNSWire
import EyotContract
import EyotDomain

/// The result of settling a page, for the engine to act on.
package struct SettledPage: Sendable, Hashable {
    /// The result in one activity.
    package struct Part: Sendable, Hashable {
        /// Whether one of the replicas is due again at once.
        package var isDue = false
        /// The activity's stamp when the replicas were looked at.
        package var stamp: Int
        /// The soonest moment at which one of the replicas is due again; nil for none.
        package var later: Instant?
        /// Whether one of the replicas is behind and must wait.
        package var hasWaitingReplicas = false
        /// Whether the activity rests: nothing is left to do, and the store has noted until when.
        package var rests = false

        package init(stamp: Int) { self.stamp = stamp }

        /// Records what is due for one of the replicas now.
        mutating func take(_ due: Due) {
            switch due {
            case .nothing(let until): later = Instant.soonest(later, until)
            case .push, .expired, .abandonStart: isDue = true
            case .later(let moment):
                later = Instant.soonest(later, moment)
                hasWaitingReplicas = true
            }
        }
    }

    /// How long some replicas were behind.
    package struct Age: Sendable, Hashable {
        package var seconds: Double
        /// How many replicas.
        package var count: Int
    }

    /// How long the replicas of the page were behind that have the newest state now.
    package fileprivate(set) var ages: [Age] = []
    /// The results by activity. An activity that is gone has none.
    package var activities: [ActivityID: Part] = [:]
    /// Apple's acceptances, and its first refusals of proven tokens, in the order of the page.
    package var answers: [SuspicionWindow.Answer] { slots.compactMap(\.self) }
    /// By slot; nil if the slot has no answer that counts.
    private var slots: [SuspicionWindow.Answer?]
    /// Apple's reason for the last suspect token.
    package var suspectReason: APNSReason?
    /// The reason that pauses the app, because no push works until an operator acts; nil for none.
    package var pause: APNSReason?
    /// The environment in which the app is no longer paused, because Apple takes its pushes again; nil for none.
    package fileprivate(set) var liftedPause: PushEnvironment?

    /// - Parameter verdicts: The verdicts of the page.
    package init(_ verdicts: PageVerdicts = PageVerdicts(count: 0)) {
        slots = verdicts.verdicts.map { $0 == .accepted ? .accepted : nil }
    }

    fileprivate mutating func note(_ age: Double?, times count: Int) {
        guard let age, count > 0 else { return }
        ages.append(Age(seconds: age, count: count))
    }

    /// Records what the verdict on one slot means for the app.
    fileprivate mutating func take(_ settlement: Settlement, of verdict: PushVerdict, slot: Int) {
        pause = pause ?? settlement.pause
        guard let device = settlement.suspect else { return }
        slots[slot] = .suspect(device)
        suspectReason = verdict.reason
    }
}

/// The transaction that applies the verdicts of a page.
package struct SettlePage: UseCase {
    package let transaction: Transaction
    private let profile: ProfileReader
    private let pushing: PushingState?

    /// - Parameter pushing: Measures how long replicas were behind if the clock was set back.
    package init(_ transaction: Transaction, pushing: PushingState? = nil) {
        self.transaction = transaction
        self.pushing = pushing
        profile = ProfileReader(transaction.ledger)
    }

    /// - Parameter resting: Activities that have nothing to do but this page. They rest unless the verdicts make a
    ///   replica due.
    package func callAsFunction(
        _ page: TakenPage, _ verdicts: PageVerdicts, resting: [ActivityID: EngineCore.RestPlan] = [:]
    ) throws -> SettledPage {
        var result = SettledPage(verdicts)
        let void = try voidActions(for: page, verdicts)
        for id in page.activities {
            guard let former = try ledger.activity(id) else { continue }
            var activity = former
            var part = SettledPage.Part(stamp: activity.stamp)
            var accepted = AcceptanceSheet()
            let declaration = DeclarationReader(ledger, of: id, known: page.declarations[id] ?? [:])
            for run in page.runs where run.activity == id {
                let ring = try run.ring.map { ring in
                    try RingSettlement(ledger: ledger, activity: activity, now: now, declaration: declaration)
                        .callAsFunction(ring, page.sent[run.slots], verdicts)
                }
                for slot in ring?.odd ?? Array(run.slots) {
                    let verdict = Verdict(verdicts, slot, void: void, isInRing: ring != nil)
                    let settlement = try settle(page.sent[slot], verdict, in: &activity, &part, declaration)
                    result.take(settlement, of: verdict.verdict, slot: slot)
                    result.note(seconds(of: settlement.age), times: 1)
                    if verdict.verdict == .accepted {
                        accepted.note(page.sent[slot].push, of: page.sent[slot].ordinal)
                    }
                }
                if let ring {
                    try credit(ring, except: run.ring?.open ?? [], to: &activity, &part, declaration)
                    for group in ring.groups where ring.page != nil {
                        result.note(seconds(of: group.age), times: group.count)
                        guard group.count > 0 else { continue }
                        accepted.note(group.push, onPage: RingPage.number(of: group.replica.ordinal), group.slots)
                    }
                }
            }
            let (rows, counts) = (accepted.rows(of: id, at: now), transaction.counts(of: id, in: activity.app))
            for acceptances in rows { try ledger.record(acceptances) }
            try transaction.countUpdated(rows, in: counts)
            ledger.count(activity.tally, since: former.tally, in: counts)
            activity.judgeCanary(at: now)
            if let plan = resting[id], plan.stamp == part.stamp, !part.isDue {
                try Rest(transaction).note(
                    in: &activity, until: Instant.soonest(plan.until, part.later),
                    hasWaitingReplicas: plan.hasWaitingReplicas || part.hasWaitingReplicas)
                part.rests = true
            }
            try transaction.update(activity, from: former)
            result.activities[id] = part
        }
        if let mark = page.mark { try transaction.settle(mark, isPart: page.slots != nil) }
        if page.isTrial, verdicts.verdicts.contains(.accepted),
            try LiftPause(transaction)(of: page.app, in: page.page.environment)
        {
            result.liftedPause = page.page.environment
        }
        return result
    }

    /// The actions that this page's refusals must not cause. Their replicas go again.
    private func voidActions(for page: TakenPage, _ verdicts: PageVerdicts) throws -> Set<APNSReasonAction> {
        // The app is read only if it matters. Most pages have no such verdict.
        let actions = Set(verdicts.verdicts.compactMap { $0.reason?.action }).intersection([.pauseApp, .suspectToken])
        guard !actions.isEmpty, let app = try ledger.app(page.app) else { return [] }
        if app.isRenewed(in: page.page.environment, since: page.renewedAt) { return actions }
        // The app is known to be at fault by now, so the refusal says nothing about a token.
        let isAtFault = app.pauses[page.page.environment]?.reason.action == .suspectToken
        return isAtFault ? [.suspectToken] : []
    }

    private struct Verdict {
        var verdict: PushVerdict
        var deadSince: Instant?
        var stampedUpTo: Int
        /// Whether the push left, and its verdict does not count.
        var isVoid = false
        /// Whether the push went to a member of the ring.
        let isInRing: Bool

        /// - Parameter void: Actions that must not follow. A replica with such a verdict goes again.
        init(_ verdicts: PageVerdicts, _ slot: Int, void: Set<APNSReasonAction>, isInRing: Bool) {
            self.isInRing = isInRing
            verdict = verdicts.verdicts[slot]
            stampedUpTo = verdicts.stampedUpTo
            deadSince = verdicts.deadSince[slot].map { Instant(microseconds: $0 * 1_000) }
            if let action = verdict.reason?.action, void.contains(action) { (verdict, isVoid) = (.notProcessed, true) }
        }

        /// What a push that was not accepted tells; nil if it was, or was not processed.
        func fact(of push: Push) -> Fact? {
            if let reason = verdict.reason { return Fact(.pushRefused, version: push.version, reason: reason.name) }
            return verdict == .unknown ? Fact(.pushUnknown, version: push.version) : nil
        }
    }

    private func settle(
        _ push: SentPush, _ verdict: Verdict, in activity: inout Activity, _ part: inout SettledPage.Part,
        _ declaration: DeclarationReader
    ) throws -> Settlement {
        guard var replica = try ledger.replica(push.ordinal, of: activity.id) else { return Settlement() }
        let before = replica
        var answer = PushAnswer(
            verdict.verdict, at: now, deadSince: verdict.deadSince, stampedUpTo: verdict.stampedUpTo)
        if try isDoubtful(verdict, on: push, to: replica, in: activity) {
            answer.verdict = .notProcessed
            replica.lease?.suspicion = nil
        }
        let started = activity.tally.started
        var settlement = try replica.settle(
            push, answer, tally: &activity.tally, declaration: declaration.callAsFunction)
        // The replica goes again, but not in the second in which the push left (R7).
        if verdict.isVoid { replica.notePush(in: max(now.second, verdict.stampedUpTo), at: now) }
        if settlement.suspect != nil, push.push.event == .start, try !ledger.isStartTokenProven(of: before) {
            settlement.suspect = nil
        }
        record(settlement.age, in: &activity.tally)
        if activity.tally.started > started {
            try transaction.countAcceptedStart(of: replica, in: activity.app)
        }
        activity.canary?.count(verdict.verdict, of: push.push)
        // A member of the ring is always written, so that its page's credit does not count for it.
        if replica != before || verdict.isInRing { try transaction.update(replica, from: before, in: activity.app) }
        if let fact = verdict.fact(of: push.push) { try transaction.record([fact], of: replica, in: activity.app) }
        try settleStartToken(settlement, push, of: before, in: activity)
        try look(at: replica, in: activity, &part, declaration: declaration.callAsFunction)
        return settlement
    }

    /// Records how long replicas have been behind. A negative age means that the clock was set back, and is measured by
    /// the time that really went by.
    private func record(_ age: Double?, times count: Int = 1, in tally: inout Tally) {
        guard let seconds = seconds(of: age) else { return }
        tally.ages.record(seconds: seconds, count: count)
    }

    private func seconds(of age: Double?) -> Double? {
        guard let age else { return nil }
        return age < 0 ? pushing?.age(of: now - age, at: now) ?? 0 : age
    }

    /// Stores the credit of a ring page, and excludes members that still wait for their verdict.
    private func credit(
        _ ring: RingSettlement.Outcome, except open: [Int], to activity: inout Activity, _ part: inout SettledPage.Part,
        _ declaration: DeclarationReader
    ) throws {
        guard let page = ring.page else { return }
        for ordinal in open { try ledger.renew(ordinal, of: activity.id) }
        try ledger.put(page)
        for group in ring.groups {
            activity.tally.add(group.tally, times: group.count)
            activity.canary?.count(.accepted, of: group.push, times: group.count)
            record(group.age, times: group.count, in: &activity.tally)
            if page.credit.isEnd { try countEnds(of: group, onPage: page.number, in: activity.app) }
            guard group.count > 0, group.replica.phase == .live else { continue }
            try look(at: group.replica, on: page, in: activity, &part, declaration)
        }
    }

    /// Counts members of a page that its credit has ended, because their rows are not written.
    private func countEnds(of group: RingSettlement.Group, onPage page: Int, in app: AppID) throws {
        var (live, ended) = (group.replica, group.replica)
        (live.phase, ended.phase) = (.live, .ended)
        ledger.countStates(from: live, to: ended, times: group.count, in: app)
        try transaction.count(
            .over, group.slots, onPage: page, in: transaction.counts(of: ended.activity, in: app))
    }

    /// Records whether members of a page like this one are due again. With an open canary both ends of the page are
    /// asked, because the share may end on the page.
    private func look(
        at member: Replica, on page: RingPage, in activity: Activity, _ part: inout SettledPage.Part,
        _ declaration: DeclarationReader
    ) throws {
        var one = member
        for ordinal in activity.openCanary == nil
            ? [one.ordinal] : [page.ordinals.lowerBound, page.ordinals.upperBound]
        {
            one.ordinal = ordinal
            let due = try one.due(
                in: activity, at: now, profile: profile(of: activity),
                declaration: declaration.callAsFunction)
            // The page's look has asked each member when it expires. The replica that stands for them never does.
            if case .nothing = due { continue }
            part.take(due)
        }
    }

    /// Records whether the replica is due again, for example because something newer was declared meanwhile.
    private func look(
        at replica: Replica, in activity: Activity, _ part: inout SettledPage.Part, declaration: DeclarationLookup
    ) throws {
        let due = try replica.due(
            in: activity, at: now, profile: profile(of: activity),
            phone: PhoneLookup(startToken: { try ledger.startToken(of: replica.device, type: activity.type ?? "") }),
            declaration: declaration)
        part.take(due)
    }

    /// Whether a refusal of a start may concern an older start token of the device, or a token that has changed its
    /// environment. Such a start goes again.
    private func isDoubtful(
        _ verdict: Verdict, on sent: SentPush, to replica: Replica, in activity: Activity
    ) throws -> Bool {
        guard sent.push.event == .start, let lease = replica.lease, let type = activity.type,
            let action = verdict.verdict.reason?.action, action == .buryToken || action == .suspectToken,
            let token = try ledger.startToken(of: replica.device, type: type)
        else { return false }
        guard token.environment == sent.environmentOfToken(lease) else { return true }
        if action == .buryToken { return Replica.isDoubtful(verdict.deadSince, ofTokenSetAt: token.setAt, at: now) }
        return lease.sentAt.map { token.setAt > $0 } ?? false
    }

    /// Applies a verdict to the device's start token, unless the token was set again since.
    private func settleStartToken(
        _ settlement: Settlement, _ sent: SentPush, of replica: Replica, in activity: Activity
    ) throws {
        guard settlement.startTokenDeath != nil || settlement.startTokenMoved, let type = activity.type,
            let former = try ledger.startToken(of: replica.device, type: type),
            let lease = replica.lease, let sentAt = lease.sentAt, former.setAt <= sentAt
        else { return }
        var token = former
        if settlement.startTokenMoved {
            token.environment = sent.environment
            try clearProbes(of: type, on: replica.device, in: activity.app)
        } else if token.environment != sent.environmentOfToken(lease) {
            return
        }
        token.death = settlement.startTokenDeath
        try transaction.put(token, from: former, in: activity.app)
    }

    /// Clears the probes of other starts on the device. A probe would go to the environment that the token has just
    /// left.
    private func clearProbes(of type: String, on device: DeviceID, in app: AppID) throws {
        try ledger.forEachReplica(of: device) { former in
            guard former.waitsForProbe, try ledger.activity(former.activity)?.type == type else { return }
            var replica = former
            replica.lease?.suspicion = nil
            try transaction.update(replica, from: former, in: app)
        }
    }
}

extension SentPush {
    /// The environment that a start's token had when the start was sent. A probe goes to the other one.
    fileprivate func environmentOfToken(_ lease: Lease) -> PushEnvironment {
        lease.probing ? environment.other : environment
    }
}
