import EyotContract
import EyotDomain
import EyotEngine

/// An activity with declarations that come faster than a lap over its replicas (R3).
struct SimulatedStorm {
    var activity: ActivityID
    /// For each replica that can be pushed to, the number of turns of others since its last turn.
    var passedOver: [Int: Int]
    /// The most turns of others between two turns of a replica. These are the rest of one lap and the beginning of the
    /// next, because each lap gives one turn. One more lap is allowed for a turn within the second of the last push,
    /// and two with clocks that are set back.
    let limit: Int
    /// The tenure in which the turns were counted. The next tenure begins a new lap.
    var epoch = 0

    init(_ activity: ActivityID, ordinals: [Int], laps: Int) {
        self.activity = activity
        passedOver = Dictionary(uniqueKeysWithValues: ordinals.map { ($0, 0) })
        limit = laps * ordinals.count
    }
}

extension Simulation {
    private static let stormLength = 24

    /// Declares continuously, if not all replicas fit one page, with too little time for a lap. Checks that each
    /// replica has its turn.
    func declareOnAndOn() throws {
        if hasKeys, random.percent(50) { breakKey() }
        defer { mendKey() }
        for name in Self.names {
            try read { storm = try whoMustWait(for: name) }
            guard storm != nil else { continue }
            for _ in 0..<Self.stormLength where record.violations.isEmpty {
                try declare(DeclarationRequest(verb: .update, name: name, content: content()))
                for _ in 0..<6 + random.below(6) {
                    // A push of one second may be stored in the second before.
                    if hasNodes, random.percent(10) { setClock() }
                    try happen()
                }
                try pass(seconds: 1)
            }
            storm = nil
        }
    }

    /// Returns the storm; nil if one look covers all replicas.
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

    /// Whether nothing prevents pushes to this replica.
    private func isInOrder(_ replica: Replica, _ pauses: [PushEnvironment: AppPause]) -> Bool {
        guard let environment = replica.token?.environment, pauses[environment] == nil else { return false }
        return replica.phase == .live && replica.ending == nil && replica.retry == nil
            && replica.token?.probing == false
    }

    /// Counts the turns of replicas.
    func judgeTurns(_ look: EngineCore.Look, _ taken: TakenPages) throws {
        guard var storm, storm.activity == look.activity else { return }
        let epoch = node.epoch(of: shard(of: look.activity))
        if storm.epoch != epoch {
            storm.epoch = epoch
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

    /// Implements the fault `lapsRestart`.
    func restarted(_ look: EngineCore.Look) throws -> EngineCore.Look {
        var look = look
        let version = try ledger.activity(look.activity)?.version
        if version != seenVersions.updateValue(version ?? 0, forKey: look.activity) { look.cursor = .start }
        return look
    }
}
