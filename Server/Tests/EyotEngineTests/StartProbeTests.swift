import APNSWire
import EyotCommands
import EyotContract
import EyotDomain
import EyotTestKit
import Testing

/// What Apple says of a start counts for the token and the environment that it was sent with (R8).
@Suite("Start tokens that Apple refuses in one environment")
struct StartProbeTests {
    /// A phone with a start token, on which two activities are to start a card each: the first shows 1, the second 2.
    private final class Phone {
        let drive = EngineDrive()
        let app: App
        let device: Device
        let starts: [ActivityID]

        init() throws {
            let (ledger, now) = (drive.ledger, drive.now)
            let app = ledger.insertApp(bundleID: "b", name: "n", publicKey: "k", at: now)
            let device = ledger.insert(.phone("i", in: app.id, environment: .production, at: now))
            starts = [1, 2].map { number in
                var activity = ledger.insertActivity(
                    named: "\(number)", in: app.id, generation: 1, type: "T", at: now)
                var start = activity.declare(.state, Content(state: ["n": .integer(number)]), at: now)
                start.attributes = .object(JSONObject())
                ledger.insert(start)
                ledger.insert(
                    Replica(
                        activity: activity.id, ordinal: 1, device: device.id, phase: .starting,
                        lease: Lease(version: 1), createdAt: now))
                activity.nextOrdinal = 2
                activity.wake(at: now)
                ledger.update(activity)
                return activity.id
            }
            (self.app, self.device) = (app, device)
            let bytes = try #require(PushToken(bytes: [1, 1]))
            ledger.put(
                StartToken(device: device.id, type: "T", token: bytes, environment: .production, setAt: now),
                in: app.id)
        }

        var token: StartToken { get throws { try #require(drive.ledger.startToken(of: device.id, type: "T")) } }

        func replica(_ number: Int) throws -> Replica {
            try #require(drive.ledger.replica(1, of: starts[number - 1]))
        }

        func change(_ number: Int, _ body: (inout Replica) -> Void) throws {
            var replica = try replica(number)
            body(&replica)
            drive.ledger.update(replica)
        }

        func changeToken(_ body: (inout StartToken) -> Void) {
            guard var token = try? token else { return }
            body(&token)
            drive.ledger.put(token, in: app.id)
        }

        /// Where the second start was sent, in this order.
        func run(_ seconds: Int = 6) throws -> [PushEnvironment] {
            for _ in 1...seconds {
                try drive.run()
                drive.now = drive.now + 1
            }
            return drive.pushes.filter { $0.state == 2 }.map(\.environment)
        }
    }

    private func isLeft(_ push: EngineDrive.Push) -> PushVerdict {
        push.environment == .production ? .refused(.badDeviceToken) : .accepted
    }

    @Test func `Two probes that are taken together move the token once`() throws {
        let phone = try Phone()
        phone.drive.verdict = isLeft
        #expect(try phone.run() == [.production, .sandbox])
        #expect(try phone.token.environment == .sandbox)
        #expect(try phone.token.death == nil)
    }

    @Test(
        "A first refusal that comes when the token has moved, or was shown again, says nothing of it",
        arguments: [true, false])
    func late(hasMoved: Bool) throws {
        let phone = try Phone()
        try phone.change(1) { $0.phase = .ended }
        let after: PushEnvironment = hasMoved ? .sandbox : .production
        var isFirst = true
        phone.drive.verdict = { push in
            defer { isFirst = false }
            guard isFirst else { return push.environment == after ? .accepted : .refused(.badDeviceToken) }
            phone.changeToken { token in
                if hasMoved { token.environment = after } else { token.setAt = phone.drive.now + 0.5 }
            }
            return .refused(.badDeviceToken)
        }
        #expect(try phone.run() == [.production, after])
        #expect(try phone.token.death == nil)
        #expect(try phone.token.environment == after)
        #expect(try phone.replica(2).lease?.state == .accepted)
    }

    @Test func `A probe that is refused when the token has moved does not set it aside`() throws {
        let phone = try Phone()
        try phone.change(1) { $0.phase = .ended }
        var sent = 0
        phone.drive.verdict = { push in
            sent += 1
            if sent == 2 { phone.changeToken { $0.environment = .sandbox } }
            return sent < 3 ? .refused(.badDeviceToken) : .accepted
        }
        #expect(try phone.run() == [.production, .sandbox, .sandbox])
        #expect(try phone.token.death == nil)
    }

    @Test func `A start that waits for its probe goes where another one's has found the token`() throws {
        let phone = try Phone()
        phone.drive.verdict = isLeft
        for number in [1, 2] { try phone.change(number) { $0.lease?.suspicion = .badDeviceToken } }
        try phone.change(2) { [now = phone.drive.now] in
            $0.retry = Retry(attempts: 1, notBefore: now + 3, version: nil)
        }
        #expect(try phone.run() == [.sandbox])
        #expect(try phone.token.death == nil)
    }

    @Test func `A start that waits for its probe goes with another token where its phone shows one`() throws {
        let phone = try Phone()
        try phone.change(1) { $0.phase = .ended }
        try phone.change(2) { $0.lease?.suspicion = .badDeviceToken }
        let shown = DeviceChange(
            sequence: 1, action: .setStartToken(type: "T", token: try #require(PushToken(bytes: [2, 2]))))
        _ = try ApplyChanges(Transaction(phone.drive.ledger, at: phone.drive.now))(
            DeviceChangeBatch(epoch: 1, changes: [shown]), of: phone.device.id)
        #expect(try phone.run() == [.production])
        #expect(phone.drive.pushes.map(\.token) == [[2, 2]])
    }

    @Test func `A probe in an environment without a channel starts a card that follows none`() throws {
        let phone = try Phone()
        phone.drive.verdict = isLeft
        try phone.change(2) {
            $0.lease?.suspicion = .badDeviceToken
            $0.following = .channel(edition: 1)
        }
        #expect(try phone.run() == [.sandbox])
        #expect(try phone.replica(2).following == .none)
    }

    @Test func `A start that meets a token which was set aside goes when the app is resumed`() throws {
        let phone = try Phone()
        phone.changeToken { $0.death = TokenDeath(reason: .badDeviceToken, isQuarantine: true) }
        #expect(try phone.run() == [])
        #expect(try phone.replica(2).phase == .notStarted(.suspected))
        _ = try ResumeApp(Transaction(phone.drive.ledger, at: phone.drive.now))(phone.app.id)
        #expect(try phone.run() == [.production])
    }

    @Test func `A start that meets a token which is dead does not go`() throws {
        let phone = try Phone()
        phone.changeToken { $0.death = TokenDeath(reason: .unregistered, isQuarantine: false) }
        #expect(try phone.run() == [])
        #expect(try phone.replica(2).phase == .notStarted(.noStartToken))
    }
}
