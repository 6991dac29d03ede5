import EyotCommands
import EyotContract
import EyotDomain
import EyotStore
import EyotTestKit
import Testing

@testable import EyotServer

/// What a database has before it is backed up.
extension LedgerDatabase {
    /// An app with a sealed key, and phones that may be started.
    func fill(_ configuration: ServerConfiguration, phones: Int) throws -> AppID {
        let sealer = Sealer(try configuration.readMasterKey(of: self))
        let now = AdjustableClock().now
        return try write { ledger in
            let app = try ledger.insertApp(bundleID: "org.example", name: "n", publicKey: "k", at: now).id
            let sealed = try sealer.seal(Secret("secret"), for: .apnsKey(of: app, .sandbox))
            try ledger.put(
                APNSKey(app: app, environment: .sandbox, teamID: "T", keyID: "K", sealed: sealed, addedAt: now))
            for number in 1...phones {
                let device = try ledger.insert(.phone("\(number)", in: app, at: now))
                guard let token = PushToken(bytes: [UInt8(number >> 8), UInt8(number & 255)]) else { continue }
                try ledger.put(
                    StartToken(device: device.id, type: "Match", token: token, environment: .sandbox, setAt: now),
                    in: app)
            }
            return app
        }
    }

    /// Declares a start for all phones.
    func start(_ name: String, startsAt: Instant? = nil, in app: AppID) throws {
        let now = AdjustableClock().now
        try write { ledger in
            var request = DeclarationRequest(verb: .start, name: name, content: Content(state: ["n": 1]))
            (request.type, request.attributes, request.audience) = ("Match", [:], .all)
            request.content.alert = Alert(body: ["title": "t", "body": "b"], expiresAt: now + 3_000)
            request.startsAt = startsAt
            _ = try Declare(Transaction(ledger, at: now), app: app)(request)
        }
    }
}

extension Ledger {
    /// Expects that an app is halted, that the starts of `now` are unknown, and that those of `later` are planned.
    func expectAdopted(_ app: AppID, phones: Int, by route: String) throws {
        let found = try #require(try self.app(app))
        #expect(found.haltedAt != nil)
        // The replaced database may have pushed until the command began. Nothing leaves in the same second again (R7).
        let history = try #require(try history())
        #expect(AdjustableClock().now.second > history.beganAt.second)
        #expect(try memberListCount(of: app, limit: 1) == 0)
        let now = try #require(try newestActivity(named: "now", in: app))
        let later = try #require(try newestActivity(named: "later", in: app))
        let doubted = try replicas(of: now.id, after: 0, limit: 1_000)
        #expect(doubted.count == phones)
        #expect(doubted.allSatisfy { $0.lease?.state == .unknown && $0.lease?.sentAt != nil })
        let planned = try replicas(of: later.id, after: 0, limit: 1_000)
        #expect(planned.allSatisfy { $0.lease?.state == .planned })
        #expect(try auditEntries(of: app, before: nil, limit: 1).first?.route == route)
    }
}
