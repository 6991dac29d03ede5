import EyotCommands
import EyotContract
import EyotDomain

/// A phone's report at the server.
struct SimulatedReport: Sendable {
    var phone: Int
    var batch: DeviceChangeBatch
    /// The moment of its arrival.
    var at: Instant
    /// The history of the database at its arrival, which stands in the answer.
    var history: Int
    /// Whether the phone waits for the answer. A phone that has given up may have sent a newer report, which may arrive
    /// first.
    var isAwaited = true
    /// Whether the gate counts the report.
    var isAtGate = true
}

/// An answer to a phone.
struct SimulatedAnswer {
    var answer: DeviceAnswer
    /// The history of the database that it names.
    var history: Int
}

extension [SimulatedReport] {
    /// The phones that wait for an answer to one of these reports.
    var askers: [Int] { filter(\.isAwaited).map(\.phone) }
}

/// The way of reports through the gate, as in ``Registrations``, step by step. Some are applied at once. Others are
/// appended to the log together, which is merged meanwhile.
extension Simulation {
    /// Returns limits that are small enough for each to be reached. Without floods the log stays closed.
    static func registrationLimits(of plan: SimulationPlan) -> Registrations.Limits {
        var limits = Registrations.Limits()
        limits.atOnce = Int(plan.seed / 3 % 3)
        (limits.waiting, limits.group, limits.groups) = (3, 2, 2)
        (limits.log, limits.round, limits.merge, limits.remove) = (4, 5, 2, 2)
        return limits
    }

    func restartGate() {
        node.gate = RegistrationGate(limits: Self.registrationLimits(of: plan))
        if plan.troubles.contains(.floods) { node.gate.open() }
        // The log is merged at the start.
        node.isMerging = true
        node.pending.append(.merge)
    }

    /// Admits a report that has reached the server.
    func admit(_ report: SimulatedReport) {
        node.pageSince = node.pageSince ?? time
        // Phones lose patience only with the log. They do not if their next report could be sooner than the difference
        // of clocks.
        var impatient = report
        impatient.isAwaited = isPeace || hasNodes || !plan.troubles.contains(.silence) || !random.percent(25)
        switch node.gate.enter(impatient, of: app) {
        case .atOnce: node.pending.append(.apply(report))
        case .waits:
            node.pending.append(.gather)
            if !impatient.isAwaited { abandonReports(on: report.phone) }
        case .refused:
            node.gate.leave(of: app)
            record.note("a report of phone-\(report.phone + 1) is refused")
            node.pending.append(.answer(phone: report.phone, nil))
        }
    }

    func apply(_ report: SimulatedReport) throws {
        var answer: DeviceAnswer?
        try write {
            let device = phones[report.phone].device
            try remember(report)
            answer = try ApplyChanges(Transaction(ledger, at: report.at))(report.batch, of: device)
            record.note("phone-\(report.phone + 1) reports \(report.batch.words)")
        }
        self.answer(report, answer)
    }

    /// Records the changes of a report. Changes that are older than the device's last ones have no effect.
    private func remember(_ report: SimulatedReport) throws {
        let known = try ledger.device(phones[report.phone].device)?.sequence ?? 0
        for change in report.batch.changes where change.sequence > known {
            try remember(change.action, of: report.phone)
        }
    }

    private func answer(_ report: SimulatedReport, _ answer: DeviceAnswer?) {
        if report.isAtGate { node.gate.leave(of: app) }
        guard report.isAwaited else { return }
        let isLost = !isPeace && plan.troubles.contains(.silence) && random.percent(10)
        let made = answer.map { SimulatedAnswer(answer: $0, history: report.history) }
        node.pending.append(.answer(phone: report.phone, isLost ? nil : made))
    }

    // MARK: Into the log

    func gather() { while let group = node.gate.nextGroup() { node.pending.append(.group(group)) } }

    func answer(_ group: [SimulatedReport]) throws {
        var answered: [AnswerArrivals.Answered?] = []
        try read {
            var answer = AnswerArrivals(Transaction(try ledger, at: now))
            let reports = try group.map { try answer($0.batch, of: phones[$0.phone].device) }
            answered = try RoomInLog(ledger: ledger, limits: Self.registrationLimits(of: plan))(for: reports)
        }
        node.pending.append(.append(group, answered))
    }

