import EyotCommands
import EyotContract
import EyotDomain
import EyotTestKit
import Testing

@Suite("How many one call may concern")
struct DeclareLimitTests {
    private let now = Instant(second: 1_671_375_600)
    private let store = MemoryStore()

    /// An app with so many phones, each with a live card of the activity where it is asked for.
    private func rows(phones: Int, withCards: Bool) async throws -> AppID {
        let now = now
        return try await store.write { ledger in
            let app = try ledger.insertApp(bundleID: "org.example.match", name: "Test", publicKey: "k", at: now).id
            var final = try ledger.insertActivity(named: "final", in: app, generation: 1, type: "Match", at: now)
            try ledger.insert(final.declare(.state, Content(state: ["n": 1]), at: now))
            for number in 1...phones {
                let device = try ledger.insert(
                    NewDevice(
                        app: app, installation: "phone-\(number)", environment: .sandbox, osVersion: OSVersion(18),
                        appVersion: "1", permissions: DevicePermissions(activities: true, frequentPushes: true),
                        createdAt: now))
                guard withCards else { continue }
                try ledger.insert(
                    Replica(activity: final.id, ordinal: number, device: device.id, phase: .live, createdAt: now))
            }
            final.nextOrdinal = phones + 1
            try ledger.update(final)
            return app
        }
    }

    private func declare(_ request: DeclarationRequest, in app: AppID) async throws -> Operation {
        let now = now
        return try await store.write { try Declare(ledger: $0, app: app, now: now)(request) }
    }

    private func version(in app: AppID) async throws -> Int? {
        try await store.read { try $0.newestActivity(named: "final", in: app)?.version }
    }

    @Test func `A scope takes as many replicas as the limit says, and one more changes nothing`() async throws {
        let app = try await rows(phones: Audience.scopeLimit + 1, withCards: true)
        var update = DeclarationRequest(verb: .update, name: "final", content: Content(state: ["n": 2]))
        update.scope = .all
        let error = await #expect(throws: EyotError.self) { try await declare(update, in: app) }
        #expect(error?.code == .tooManyMembers)
        #expect(error?.field == "scope")
        #expect(try await version(in: app) == 1)
        update.scope = .not(.device(DeviceID(rawValue: 1)))
        #expect(try await declare(update, in: app).members == Audience.scopeLimit)
    }

    @Test func `A start goes through no more devices than the limit says`() async throws {
        let app = try await rows(phones: Audience.deviceLimit + 1, withCards: false)
        var start = DeclarationRequest(verb: .start, name: "final", content: Content(state: ["n": 2]))
        start.type = "Match"
        start.attributes = [:]
        start.audience = .all
        let error = await #expect(throws: EyotError.self) { try await declare(start, in: app) }
        #expect(error?.code == .tooManyMembers)
        #expect(error?.field == "audience")
        #expect(try await version(in: app) == 1)
    }
}
