import APNSWire
import EyotCommands
import EyotContract
import EyotDomain
import EyotTestKit
import Testing

@Suite("Lifting suspicion")
struct ClearSuspicionTests {
    private static let now = Instant(second: 1_700_000_000)
    private static let death = TokenDeath(reason: .badDeviceToken, isQuarantine: true)

    /// Inserts an app with the given number of quarantined cards and start tokens.
    private func app(in ledger: MemoryLedger, suspects: Int) throws -> AppID {
        let app = ledger.insertApp(bundleID: "b", name: "n", publicKey: "k", at: Self.now).id
        var activity = ledger.insertActivity(named: "m", in: app, generation: 1, type: "T", at: Self.now)
        for number in 1...suspects {
            let device = ledger.insert(.phone("\(number)", in: app, at: Self.now))
            let bytes = try #require(PushToken(bytes: [UInt8(number >> 8), UInt8(number & 255)]))
            var replica = Replica(
                activity: activity.id, ordinal: number, device: device.id, phase: .dead(Self.death), createdAt: Self.now
            )
            replica.token = UpdateToken(token: bytes, environment: .sandbox, version: 1, setAt: Self.now)
            ledger.insert(replica)
            var token = StartToken(
                device: device.id, type: "T", token: bytes, environment: .sandbox, setAt: Self.now)
            token.death = Self.death
            ledger.put(token, in: app)
        }
        activity.nextOrdinal = suspects + 1
        ledger.update(activity)
        return app
    }

    private func suspects(_ app: AppID, in ledger: MemoryLedger) -> Int {
        ledger.suspectReplicas(in: app, limit: .max).count + ledger.suspectStartTokens(in: app, limit: .max).count
    }

    @Test func `However many there are, a transaction sets few of them right, and all together all`() throws {
        let ledger = MemoryLedger()
        let app = try app(in: ledger, suspects: 250)
        var transactions = 0
        var hasMore = true
        while hasMore {
            let before = suspects(app, in: ledger)
            hasMore = try ResumeApp(Transaction(ledger, at: Self.now)).prepare(app)
            transactions += 1
            #expect(before - suspects(app, in: ledger) <= ClearSuspicion.batch)
        }
        #expect(suspects(app, in: ledger) == 0)
        #expect(transactions == 6, "and the last one finds nothing")
        #expect(try ResumeApp(Transaction(ledger, at: Self.now))(app).pauses.isEmpty)
    }

    @Test func `A start whose declaration is gone by then starts the card with what is shown now`() throws {
        let ledger = MemoryLedger()
        let app = try app(in: ledger, suspects: 1)
        var activity = try #require(ledger.newestActivity(named: "m", in: app))
        _ = activity.declare(.state, Content(state: ["n": 1]), at: Self.now)
        ledger.insert(activity.declare(.state, Content(state: ["n": 2]), at: Self.now))
        ledger.update(activity)
        var replica = try #require(ledger.replica(1, of: activity.id))
        (replica.phase, replica.token) = (.notStarted(.suspected), nil)
        replica.lease = Lease(version: 1)
        ledger.update(replica)
        _ = try ResumeApp(Transaction(ledger, at: Self.now))(app)
        let planned = try #require(ledger.replica(1, of: activity.id))
        #expect(planned.phase == .starting)
        #expect(planned.lease?.version == 2)
    }
}
