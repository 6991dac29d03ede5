import EyotContract
import EyotKit
import Foundation
import PhoneSimulator
import Testing

@Suite("What a card shows is told", .timeLimit(.minutes(10)))
struct ShownTests {
    private let rig = Rig()

    /// The digests that were told of a card, in their order.
    private static func told(_ books: ScriptedServer.Books, of instance: String) -> [StateDigest?] {
        books.actions.compactMap { action in
            guard case .cardEvent(let card, let event, let digest) = action, card.instance == instance,
                event == .started || event == .contentApplied
            else { return nil }
            return digest
        }
    }

    private static func digest(_ score: Int) -> StateDigest { StateDigest(of: ["score": .integer(score)]) }

    @Test func `at its start, and at the next launch if a push came while the app did not run, once`() async throws {
        let card = Guarded("")
        try await rig.launch { eyot in
            eyot.follow(MatchAttributes.self)
            let instance = try rig.request("final", score: 1).id
            card.withLock { $0 = instance }
            await rig.server.wait { Self.told($0, of: instance) == [Self.digest(1)] }
            await rig.server.wait { $0.actions.contains { $0.updateToken?.instance == instance } }
            try await eyot.event { if case .card(_, .tokenConfirmed) = $0 { true } else { false } }
        }
        let instance = card.withLock { $0 }
        try rig.push(to: rig.card(instance).updateToken, .update, score: 2, after: 1)
        for _ in 0..<2 {
            try await rig.launch { eyot in
                eyot.follow(MatchAttributes.self)
                await rig.server.wait { Self.told($0, of: instance) == [Self.digest(1), Self.digest(2)] }
                eyot.addTags([UUID().uuidString])
                await rig.server.wait { if case .profile = $0.actions.last { true } else { false } }
                try await eyot.event { if case .card(_, .tokenConfirmed) = $0 { true } else { false } }
            }
        }
        #expect(await Self.told(rig.server.books, of: instance) == [Self.digest(1), Self.digest(2)])
    }

    @Test func `the state with which a push started a card is told`() async throws {
        try await rig.launch { eyot in
            eyot.follow(MatchAttributes.self)
            await rig.server.wait { $0.startable == ["MatchAttributes"] }
            try rig.push(to: rig.phone.state.startToken, .start, score: 4, name: "final")
            let instance = try #require(rig.phone.state.cards.first).id
            await rig.server.wait { Self.told($0, of: instance) == [Self.digest(4)] }
        }
    }

    @Test func `a report that the server refused is told again`() async throws {
        await rig.server.refuse { if case .cardEvent(_, .started, _) = $0.action { true } else { false } }
        let card = Guarded("")
        try await rig.launch { eyot in
            eyot.follow(MatchAttributes.self)
            let instance = try rig.request("final", score: 1).id
            card.withLock { $0 = instance }
            try await eyot.problem { if case .changeRefused("cardEvent", _, _, _) = $0 { true } else { false } }
            await rig.server.wait { $0.actions.contains { $0.updateToken?.instance == instance } }
        }
        try await rig.launch { eyot in
            eyot.follow(MatchAttributes.self)
            await rig.server.wait { Self.told($0, of: card.withLock { $0 }) == [Self.digest(1)] }
        }
    }
}
