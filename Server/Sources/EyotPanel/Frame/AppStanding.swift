import EyotContract
import EyotDomain

/// How an app stands while a page is drawn.
struct AppStanding: Sendable {
    /// What keeps the app's cards from moving.
    var alarms: [AppAlarms.Alarm] = []
    /// Whether what a member does may reach phones with builds from the store. It may not if all phones of the app have
    /// builds from Xcode.
    var isProduction = true

    /// Reads how a visit's app stands, in one transaction.
    static func read(for visit: Visit) async throws -> AppStanding {
        let (seat, backend) = (visit.seat, visit.panel.backend)
        let place = CountKey(app: seat.app.id, activity: .ofApp, KeptCounter.adoption(.devices).by(.environment))
        let (app, halted, phones) = try await backend.store.read { ledger in
            let halted = try ledger.haltedActivities(of: seat.app.id, limit: AppAlarms.named + 1)
            return (
                try ledger.app(seat.app.id) ?? seat.app, try halted.compactMap { try ledger.activity($0)?.name },
                try ledger.details(at: place)
            )
        }
        let now = backend.clock.now
        let alarms = AppAlarms(
            app, backend.pushing.status(at: now), halted: visit.may(.activitiesRead) ? halted : [], at: now)
        let areSandboxed =
            phones[PushEnvironment.sandbox.rawValue, default: 0] > 0
            && phones[PushEnvironment.production.rawValue, default: 0] == 0
        return AppStanding(alarms: alarms.all, isProduction: seat.key.environment != .sandbox && !areSandboxed)
    }
}
