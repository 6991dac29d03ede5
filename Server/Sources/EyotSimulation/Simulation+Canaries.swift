import APNSWire
import EyotCommands
import EyotDomain
import EyotEngine

/// Checks that a canary reaches only its share until it goes on to everyone.
extension Simulation {
    /// Records the share of an accepted call, and the end of the canary before it.
    func noteShare(of request: DeclarationRequest, _ operation: Operation, after before: Activity?) {
        guard let id = operation.activity, request.scope == nil, operation.members == nil,
            operation.version != before?.version
        else { return }
        let former = before?.id == id ? before?.openCanary : nil
        if let former, former.hasFailed { drop(former, of: request.name, operation.generation) }
        guard let terms = request.canary else { return }
        let ordinals = operation.pending + (((try? ledger.activity(id))??.nextOrdinal ?? 1) - 1)
        let share = Int((terms.percent / 100 * Double(ordinals)).rounded(.up))
        record.shares[id] = .init(version: operation.version, upTo: max(share, former?.upTo ?? 0))
    }

    private func drop(_ canary: Canary, of name: String, _ generation: Int) {
        let place = SimulationRecord.Generation(name: name, number: generation)
        for index in (record.everyone[place] ?? []).indices {
            guard let version = record.everyone[place]?[index].version else { continue }
            if (canary.oldest...canary.version).contains(version) { record.everyone[place]?[index].isDropped = true }
        }
    }

    func noteAnswer(_ verdict: PushVerdict, to sent: SentPush, of id: ActivityID) {
        guard let share = record.shares[id], sent.push.version == share.version else { return }
        let counts = verdict == .accepted || verdict == .unknown || verdict.reason?.action == .dropPush
        if counts { record.shares[id]?.answers += 1 }
    }

    func judgeShares(_ taken: TakenPages) throws {
        for id in taken.looked.keys { try noteGrowth(of: id) }
        for page in taken.pages {
            for run in page.runs {
                guard let share = record.shares[run.activity], let activity = try ledger.activity(run.activity),
                    activity.openCanary?.version == share.version
                else { continue }
                for sent in page.sent[run.slots] where sent.ordinal > share.upTo {
                    let versions = [sent.push.version, sent.push.stateVersion, sent.push.alertVersion]
                    guard versions.contains(share.version) else { continue }
                    record.violate(
                        "Canary: \(activity.name) \(share.version) goes to \(sent.ordinal), outside its share")
                }
            }
        }
    }

    /// Records that a share may double, because no push of it was answered.
    private func noteGrowth(of id: ActivityID) throws {
        guard let share = record.shares[id], share.answers == 0,
            let canary = try ledger.activity(id)?.openCanary, canary.version == share.version,
            (share.upTo...max(1, 2 * share.upTo)).contains(canary.upTo)
        else { return }
        record.shares[id]?.upTo = canary.upTo
    }

    /// Implements the fault `sharesIgnored`.
    func ignoreShares(of ids: [ActivityID]) throws {
        for id in ids {
            guard var activity = try ledger.activity(id), activity.openCanary != nil else { continue }
            activity.canary?.upTo = activity.nextOrdinal
            try ledger.update(activity)
        }
    }

    /// Continues failed canaries for everyone, as an operator.
    func resumeCanaries() throws {
        for name in Self.names {
            guard try store.read({ try $0.newestActivity(named: name, in: app)?.canary?.hasFailed }) == true else {
                continue
            }
            try write { _ = try SetHalt(Transaction(ledger, at: now)).set(false, activity: name, of: app) }
        }
    }
}
