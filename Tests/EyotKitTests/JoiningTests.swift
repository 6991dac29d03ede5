import EyotContract
import EyotKit
import Foundation
import PhoneSimulator
import Testing

@Suite("Joining private activities", .timeLimit(.minutes(10)))
struct JoiningTests {
    private let rig = Rig(os: IOSVersion(18))
    private let secret = "eyot_js_0123456789"

    /// The secrets of the reports that speak of a card, in their order.
    private func shown(_ books: ScriptedServer.Books) -> [[String: JoinSecret]] {
        books.requests.filter { $0.route == .changes }.compactMap { try? DeviceChangeBatch(json: $0.body) }
            .filter { $0.changes.contains { $0.action.card != nil } }.map(\.joinSecrets)
    }

    @Test func `a secret goes with the questions and the reports of its name alone, in the next launch too`()
        async throws
    {
        await rig.server.declare("order", version: 1, state: ["score": 3], timestamp: 0)
        await rig.server.declare("final", version: 1, state: ["score": 3], timestamp: 0)
        try await rig.launch { eyot in
            try await eyot.event { if case .registered = $0 { true } else { false } }
            eyot.join("order", secret: secret)
            _ = try await eyot.channel(of: "order")
            _ = try await eyot.channel(of: "final")
            for name in ["order", "final"] {
                let card = try await eyot.start(
                    MatchAttributes.self, name: name, attributes: MatchAttributes(home: "ARG"))
                await rig.server.wait { $0.actions.contains { $0.updateToken?.instance == card } }
            }
        }
        let requests = await rig.server.books.requests
        let channels = try requests.filter { $0.route == .channel }.map {
            try ChannelQuestion(json: $0.body).joinSecret
        }
        #expect(channels == [JoinSecret(secret), nil])
        let cards = try requests.filter { $0.route == .card }.map { try CardQuestion(json: $0.body).joinSecret }
        #expect(cards == [JoinSecret(secret), nil])
        let books = await rig.server.books
        #expect(shown(books).contains(["order": try #require(JoinSecret(secret))]))
        let batches = try books.requests.filter { $0.route == .changes }.map { try DeviceChangeBatch(json: $0.body) }
        for batch in batches {
            #expect(Set(batch.joinSecrets.keys).isSubset(of: batch.changes.compactMap(\.action.card?.name)))
        }
        try await rig.launch { eyot in
            _ = try await eyot.channel(of: "order")
            eyot.resume(MatchAttributes.self) { _ in "order" }
            await rig.server.wait { $0.requests.count > requests.count + 1 }
        }
        let later = await rig.server.books.requests.dropFirst(requests.count).filter { $0.route == .channel }
        #expect(try later.map { try ChannelQuestion(json: $0.body).joinSecret } == [JoinSecret(secret)])
    }

    @Test func `a secret of an earlier launch is there for a question before the SDK runs`() async throws {
        try await rig.launch { eyot in
            eyot.join("order", secret: secret)
            try await eyot.event { if case .registered = $0 { true } else { false } }
            let activity = try rig.request("order")
            eyot.observe(activity)
            await rig.server.wait { $0.actions.contains { $0.updateToken != nil } }
        }
        let eyot = Eyot(configuration: rig.configuration, transport: rig.server)
        await #expect(throws: CardStartFailure.nothingDeclared(name: "order")) {
            try await eyot.start(MatchAttributes.self, name: "order", attributes: MatchAttributes(home: "ARG"))
        }
        let asked = try #require(await rig.server.books.requests.last { $0.route == .card })
        #expect(try CardQuestion(json: asked.body).joinSecret == JoinSecret(secret))
    }

    @Test func `a card that is followed already is told anew, with its token`() async throws {
        try await rig.launch { eyot in
            let requested = try rig.request("order")
            eyot.observe(requested)
            let card = requested.id
            await rig.server.wait { $0.actions.contains { $0.updateToken?.instance == card } }
            let before = await rig.server.books.actions.count
            eyot.join("order", secret: secret)
            await rig.server.wait { $0.actions.dropFirst(before).contains { $0.updateToken?.instance == card } }
            #expect(shown(await rig.server.books).last == ["order": try #require(JoinSecret(secret))])
            // The same once more is nothing new.
            let count = await rig.server.books.actions.count
            eyot.join("order", secret: secret)
            eyot.identify("anna")
            await rig.server.wait { $0.actions.count > count }
            #expect(await rig.server.books.actions.dropFirst(count).first == .identify(user: "anna"))
        }
    }

    @Test func `a secret that comes while the token is on its way is shown with it, once more`() async throws {
        try await rig.launch { eyot in
            try await eyot.event { if case .registered = $0 { true } else { false } }
            let requested = try rig.request("order")
            eyot.observe(requested)
            let card = requested.id
            await rig.server.wait { $0.actions.contains { $0.updateToken?.instance == card } }
            await rig.server.hold(.changes)
            let token = try #require(rig.phone.rotateToken(ofCard: card))
            await rig.server.wait { $0.requests.last?.body.text.contains(token.hex) == true }
            eyot.join("order", secret: secret)
            eyot.unregister(MatchAttributes.self)
            try await eyot.problem { $0 == .notRegistered(type: "MatchAttributes") }
            await rig.server.release()
            let secret = try #require(JoinSecret(secret))
            await rig.server.wait { books in
                books.requests.filter { $0.route == .changes }.compactMap { try? DeviceChangeBatch(json: $0.body) }
                    .contains { batch in
                        batch.joinSecrets["order"] == secret
                            && batch.changes.contains { $0.action.updateToken?.token == token }
                    }
            }
        }
    }

    @Test func `what one person was given is not there for the next`() async throws {
        try await rig.launch { eyot in
            try await eyot.event { if case .registered = $0 { true } else { false } }
            eyot.identify("anna")
            for change in [{ eyot.identify("bert") }, { eyot.logout() }] as [@Sendable () -> Void] {
                eyot.join("order", secret: secret)
                change()
                _ = try await eyot.channel(of: "order")
                let count = await rig.server.books.actions.count
                await rig.server.wait { $0.actions.count >= count }
            }
        }
        let channels = await rig.server.books.requests.filter { $0.route == .channel }
        #expect(try channels.map { try ChannelQuestion(json: $0.body).joinSecret } == [nil, nil])
    }

    @Test(arguments: ["", "two words", String(repeating: "a", count: 129)])
    func `what is no secret is reported, and nothing is kept`(text: String) async throws {
        try await rig.launch { eyot in
            try await eyot.event { if case .registered = $0 { true } else { false } }
            eyot.join("order", secret: text)
            try await eyot.problem { $0 == .joinSecretInvalid(name: "order") }
            _ = try await eyot.channel(of: "order")
        }
        let asked = try #require(await rig.server.books.requests.last { $0.route == .channel })
        #expect(try ChannelQuestion(json: asked.body).joinSecret == nil)
    }

    @Test func `a secret is not in anything that could be printed`() throws {
        let secret = try #require(JoinSecret(secret))
        let batch = DeviceChangeBatch(epoch: 1, changes: [], joinSecrets: ["order": secret])
        for text in ["\(secret)", String(reflecting: secret), "\(batch)", String(reflecting: batch)] {
            #expect(!text.contains(secret.text))
        }
        #expect(try DeviceChangeBatch(json: batch.json) == batch)
    }
}
