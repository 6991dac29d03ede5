import APNSWire
import EyotContract
import EyotDomain

/// What verdicts led to, as far as the engine has to act on it.
package struct SettledPage: Sendable, Hashable {
    /// One of the replicas is due again at once.
    package var isDue = false
    /// The activity's stamp when the replicas were looked at; nil where it is gone.
    package var stamp: Int?
    /// The soonest moment at which one of them is due again.
    package var later: Instant?
    /// Apple's answers in order: whether each made its token suspect.
    package var suspicions: [Bool] = []
    /// Why, of the last one that was.
    package var suspectReason: APNSReason?
    /// Nothing will work for the app until somebody mends something.
    package var pause: APNSReason?

    package init() {}

    /// The verdicts could not be stored: whom they concern is as much behind as before.
    static var lost: SettledPage {
        var page = SettledPage()
        page.isDue = true
        return page
    }
}

/// Takes the verdicts of a page in. One transaction.
package struct SettlePage {
    let ledger: any Ledger
    let now: Instant

    package init(ledger: any Ledger, now: Instant) {
        self.ledger = ledger
        self.now = now
    }

    package func callAsFunction(
        _ id: ActivityID, _ sent: [SentPush], _ verdicts: PageVerdicts
    ) throws -> SettledPage {
        var result = SettledPage()
        guard var activity = try ledger.activity(id) else { return result }
        result.stamp = activity.stamp
        let declaration = DeclarationReader(ledger, of: id)
        // Asked only where it matters: most pages have no such verdict.
        let isAppAtFault =
            try verdicts.verdicts.contains { $0.reason?.action == .suspectToken }
            && ledger.app(activity.app)?.pause?.reason.action == .suspectToken
        for (slot, push) in sent.enumerated() {
            guard var replica = try ledger.replica(push.ordinal, of: id) else { continue }
            let before = replica
            var verdict = verdicts.verdicts[slot]
            // The app is known to be at fault by now, so this says nothing of the token; it goes again when that is mended.
            if isAppAtFault, verdict.reason?.action == .suspectToken { verdict = .notProcessed }
            let settlement = try replica.settle(
                push, verdict: verdict,
                deadSince: verdicts.deadSince[slot].map { Instant(microseconds: $0 * 1_000) }, at: now,
                tally: &activity.tally, declaration: declaration.callAsFunction)
            if let age = settlement.age { activity.tally.ages.record(seconds: age) }
            if replica != before { try ledger.update(replica) }
            try settleStartToken(settlement, of: before, in: activity)
            if let isSuspect = settlement.isSuspect {
                result.suspicions.append(isSuspect)
                if isSuspect { result.suspectReason = verdicts.verdicts[slot].reason }
            }
            result.pause = result.pause ?? settlement.pause
            try look(at: replica, in: activity, &result, declaration: declaration.callAsFunction)
        }
        try ledger.update(activity)
        return result
    }

    /// Whether the replica is due again, be it that something newer was declared meanwhile.
    private func look(
        at replica: Replica, in activity: Activity, _ result: inout SettledPage, declaration: DeclarationLookup
    ) throws {
        let due = try replica.due(
            in: activity, at: now,
            startToken: { try ledger.startToken(of: replica.device, type: activity.type ?? "") },
            osVersion: { .remoteStart }, declaration: declaration)
        switch due {
        case .nothing(let until):
            if let until { result.later = min(result.later ?? until, until) }
        case .push, .expired, .abandonStart: result.isDue = true
        case .later(let moment): result.later = min(result.later ?? moment, moment)
        }
    }

    /// Acts on a verdict that concerns the device's start token, unless that was set again since.
    private func settleStartToken(_ settlement: Settlement, of replica: Replica, in activity: Activity) throws {
        guard settlement.startTokenDeath != nil || settlement.startTokenMoved, let type = activity.type,
            var token = try ledger.startToken(of: replica.device, type: type),
            let sentAt = replica.lease?.sentAt, token.setAt <= sentAt
        else { return }
        token.death = settlement.startTokenDeath
        if settlement.startTokenMoved { token.environment = token.environment.other }
        try ledger.put(token, in: activity.app)
    }
}

/// Pauses an app: Apple refuses in a way that would bury tokens that are in order (R8).
package struct PauseApp {
    let ledger: any Ledger
    let now: Instant

    package init(ledger: any Ledger, now: Instant) {
        self.ledger = ledger
        self.now = now
    }

    package func callAsFunction(_ id: AppID, because reason: APNSReason) throws {
        guard var app = try ledger.app(id), app.pause == nil else { return }
        app.pause = AppPause(reason: reason, since: now)
        try ledger.update(app)
        if reason.action == .suspectToken { try LiftSuspicion(ledger: ledger, now: now)(in: id) }
    }
}
