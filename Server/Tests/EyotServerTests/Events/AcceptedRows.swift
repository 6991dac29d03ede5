import APNSWire
import EyotContract
import EyotDomain

/// What Apple accepted for the cards of an activity, as the engine would store it.
struct AcceptedRows {
    let app: AppID
    let activity: ActivityID
    private let cards: Int

    /// Makes an activity with cards of the users `user-1` and so on.
    init(_ cards: Int, of app: AppID, in store: any Store, at now: Instant) async throws {
        (self.app, self.cards) = (app, cards)
        activity = try await store.write { ledger in
            let activity = try ledger.insertActivity(named: "final", in: app, generation: 1, type: "Match", at: now)
            for ordinal in 1...cards {
                let device = try ledger.insert(
                    NewDevice(
                        app: app, installation: "phone-\(ordinal)", environment: .sandbox, osVersion: OSVersion(18, 1),
                        appVersion: "1", permissions: DevicePermissions(activities: true, frequentPushes: true),
                        user: "user-\(ordinal)", createdAt: now))
                try ledger.insert(
                    Replica(
                        activity: activity.id, ordinal: ordinal, device: device.id, phase: .live, createdAt: now))
            }
            return activity.id
        }
    }

    /// Records that Apple accepted a push to each of the cards.
    func record(_ event: LiveActivityEvent, _ version: Version, in store: any Store, at now: Instant) async throws {
        var sheet = AcceptanceSheet()
        let push = Push(event: event, version: version, stateVersion: version, alertVersion: 0, priority: .immediate)
        for ordinal in 1...cards { sheet.note(push, of: ordinal) }
        let rows = sheet.rows(of: activity, at: now)
        try await store.write { ledger in for row in rows { try ledger.record(row) } }
    }
}
