import EyotCommands
import EyotContract
import EyotDomain
import EyotTestKit
import Testing

@Suite("Installations in audiences")
struct InstallationTests {
    @Test func `An installation stands for its device, which an index gives, and an unknown one for nobody`()
        async throws
    {
        let store = MemoryStore()
        try await store.write { ledger in
            let now = Instant(second: 1_671_375_600)
            let app = try ledger.insertApp(bundleID: "org.example", name: "Test", publicKey: "k", at: now)
            let known = "phone"
            let device = try ledger.insert(
                NewDevice(
                    app: app.id, installation: known, environment: .sandbox, osVersion: OSVersion(18, 1),
                    appVersion: "1",
                    permissions: DevicePermissions(activities: true, frequentPushes: true), user: nil, createdAt: now)
            ).id
            let resolve = ResolveAudience(Transaction(ledger, at: now), app: app.id)
            #expect(try resolve(.or([.installation(known), .tag("a")])) == .or([.device(device), .tag("a")]))
            #expect(try resolve(.installation("none")) == .devices([]))
            let other = try ledger.insertApp(bundleID: "org.example.other", name: "Other", publicKey: "l", at: now)
            #expect(
                try ResolveAudience(Transaction(ledger, at: now), app: other.id)(.installation(known)) == .devices([]))
        }
    }
}
