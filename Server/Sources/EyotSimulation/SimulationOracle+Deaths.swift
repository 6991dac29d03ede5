import APNSWire
import EyotContract
import EyotDomain
import EyotEngine

/// Checks that dead tokens have a reason, and that the reason is an answer of Apple (R8).
extension Simulation {
    /// Records Apple's answer about a token, whether or not the server gets it.
    func noteSaid(
        _ verdict: PushVerdict, of token: PushToken, in environment: PushEnvironment, since: Int64?, to body: [UInt8]
    ) throws {
        guard let reason = verdict.reason else { return }
        let event = try JSONValue(parsing: body).object?["aps"]?.object?["event"]?.string
        let saying = SimulationRecord.Saying(
            reason: reason, environment: environment, since: since.map { Instant(microseconds: $0 * 1_000) },
            isOfEnd: event == LiveActivityEvent.end.rawValue)
        if record.said[token]?.contains(saying) != true { record.said[token, default: []].append(saying) }
    }

    /// Returns the replicas that count as dead.
    private func deaths(in activity: ActivityID) throws -> [Replica] {
        try ledger.replicas(of: activity, after: 0, limit: .max).filter(\.isDead)
    }

    /// Performs an action after which tokens of these activities may count as dead, and judges the reason of each.
    func judgingDeaths(in activities: [ActivityID], _ body: () throws -> Void) throws {
        let former = Set(try activities.flatMap { try deaths(in: $0) }.map { "\($0.activity) \($0.ordinal)" })
        try body()
        let pauses = try ledger.app(app)?.pauses ?? [:]
        for replica in try activities.flatMap({ try deaths(in: $0) })
        where !former.contains("\(replica.activity) \(replica.ordinal)") {
            try SimulationOracle(self).judgeDeath(of: replica, pauses: Set(pauses.keys))
        }
    }

    /// Implements the fault `deathsAssumed`: a push without an answer counts as refused with a dead token.
    func assumeDeaths(_ verdicts: inout PageVerdicts, on slot: Int) {
        if fault == .deathsAssumed, verdicts.verdicts[slot] == .unknown, !verdicts.open.contains(slot) {
            verdicts.verdicts[slot] = .refused(.unregistered)
        }
    }

    /// Implements the fault `probesSpared`: the first refusal sets a token aside.
    func spareProbes(on page: TakenPage) throws {
        guard fault == .probesSpared else { return }
        for run in page.runs {
            for slot in run.slots {
                guard var replica = try ledger.replica(page.sent[slot].ordinal, of: run.activity),
                    replica.phase == .live, replica.token?.probing == true
                else { continue }
                replica.abandonProbe()
                try ledger.update(replica)
            }
        }
    }
}

extension SimulationOracle {
    /// Judges a replica's death.
    ///
    /// - Parameter pauses: the environments that cannot be probed now; nil if the check is made later, when this is
    ///   unknown.
    func judgeDeath(of replica: Replica, pauses: Set<PushEnvironment>?) throws {
        guard case .dead(let death) = replica.phase else { return }
        let label = "\(replica.activity.rawValue)-\(replica.ordinal)"
        guard let token = replica.token else { return violate("R8: \(label) counts as dead and has no token") }
        if !isFounded(death, token, pauses: pauses) {
            violate("R8: the token of \(label) counts as dead (\(death.reason.name)), and Apple has not said so")
        }
        guard !death.isQuarantine, pauses != nil else { return }
        // Apple's moment before the token was set does not count for a minute.
        let sayings = said(of: token.token).filter { $0.reason == death.reason }
        let doubt = 60 - 1 - simulation.skew
        let isNew = simulation.now.seconds(since: token.setAt) < doubt
        if isNew, sayings.allSatisfy({ $0.since.map { $0 + simulation.skew < token.setAt } ?? false }) {
            violate("R8: the token of \(label) was set again since Apple knows that it was dead")
        }
    }

    /// R8: judges deaths at rest too, for cards that are no longer visible and for start tokens.
    func judgeDeaths() throws {
        for name in Simulation.names {
            for phone in simulation.phones {
                for replica in try simulation.ledger.replicas(of: phone.device, named: name, in: simulation.app) {
                    try judgeDeath(of: replica, pauses: nil)
                }
            }
        }
        for (index, phone) in simulation.phones.enumerated() {
            guard let token = try simulation.ledger.startToken(of: phone.device, type: Simulation.type),
                let death = token.death
            else { continue }
            // A probe without a result has not moved the token.
            let shown = UpdateToken(token: token.token, environment: token.environment, version: 0, setAt: token.setAt)
            if !isFounded(death, shown, pauses: nil) {
                violate("R8: the start token of phone-\(index + 1) counts as dead, and Apple has not said so")
            }
        }
    }

    private func said(of token: PushToken) -> [SimulationRecord.Saying] { simulation.record.said[token] ?? [] }

    private func isFounded(_ death: TokenDeath, _ token: UpdateToken, pauses: Set<PushEnvironment>?) -> Bool {
        let (own, other) = (token.environment, token.environment.other)
        let sayings = said(of: token.token)
        let here = sayings.filter { $0.environment == own }
        guard death.isQuarantine else {
            return death.reason.action == .buryToken && here.contains { $0.reason == death.reason }
        }
        // Apple refused an end as it is, so no later end would succeed.
        if death.reason.action == .dropPush { return here.contains { $0.isOfEnd && $0.reason == death.reason } }
        // Both environments refused it, or the first did and the other cannot be probed. The first reason stands.
        guard death.reason.action == .suspectToken, here.contains(where: { $0.reason == death.reason }) else {
            return false
        }
        let there = sayings.filter { $0.environment == other }.map(\.reason.action)
        if there.contains(.suspectToken) { return true }
        let isVain = there.contains { [.pauseApp, .pauseChannels].contains($0) }
        return isVain || pauses?.contains(other) ?? true
    }
}

extension Replica {
    fileprivate var isDead: Bool {
        if case .dead = phase { return true }
        return false
    }
}
