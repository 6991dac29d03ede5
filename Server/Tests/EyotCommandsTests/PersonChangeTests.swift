import EyotContract
import EyotDomain
import EyotTestKit
import Testing

@testable import EyotCommands

/// R12: a phone's person when its place is reserved, and when its card is first reported.
@Suite("Changes of person beside starts")
struct PersonChangeTests {
    private let ledger = MemoryLedger()
    private let now = Instant(second: 1_671_375_600)
    private let app: AppID
    private let phone: DeviceID

    init() throws {
        app = ledger.insertApp(bundleID: "org.example.match", name: "Test", publicKey: "k", at: now).id
        phone = ledger.insert(.phone("phone", in: app, user: "anna", at: now)).id
        let token = try #require(PushToken(bytes: [1]))
        ledger.put(StartToken(device: phone, type: "Match", token: token, environment: .sandbox, setAt: now), in: app)
    }

    private func start(_ audience: Audience = .user("anna"), isPublic: Bool? = false) -> DeclarationRequest {
        var request = DeclarationRequest(verb: .put, name: "balance", content: Content(state: ["n": 1]))
        (request.type, request.attributes, request.audience) = ("Match", [:], audience)
        request.content.startAlert = AlertText(["title": "Balance", "body": "b"])
        request.isPublic = isPublic
        return request
    }

    private func search(_ request: DeclarationRequest, at moment: Instant, inlineLimit: Int = 9) throws -> FrozenMembers
    {
        try FreezeMembers(Transaction(ledger, at: moment), app: app, inlineLimit: inlineLimit)(request)
    }

    private func report(_ actions: DeviceChange.Action..., at moment: Instant) throws -> DeviceAnswer {
        let device = try #require(ledger.device(phone))
        let changes = actions.enumerated().map { DeviceChange(sequence: device.sequence + 1 + $0, action: $1) }
        return try ApplyChanges(Transaction(ledger, at: moment))(
            DeviceChangeBatch(epoch: device.epoch, changes: changes), of: phone)
    }

    private var places: [Replica] {
        ledger.newestActivity(named: "balance", in: app).map { ledger.replicas(of: $0.id, after: 0, limit: 9) } ?? []
    }

    /// The clock of a change is read before its transaction, and may be before the search although the search has not
    /// seen the change.
    @Test(arguments: [-60.0, 0, 60], [DeviceChange.Action.identify(user: "bert"), .logout])
    func `A change that the search has not seen keeps the start away, whatever its clock says`(
        _ lead: Double, _ change: DeviceChange.Action
    ) throws {
        let request = start()
        let found = try search(request, at: now)
        _ = try report(change, at: now + lead)
        let operation = try Declare(Transaction(ledger, at: now), app: app, frozen: found)(request)
        #expect(operation.starting == 0)
        #expect(operation.skipped == [.otherPerson: 1])
    }

    @Test(arguments: [-60.0, 0, 60])
    func `A change that the search has seen keeps nothing away`(_ lead: Double) throws {
        _ = try report(.identify(user: "bert"), at: now + lead)
        let request = start(.user("bert"))
        let found = try search(request, at: now)
        let operation = try Declare(Transaction(ledger, at: now), app: app, frozen: found)(request)
        #expect(operation.starting == 1)
    }

    @Test func `Members that are processed later are compared with the search, too`() throws {
        let request = start()
        let found = try search(request, at: now, inlineLimit: 0)
        let operation = try Declare(Transaction(ledger, at: now), app: app, frozen: found)(request)
        #expect(operation.pending == 1)
        // Another clock, which was behind.
        _ = try report(.identify(user: "bert"), at: now + -60)
        let list = try #require(ledger.memberLists(after: 0, limit: 1).first)
        try ProcessMembers(Transaction(ledger, at: now))(list.id)
        #expect(places == [])
    }

    @Test func `A start for a named user in a public app is that user's`() throws {
        for var open in ledger.apps() {
            open.opensActivities = true
            ledger.update(unrecorded: open)
        }
        let request = start(isPublic: nil)
        let found = try search(request, at: now)
        _ = try report(.identify(user: "bert"), at: now)
        let operation = try Declare(Transaction(ledger, at: now), app: app, frozen: found)(request)
        #expect(operation.starting == 0)
    }

    /// The second net: whatever has let the place through.
    @Test func `A card for the former person is ended when it is first reported`() throws {
        let request = start()
        _ = try Declare(Transaction(ledger, at: now), app: app)(request)
        var place = try #require(places.first)
        place.lease?.state = .accepted
        place.lease?.sentAt = now
        let reserved = place
        _ = try report(.identify(user: "bert"), at: now + 1)
        // As if the change had not found the place.
        ledger.update(reserved)
        let card = Card(instance: "i", name: "balance", type: "Match")
        let answer = try report(.cardSeen(card), at: now + 2)
        #expect(answer.cards.map(\.ends) == [true])
        #expect(answer.cards.first?.contentState == nil)
        #expect(places.first?.ending == .otherPerson)
    }

    @Test func `A report with confirmed changes that the store does not know is refused, and changes nothing`() throws {
        _ = try report(.identify(user: "anna"), at: now)
        let device = try #require(ledger.device(phone))
        for (confirmed, isRefused) in [(device.sequence, false), (device.sequence + 1, true)] {
            var batch = DeviceChangeBatch(
                epoch: device.epoch, changes: [DeviceChange(sequence: 50, action: .identify(user: "anna"))])
            batch.confirmed = confirmed
            var code: EyotError.Code?
            do {
                _ = try ApplyChanges(Transaction(ledger.copy(), at: now))(batch, of: phone)
            } catch let error as EyotError {
                code = error.code
            }
            #expect(code == (isRefused ? .historyChanged : nil))
        }
    }
}