    func append(_ group: [SimulatedReport], _ answered: [AnswerArrivals.Answered?]) throws {
        let answers = answered.map { $0?.answer }
        try write {
            try ledger.append(answered.compactMap { $0?.arrival })
            for (report, answer) in zip(group, answers) where answer != nil {
                try remember(report)
                record.note("phone-\(report.phone + 1) reports into the log \(report.batch.words)")
            }
        }
        node.gate.endGroup()
        node.pending.append(.gather)
        for (report, answer) in zip(group, answers) {
            if let answer { self.answer(report, answer) } else { node.pending.append(.apply(report)) }
        }
        guard !node.isMerging, answers.contains(where: { $0 != nil }) else { return }
        node.isMerging = true
        node.pending.append(.merge)
    }

    // MARK: Out of the log

    func merge() throws {
        let limits = Self.registrationLimits(of: plan)
        var round: MergeRound?
        try read { round = try MergeRound(ledger, limits: limits) }
        guard let round, !round.isEmpty else {
            node.isMerging = false
            return
        }
        node.pending.append(.merging(round.merges[...], round.removals[...]))
    }

    /// Performs one transaction of a round.
    func merge(_ merges: ArraySlice<[Int64]>, _ removals: ArraySlice<[Int64]>) throws {
        if let ids = merges.first {
            record.note("merge \(ids.count)")
            if fault != .tokensForgotten { try write { try mergeArrivals(ids) } }
            return node.pending.append(.merging(merges.dropFirst(), removals))
        }
        guard let ids = removals.first else { return node.pending.append(.merge) }
        try write { try ledger.removeArrivals(ids) }
        node.pending.append(.merging([], removals.dropFirst()))
    }

    private func mergeArrivals(_ ids: [Int64]) throws {
        let arrivals = try ids.compactMap { try ledger.arrival($0) }
        var former: [DeviceID: Int] = [:]
        for arrival in arrivals { former[arrival.device] = try ledger.device(arrival.device)?.sequence }
        if fault == .reportsOvertaken { try forgetReports(since: arrivals) }
        try MergeArrivals(Transaction(ledger, at: now))(ids)
        if fault == .arrivalsOverrated { try overrate(arrivals) }
        for arrival in arrivals { try judge(arrival, appliedAfter: former[arrival.device]) }
    }

    /// Judges a merged arrival. A phone's later report must win (R8), and a card must not count as updated through a
    /// token that was unknown then (R1). At rest phones report everything anew, so neither fault would show then.
    private func judge(_ arrival: Arrival, appliedAfter sequence: Int?) throws {
        guard let replica = try ledger.replica(ofInstance: arrival.instance, on: arrival.device),
            let token = replica.token?.token
        else { return }
        if let told = record.told[arrival.instance], token != told {
            record.violate("R8: \(arrival.instance) has a token that is older than what its phone has said")
        }
        if let sequence, sequence < arrival.sequence, replica.acceptedVersion > arrival.accepted {
            record.violate("R1: \(arrival.instance) counts as told what its token was not told")
        }
    }

    /// Implements the fault `reportsOvertaken`: forgets that later reports of the devices are newer.
    private func forgetReports(since arrivals: [Arrival]) throws {
        for arrival in arrivals {
            guard var device = try ledger.device(arrival.device) else { continue }
            device.sequence = min(device.sequence, arrival.sequence - 1)
            try ledger.update(device)
        }
    }

    /// Implements the fault `arrivalsOverrated`.
    private func overrate(_ arrivals: [Arrival]) throws {
        for arrival in arrivals {
            guard var replica = try ledger.replica(arrival.ordinal, of: arrival.activity), replica.phase == .live,
                let activity = try ledger.activity(arrival.activity)
            else { continue }
            replica.acceptedVersion = max(replica.acceptedVersion, replica.desiredState(in: activity))
            try ledger.update(replica)
        }
    }
}

extension DeviceChangeBatch {
    fileprivate var words: String { changes.map(\.action.word).joined(separator: " ") }
}
