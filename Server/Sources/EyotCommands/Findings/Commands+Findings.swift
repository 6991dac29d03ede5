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
            let halt = activity.flatMap(app.halt) ?? app.haltedAt.map { Halt(by: .app, since: $0) }
            var findings = [halt?.finding].compactMap(\.self)
            for environment in PushEnvironment.allCases {
                if let pause = app.pauses[environment] { findings.append(pause.finding(in: environment)) }
            }
            findings += try ledger.missingKeys(of: app)
            return findings + [status.finding].compactMap(\.self)
        }
    }
}

extension Ledger {
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
