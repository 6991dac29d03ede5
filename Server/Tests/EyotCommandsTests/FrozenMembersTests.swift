import EyotContract
import EyotDomain
import EyotTestKit
import Testing

@testable import EyotCommands

@Suite("Whom a call concerns")
struct FrozenMembersTests {
    private let ledger = MemoryLedger()
    private let now = Instant(second: 1_671_375_600)
    private let app: AppID

    /// Five phones of a fan's, each with a start token and no card.
    init() throws {
        app = ledger.insertApp(bundleID: "org.example.match", name: "Test", publicKey: "k", at: now).id
        ledger.put(User(app: app, externalID: "fan", tags: ["fans"]))
        for number in 1...5 {
            let device = ledger.insert(.phone("phone-\(number)", in: app, user: number < 5 ? "fan" : nil, at: now))
            let token = try #require(PushToken(bytes: [1, UInt8(number)]))
            ledger.put(
                StartToken(device: device.id, type: "Match", token: token, environment: .sandbox, setAt: now), in: app)
        }
    }

    private func request(
        _ verb: DeclarationRequest.Verb, _ state: Int, to audience: Audience? = nil, scope: Audience? = nil
    ) -> DeclarationRequest {
        var request = DeclarationRequest(verb: verb, name: "final", content: Content(state: ["n": .integer(state)]))
        if audience != nil {
            (request.type, request.attributes) = ("Match", [:])
            request.content.startAlert = AlertText(["title": "Kick-off", "body": "b"])
        }
        (request.audience, request.scope) = (audience, scope)
        return request
    }

    private func frozen(_ request: DeclarationRequest, inlineLimit: Int = 2) throws -> FrozenMembers {
        try FreezeMembers(Transaction(ledger, at: Instant(second: 1)), app: app, inlineLimit: inlineLimit)(request)
    }

    private func declare(_ request: DeclarationRequest, _ frozen: FrozenMembers? = nil) throws -> EyotDomain.Operation {
        try Declare(Transaction(ledger, at: now), app: app, frozen: frozen)(request)
    }

    @Test func `is found in its order: the first of them for the call's transaction, the others for later`() throws {
        let audience = try frozen(request(.start, 1, to: .tag("fans")))
        #expect(audience.devices.first == [1, 2])
        #expect(audience.devices.count == 4)
        #expect(audience.devices.left == 2)
        #expect(audience.activity == nil)
        let numbers = audience.devices.others.flatMap { MemberRuns.numbers(in: $0.bytes, after: 0, limit: .max) ?? [] }
        #expect(numbers == [3, 4])
        _ = try declare(request(.put, 1, to: .all))
        let scope = try frozen(request(.update, 2, scope: .tag("fans")))
        #expect(scope.replicas.first == [1, 2])
        #expect(scope.replicas.left == 2)
        #expect(scope.activity == ledger.newestActivity(named: "final", in: app)?.id)
        #expect(scope.devices == FrozenMembers.Group())
    }

    @Test func `is settled when it was found, and not when the call's turn to write comes`() throws {
        let start = request(.put, 1, to: .tag("fans"))
        let fans = try frozen(start, inlineLimit: 9)
        ledger.put(User(app: app, externalID: "fan", tags: []))
        #expect(try declare(start, fans).starting == 4)
        let update = request(.update, 2, scope: .user("fan"))
        let cards = try frozen(update, inlineLimit: 9)
        var device = try #require(ledger.device(DeviceID(rawValue: 1)))
        device.user = nil
        ledger.update(device)
        #expect(try declare(update, cards).members == 4)
    }

    @Test func `also counts into a canary's share where its places are still to be kept`() throws {
        var put = request(.put, 1, to: .all)
        put.canary = Canary.Terms(percent: 50)
        let operation = try declare(put, try frozen(put, inlineLimit: 1))
        #expect(operation.pending == 4)
        #expect(ledger.newestActivity(named: "final", in: app)?.canary?.upTo == 3)
    }
}
