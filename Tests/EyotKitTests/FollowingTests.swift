import EyotContract
import Foundation
import PhoneSimulator
import Testing

@testable import EyotKit

@Suite("Whoever follows a sequence listens before looking", .timeLimit(.minutes(10)))
struct FollowingTests {
    /// A phone with token sequences that yield only new tokens, and an app's ledger on it.
    private struct Desk {
        let rig: Rig
        let ledger: InstallationLedger
        /// The tokens in the order in which the books had them.
        let seen: AsyncStream<PushToken?>

        /// - Parameter meanwhile: runs on the phone right after the first token was looked up, before any other step.
        init(meanwhile: @escaping @Sendable (SimulatedPhone) -> Void) {
            var rules = PhoneRules()
            rules.replaysUpdateToken = false
            rules.replaysStartToken = false
            let rig = Rig(rules: rules)
            let (seen, see) = AsyncStream.makeStream(of: PushToken?.self)
            let isFirst = Guarded(true)
            self.rig = rig
            self.seen = seen
            ledger = InstallationLedger(
                file: StateFile(directory: rig.directory), clock: rig.clock, osVersion: "18.1", board: StatusBoard(),
                announce: { event in
                    switch event {
                    case .card(_, .tokenSeen): see.yield(rig.phone.state.cards.last?.updateToken)
                    case .startToken(_, .seen): see.yield(rig.phone.state.startToken)
                    default: return
                    }
                    let isNow = isFirst.withLock { first in
                        defer { first = false }
                        return first
                    }
                    if isNow { meanwhile(rig.phone) }
                }, somethingToSend: { _ in })
        }

        /// Whether this token was seen.
        func hasSeen(_ wanted: @Sendable (PhoneState) -> PushToken?) async -> Bool {
            for await token in seen where token == wanted(rig.phone.state) { return true }
            return false
        }
    }

    @Test func `a card's token that rotates when the one before has been looked up is seen`() async throws {
        let desk = Desk { phone in
            for card in phone.state.cards { phone.rotateToken(ofCard: card.id) }
        }
        try await PhoneProcess.$current.withValue(desk.rig.phone.launch()) {
            let instance = try desk.rig.request("final").id
            let first = try #require(desk.rig.card(instance).updateToken)
            let lead = try #require(
                await desk.ledger.follow(
                    instance: instance, name: "final", type: "T", isWanted: true, isPrepared: true))
            let follower = CardFollower<MatchAttributes>(
                instance: instance, name: "final", type: "T", naming: CardNaming(name: nil), ledger: desk.ledger,
                capabilities: desk.rig.configuration.capabilities, prepare: nil)
            let following = Task { await follower.run(lead) }
            #expect(await desk.hasSeen { $0.cards.last?.updateToken.flatMap { $0 == first ? nil : $0 } })
            following.cancel()
            await following.value
        }
    }

    @Test(arguments: 0..<50)
    func `so is a start token`(_: Int) async throws {
        let desk = Desk { $0.rotateStartToken() }
        try await PhoneProcess.$current.withValue(desk.rig.phone.launch()) {
            let first = try #require(desk.rig.phone.state.startToken)
            _ = await desk.ledger.beginStarts(of: "T", named: nil)
            let follower = StartTokenFollower<MatchAttributes>(type: "T", ledger: desk.ledger)
            let following = Task { await follower.run() }
            #expect(await desk.hasSeen { $0.startToken.flatMap { $0 == first ? nil : $0 } })
            following.cancel()
            await following.value
        }
    }
}
