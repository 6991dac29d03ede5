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
        let (now, mayRead) = (backend.clock.now, visit.may(.activitiesRead))
        let pushing = backend.pushing.status(at: now)
        let (alarms, phones) = try await backend.store.read { ledger in
            let halted = try mayRead ? ledger.haltedActivities(of: seat.app.id, limit: AppAlarms.named + 1) : []
            let alarms = AppAlarms(
                try ledger.app(seat.app.id) ?? seat.app, try pushing.finding(for: nil, in: ledger, at: now),
                in: try ledger.history(), halted: try halted.compactMap { try ledger.activity($0)?.name }, at: now)
            return (alarms, try ledger.details(at: place))
        }
        let areSandboxed =
            phones[PushEnvironment.sandbox.rawValue, default: 0] > 0
            && phones[PushEnvironment.production.rawValue, default: 0] == 0
        return AppStanding(alarms: alarms.all, isProduction: seat.key.environment != .sandbox && !areSandboxed)
    }
}
