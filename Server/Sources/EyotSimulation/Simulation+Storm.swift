import EyotContract
import EyotDomain
import EyotEngine

/// An activity to which declarations come faster than the engine gets round its replicas (R3).
struct SimulatedStorm {
    var activity: ActivityID
    /// For each replica that can be pushed to, how many others have had a turn since it had one.
    var passedOver: [Int: Int]
    /// A lap gives each of the others one turn. Between two turns of a replica there are the rest of one lap, the beginning of
    /// the next, and one more where the second of its last push had not passed when its turn came; with clocks that are set back, two.
    let limit: Int
    /// The tenure in which the turns were counted: the next one begins a lap anew.
    var epoch = 0

    init(_ activity: ActivityID, ordinals: [Int], laps: Int) {
        self.activity = activity
        passedOver = Dictionary(uniqueKeysWithValues: ordinals.map { ($0, 0) })
        limit = laps * ordinals.count
    }
}

extension Simulation {
    private static let stormLength = 24

    /// Where not everybody has room on a page: declares on and on, with too little time between for a lap, and sees to it that
    /// each replica has its turn.
    func declareOnAndOn() throws {
        if hasKeys, random.percent(50) { breakKey() }
        defer { mendKey() }
        for name in Self.names {
            try read { storm = try whoMustWait(for: name) }
            guard storm != nil else { continue }
            for _ in 0..<Self.stormLength where record.violations.isEmpty {
                try declare(DeclarationRequest(verb: .update, name: name, content: content()))
                for _ in 0..<6 + random.below(6) {
                    // What has left in one second may be stored in the one before.
                    if hasNodes, random.percent(10) { setClock() }
                    try happen()
                }
                try pass(seconds: 1)
            }
            storm = nil
        }
    }

    /// Nil where one look sees everybody.
    private func whoMustWait(for name: String) throws -> SimulatedStorm? {
        guard let activity = try ledger.newestActivity(named: name, in: app), !activity.isEnded else { return nil }
        let pauses = try ledger.app(app)?.pauses ?? [:]
        let ordinals = try ledger.replicas(of: activity.id, after: 0, limit: .max)
            .filter { isInOrder($0, pauses) }.map(\.ordinal)
        let mustWait =
            plan.isSpread
            ? Set(ordinals.map(RingPage.number)).count > 1 : ordinals.count > limits.pushesPerTake
        return mustWait ? SimulatedStorm(activity.id, ordinals: ordinals, laps: hasNodes ? 4 : 3) : nil
    }

    /// Whether nothing stands in the way of pushes to this replica.
    private func isInOrder(_ replica: Replica, _ pauses: [PushEnvironment: AppPause]) -> Bool {
        guard let environment = replica.token?.environment, pauses[environment] == nil else { return false }
        return replica.phase == .live && replica.ending == nil && replica.retry == nil
            && replica.token?.probing == false
    }

    /// Counts who had a turn and who had not.
    func judgeTurns(_ look: EngineCore.Look, _ taken: TakenPages) throws {
        guard var storm, storm.activity == look.activity else { return }
        if storm.epoch != node.epoch {
            storm.epoch = node.epoch
            storm.passedOver = storm.passedOver.mapValues { _ in 0 }
        }
        let turns = taken.pages.flatMap { page in
            page.runs.filter { $0.activity == look.activity }.flatMap { page.sent[$0.slots].map(\.ordinal) }
        }
        for ordinal in storm.passedOver.keys.sorted() where !look.inFlight.contains(ordinal) {
            storm.passedOver[ordinal]? += turns.count
            if turns.contains(ordinal) { storm.passedOver[ordinal] = 0 }
            guard storm.passedOver[ordinal] ?? 0 > storm.limit,
                let replica = try ledger.replica(ordinal, of: look.activity),
                isInOrder(replica, try ledger.app(app)?.pauses ?? [:])
            else { continue }
            record.violate("R3: replica \(ordinal) has no turn while others have \(storm.limit)")
        }
        self.storm = storm
    }

    /// What the fault `lapsRestart` does.
    func restarted(_ look: EngineCore.Look) throws -> EngineCore.Look {
        var look = look
        let version = try ledger.activity(look.activity)?.version
        if version != seenVersions.updateValue(version ?? 0, forKey: look.activity) { look.cursor = .start }
        return look
    }
}
