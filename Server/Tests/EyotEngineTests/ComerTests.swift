import APNSWire
import EyotCommands
import EyotContract
import EyotDomain
import EyotTestKit
import PhoneSimulator
import Testing

@testable import EyotEngine

@Suite("What is declared for some while a start keeps places by and by")
struct ComerTests {
    /// Six phones, those with even numbers a fan's.
    private func drive() throws -> (EngineDrive, App) {
        let drive = EngineDrive()
        let app = drive.ledger.insertApp(bundleID: "m", name: "m", publicKey: "m", at: drive.now)
        drive.ledger.put(User(app: app.id, externalID: "fan", tags: ["fans"]))
        for number in UInt8(1)...6 {
            let device = drive.ledger.insert(
                .phone(
                    "\(number)", in: app.id, environment: .production, user: number.isMultiple(of: 2) ? "fan" : nil,
                    at: drive.now))
            let token = try #require(PushToken(bytes: [number]))
            drive.ledger.put(
                StartToken(device: device.id, type: "T", token: token, environment: .production, setAt: drive.now),
                in: app.id)
        }
        return (drive, app)
    }

    private func declare(_ request: DeclarationRequest, _ drive: EngineDrive, _ app: App) throws {
        var limits = Declare.Limits()
        limits.inlineLimit = 1
        _ = try Declare(Transaction(drive.ledger, at: drive.now), app: app.id, limits: limits)(request)
    }

    /// Plays a start for all phones, and a declaration for the fan's phones while the start keeps places. The process
    /// dies after every transaction. The order decides when the declaration comes and which member list is processed
    /// next.
    ///
    /// - Returns: what each phone was sent, and which of the fan's phones had a place when the declaration came.
    private func play(_ declaration: DeclarationRequest, order: Int) throws -> (
        pushes: [EngineDrive.Push], had: Set<UInt8>
    ) {
        let (drive, app) = try drive()
        var start = DeclarationRequest(
            verb: .put, name: "m",
            content: Content(state: ["n": 1], startAlert: AlertText(["title": "Kick-off", "body": "b"])))
        (start.type, start.attributes, start.audience) = ("T", [:], .all)
        try declare(start, drive, app)
        var had: Set<UInt8> = []
        var random = SeededGenerator(seed: UInt64(order), name: "pendingStarts")
        for step in 0..<200 {
            drive.restart()
            try drive.run()
            if step == order % 5 {
                had = Set(drive.pushes.map { $0.token[0] }.filter { $0.isMultiple(of: 2) })
                try declare(declaration, drive, app)
                drive.restart()
                try drive.run()
            }
            let lists = drive.ledger.memberLists(after: 0, limit: 9)
            guard !lists.isEmpty else { break }
            let list = lists[Int(random.next() % UInt64(lists.count))]
            try ProcessMembers(Transaction(drive.ledger, at: drive.now))(list.id, limit: 1)
        }
        #expect(drive.ledger.memberLists(after: 0, limit: 9) == [])
        return (drive.pushes, had)
    }

    private func scoped(_ verb: DeclarationRequest.Verb, alert: String? = nil) -> DeclarationRequest {
        var request = DeclarationRequest(verb: verb, name: "m", content: Content(state: ["n": 2]))
        request.scope = .tag("fans")
        request.content.alert = alert.map {
            Alert(body: ["title": .string($0), "body": "b"], expiresAt: Instant(second: 1_700_000_300))
        }
        return request
    }

    @Test(arguments: 0..<60)
    func `starts those who wait with it, whatever is told next and wherever the process dies`(_ order: Int) throws {
        let (pushes, had) = try play(scoped(.update, alert: "t"), order: order)
        #expect(pushes.count == 6)
        for push in pushes {
            let isLate = push.token[0].isMultiple(of: 2) && !had.contains(push.token[0])
            #expect(push.state == (isLate ? 2 : 1), "\(push.token)")
            #expect(push.title == (isLate ? "t" : "Kick-off"))
        }
    }

    @Test(arguments: 0..<60)
    func `starts none of those who wait where it is an end, whatever is told next`(_ order: Int) throws {
        let (pushes, had) = try play(scoped(.end), order: order)
        #expect(Set(pushes.map { $0.token[0] }) == had.union([1, 3, 5]))
    }
}
