import APNSWire
import EyotContract
import EyotDomain

extension Commands {
    /// What keeps an app, or one of its activities, from being pushed to. Empty if nothing does.
    ///
    /// - Throws: `activityUnknown`.
    package func findings(of app: App, activity name: String?, at now: Instant) async throws -> [Finding] {
        let status = pushing.status(at: now)
        return try await store.read { ledger in
            let activity = try name.map { name in
                guard let newest = try ledger.newestActivity(named: name, in: app.id) else {
                    throw try ledger.unknownActivity(name, in: app.id)
                }
                return newest
            }
            let halt = app.haltFinding(in: try ledger.history()) ?? activity.flatMap(app.halt)?.finding
            var findings = [halt].compactMap(\.self)
            findings += app.pushFindings(at: now)
            findings += try ledger.missingKeys(of: app)
            findings += try [ledger.tokensSetAside(of: app)].compactMap(\.self)
            findings += try [status.finding(for: activity?.id, in: ledger, at: now)].compactMap(\.self)
            return findings
        }
    }
}

extension Ledger {
    /// The cards of an app with tokens in quarantine.
    fileprivate func tokensSetAside(of app: App) throws -> Finding? {
        let limit = 100
        let cards = try suspectReplicas(in: app.id, limit: limit).filter(\.isSetAside)
        guard !cards.isEmpty else { return nil }
        let count =
            cards.count == limit ? "\(limit) or more cards" : cards.count == 1 ? "1 card" : "\(cards.count) cards"
        let reasons = Set(cards.compactMap(\.deathReason?.name)).sorted()
        return Finding(
            .tokensSetAside, "Apple refused the tokens of \(count), and nothing is pushed to them.", .certain,
            reasons.isEmpty ? [] : ["Apple's reasons: \(reasons.joined(separator: ", "))."])
    }

    /// A key that is missing in an environment with devices, or everywhere.
    fileprivate func missingKeys(of app: App) throws -> [Finding] {
        let known = Set(try apnsKeys(of: app.id).map(\.environment))
        guard !known.isEmpty else { return app.pauses.isEmpty ? [.apnsKeyMissing(in: nil)] : [] }
        let devices = try counts(of: KeptCounter.adoption(.devices).by(.environment), of: .ofApp, in: app.id)
        return PushEnvironment.allCases.filter { environment in
            !known.contains(environment) && app.pauses[environment] == nil && devices[environment.rawValue] ?? 0 > 0
        }.map { .apnsKeyMissing(in: $0) }
    }
}

extension Replica {
    fileprivate var deathReason: APNSReason? {
        if case .dead(let death) = phase { death.reason } else { nil }
    }
}
