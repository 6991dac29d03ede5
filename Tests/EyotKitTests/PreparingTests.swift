import EyotContract
import EyotKit
import Foundation
import PhoneSimulator
import Testing

@Suite("Preparing for a card that a push started", .timeLimit(.minutes(10)))
struct PreparingTests {
    private let rig = Rig()

    /// Makes a configuration with a hook that notes each card and goes on when the gate opens.
    private func configuration(
        _ prepared: AsyncStream<AppearedCard>.Continuation, gate: AsyncStream<Void>
    ) -> EyotConfiguration {
        var configuration = rig.configuration
        configuration.prepareCard = { card in
            prepared.yield(card)
            for await _ in gate { return }
        }
        return configuration
    }

    @Test func `the app is called once with attributes and state, in time that the system grants`() async throws {
        let (cards, prepared) = AsyncStream.makeStream(of: AppearedCard.self)
        let (gate, open) = AsyncStream.makeStream(of: Void.self)
        let configuration = configuration(prepared, gate: gate)
        try await rig.launch(as: configuration) { eyot in
            eyot.register(MatchAttributes.self)
            eyot.resume(MatchAttributes.self)
            await rig.server.wait { $0.actions.contains { $0.startToken != nil } }
            try rig.push(to: rig.phone.state.startToken, .start, score: 2, name: "final")
            var iterator = cards.makeAsyncIterator()
            let card = try #require(await iterator.next())
            #expect(card.card.name == "final")
            #expect(try card.attributes(as: MatchAttributes.self).home == "ARG")
            #expect(try card.state(as: MatchAttributes.ContentState.self).score == 2)
            open.yield()
            // One that the app starts itself is its own business.
            let own = try rig.request("own")
            eyot.observe(own)
            try await eyot.event { $0.follows("own") }
        }
    }

    @Test func `where the app dies meanwhile, the next launch calls it again, and only then`() async throws {
        let (cards, prepared) = AsyncStream.makeStream(of: AppearedCard.self)
        var iterator = cards.makeAsyncIterator()
        let (closed, neverOpened) = AsyncStream.makeStream(of: Void.self)
        try await rig.launch(as: configuration(prepared, gate: closed)) { eyot in
            eyot.register(MatchAttributes.self)
            eyot.resume(MatchAttributes.self)
            await rig.server.wait { $0.actions.contains { $0.startToken != nil } }
            try rig.push(to: rig.phone.state.startToken, .start, score: 0, name: "final")
            #expect(await iterator.next()?.card.name == "final")
        }
        neverOpened.finish()
        let (gate, open) = AsyncStream.makeStream(of: Void.self)
        open.yield()
        let second = configuration(prepared, gate: gate)
        try await rig.launch(as: second) { eyot in
            eyot.resume(MatchAttributes.self)
            #expect(await iterator.next()?.card.name == "final")
            try await eyot.event { $0 == .confirmed(changes: 1) }
        }
        try await rig.launch(as: second) { eyot in
            eyot.resume(MatchAttributes.self)
            try await eyot.event { $0.follows("final") }
        }
        prepared.finish()
        #expect(await iterator.next() == nil, "it was prepared in the second launch")
    }

    @Test func `while it prepares the system lets the app run longer than it would else`() async throws {
        var rules = PhoneRules()
        rules.backgroundTime = 5
        let rig = Rig(rules: rules)
        let process = rig.phone.launch()
        rig.phone.moveToBackground()
        await PhoneProcess.$current.withValue(process) {
            await process.holdAwake {
                rig.clock.advance(by: 20)
                rig.phone.advance()
                #expect(process.isAlive)
                rig.clock.advance(by: 11)
                rig.phone.advance()
                #expect(!process.isAlive)
            }
        }
    }
}
