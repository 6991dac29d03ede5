import EyotCommands
import EyotContract
import EyotDomain

/// What a phone reports, at the server.
struct SimulatedReport: Sendable {
    var phone: Int
    var batch: DeviceChangeBatch
    /// When it came.
    var at: Instant
}

/// Reports pass the gate as they do in ``Registrations``, each step by itself: some are applied at once, others go into the log
/// together, which is merged meanwhile.
extension Simulation {
    /// So little room that every limit is met. Where there are no floods the log stays closed.
    static func registrationLimits(of plan: SimulationPlan) -> Registrations.Limits {
        var limits = Registrations.Limits()
        limits.atOnce = Int(plan.seed / 3 % 3)
        (limits.waiting, limits.group, limits.groups) = (3, 2, 2)
        (limits.log, limits.round, limits.merge, limits.remove) = (4, 5, 2, 2)
        return limits
    }

    func restartGate() {
        gate = RegistrationGate(limits: Self.registrationLimits(of: plan))
        if plan.troubles.contains(.floods) { gate.open() }
        // What the log holds is merged at the start.
        isMerging = true
        pending.append(.merge)
    }

    /// A report has come to the server.
    func admit(_ report: SimulatedReport) {
        pageSince = pageSince ?? now
        switch gate.enter(report, of: app) {
        case .atOnce: pending.append(.apply(report))
        case .waits: pending.append(.gather)
        case .refused:
            gate.leave(of: app)
            record.note("a report of phone-\(report.phone + 1) is refused")
            pending.append(.answer(phone: report.phone, nil))
        }
    }

    func apply(_ report: SimulatedReport) throws {
        var answer: DeviceAnswer?
        try write {
            let device = phones[report.phone].device
            for change in report.batch.changes { try remember(change.action, of: report.phone) }
            answer = try ApplyChanges(ledger: ledger, now: report.at)(report.batch, of: device)
            record.note("phone-\(report.phone + 1) reports \(report.batch.words)")
        }
        self.answer(report, answer)
    }

    private func answer(_ report: SimulatedReport, _ answer: DeviceAnswer?) {
        gate.leave(of: app)
        let isLost = !isPeace && plan.troubles.contains(.silence) && random.percent(10)
        pending.append(.answer(phone: report.phone, isLost ? nil : answer))
    }

    // MARK: Into the log

    func gather() { while let group = gate.nextGroup() { pending.append(.group(group)) } }

    func answer(_ group: [SimulatedReport]) throws {
        var answered: [AnswerArrivals.Answered?] = []
        try read {
            var answer = AnswerArrivals(ledger: try ledger, now: now)
            answered = try group.map { try answer($0.batch, of: phones[$0.phone].device) }
        }
        pending.append(.append(group, answered))
    }

    func append(_ group: [SimulatedReport], _ answered: [AnswerArrivals.Answered?]) throws {
        var answers: [DeviceAnswer?] = []
        try write {
            answers = try AppendArrivals(ledger: ledger, limits: Self.registrationLimits(of: plan))(answered)
            for (report, answer) in zip(group, answers) where answer != nil {
                for change in report.batch.changes { try remember(change.action, of: report.phone) }
                record.note("phone-\(report.phone + 1) reports into the log \(report.batch.words)")
            }
        }
        gate.endGroup()
        pending.append(.gather)
        for (report, answer) in zip(group, answers) {
            if let answer { self.answer(report, answer) } else { pending.append(.apply(report)) }
        }
        guard !isMerging, answers.contains(where: { $0 != nil }) else { return }
        isMerging = true
        pending.append(.merge)
    }

    // MARK: Out of the log

    func merge() throws {
        let limits = Self.registrationLimits(of: plan)
        var round: MergeRound?
        try read { round = try MergeRound(ledger, limits: limits) }
        guard let round, !round.isEmpty else {
            isMerging = false
            return
        }
        pending.append(.merging(round.merges[...], round.removals[...]))
    }

    /// One transaction of a round.
    func merge(_ merges: ArraySlice<[Int64]>, _ removals: ArraySlice<[Int64]>) throws {
        if let ids = merges.first {
            record.note("merge \(ids.count)")
            if fault != .tokensForgotten { try write { try MergeArrivals(ledger: ledger, now: now)(ids) } }
            return pending.append(.merging(merges.dropFirst(), removals))
        }
        guard let ids = removals.first else { return pending.append(.merge) }
        try write { for id in ids { try ledger.removeArrival(id) } }
        pending.append(.merging([], removals.dropFirst()))
    }
}

extension DeviceChangeBatch {
    fileprivate var words: String { changes.map(\.action.word).joined(separator: " ") }
}
