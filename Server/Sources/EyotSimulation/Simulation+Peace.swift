import APNSWire
import EyotContract
import EyotDomain

/// The peaceful end of a run: all trouble stops, and everything comes to rest.
extension Simulation {
    /// Seconds of peace at the end, after which everything must be in order. They are more than the longest pause.
    private static let peace = 2_400.0
    /// The most steps of peace. 600 seeds took at most 485.
    private static let stepLimit = 10_000
    /// Seconds for which peace goes on after a card has begun. Its token may come late, and is reported a step later.
    private static let youth = 2 * longestStep
    /// The longest step of peace, in seconds.
    private static let longestStep = 60.0

    func comeToRest() throws {
        isPeace = true
        if hasKeys, brokenKey == nil, random.percent(30) { breakKey() }
        for index in nodes.indices {
            place = index
            try continueNode()
        }
        for index in phones.indices { makePeace(with: index) }
        try endHalts()
        var owed: [SimulationRecord.OwedAlert] = []
        try read { owed = try alertsOwed() }
        try waitInPeace()
        try read { try SimulationOracle(self).judgeAlerts(owed) }
        guard let broken = brokenKey, record.violations.isEmpty else { return }
        // First the phones that the key does not concern are judged. The others follow without new reports.
        try read { try SimulationOracle(self).judgePhones(outside: broken) }
        mendKey()
        try waitInPeace()
    }

    private func waitInPeace() throws {
        let end = time + Self.peace
        var steps = 0
        while time < end || hasYoungCards {
            steps += 1
            guard steps < Self.stepLimit else { return record.violate("R1: it does not come to rest") }
            if underWay > 0 {
                try happen()
            } else {
                if try hasMendedPause() { try resumeApp() }
                try resumeCanaries()
                for index in phones.indices { try send(from: index) }
                guard underWay == 0 else { continue }
                try pass(seconds: max(1, min(Self.longestStep, try untilNext())))
            }
        }
    }

    private var hasYoungCards: Bool {
        phones.contains { phone in
            phone.state.cards.contains { card in
                card.phase.isRunning && time.date.timeIntervalSince(card.startedAt) < Self.youth
            }
        }
    }

    /// Returns the seconds until a node's clock brings something.
    private func untilNext() throws -> Double {
        var next = Self.longestStep
        try onEach {
            let channel = node.isServing ? try nextChannelDue() : nil
            let moments = [node.wakeAt, node.enterAt, node.holding?.beginning.values.min(), channel]
            for moment in moments.compactMap(\.self) { next = min(next, moment.seconds(since: now)) }
        }
        return next
    }

    // MARK: Keys

    /// Whether the plan breaks keys: two of five plans. Phones of production follow no channel, so fewer of them get
    /// broadcasts.
    var hasKeys: Bool { plan.troubles.contains(.keys) && plan.seed % 5 > 2 }

    /// Returns a phone's environment. Every other phone is a developer's.
    func environment(ofPhone number: Int) -> PushEnvironment {
        hasKeys && number.isMultiple(of: 2) ? .production : .sandbox
    }

    /// Makes Apple refuse the app's keys in one environment until they are corrected.
    func breakKey() {
        let environment = PushEnvironment.allCases[random.below(2)]
        keysBroken += 1
        record.note("Apple takes no key in \(environment.rawValue)")
        brokenKey = environment
    }

    /// Apple's refusals of a key. They rotate, because the last pause may have been for another key that is corrected
    /// by now.
    private static let complaints: [APNSReason] = [
        .missingProviderToken, .invalidProviderToken, .badTopic, .topicDisallowed,
    ]

    var complaint: APNSReason { Self.complaints[keysBroken % Self.complaints.count] }

    /// Whether a reason is about a key that must be corrected first.
    func isComplaint(_ reason: APNSReason) -> Bool { hasKeys && Self.complaints.contains(reason) }

    func mendKey() {
        guard let broken = brokenKey else { return }
        record.note("the key for \(broken.rawValue) is mended")
        brokenKey = nil
    }

    /// Whether an operator has a reason to resume the app. While a key is broken, only another pause of the other
    /// environment is one.
    private func hasMendedPause() throws -> Bool {
        guard let broken = brokenKey else { return true }
        let pause = try store.read { try $0.app(app)?.pauses[broken.other] }
        return pause.map { $0.reason != complaint } ?? false
    }
}
