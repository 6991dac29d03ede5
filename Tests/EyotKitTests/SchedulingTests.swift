import EyotContract
import Foundation
import PhoneSimulator
import Testing

@testable import EyotKit

@Suite("Cards that begin later", .timeLimit(.minutes(10)))
struct SchedulingTests {
    private let rig = Rig(os: IOSVersion(26))

    private func later(in seconds: Double) -> LaterStart {
        LaterStart(
            date: rig.clock.now() + seconds, alert: AlertConfiguration(title: "Kick-off", body: "Now", sound: .default))
    }

    private func schedule(_ name: String, in seconds: Double, _ eyot: Eyot) async throws -> String {
        await rig.server.declare(name, version: 1, state: ["score": 0], timestamp: 0)
        let instance = try await eyot.start(
            MatchAttributes.self, name: name, attributes: MatchAttributes(home: "ARG"), later: later(in: seconds))
        try await eyot.event {
            if case .card(let card, .stage(.pending)) = $0 { card.instance == instance } else { false }
        }
        return instance
    }

    @Test func `are listed, in a later launch too, until they begin`() async throws {
        let date = rig.clock.now() + 600
        var instance = ""
        try await rig.launch { eyot in
            try await eyot.event { if case .registered = $0 { true } else { false } }
            instance = try await schedule("final", in: 600, eyot)
            let cards = await eyot.scheduledCards(of: MatchAttributes.self)
            #expect(cards == [ScheduledCard(instance: instance, name: "final", date: date)])
        }
        try await rig.launch { eyot in
            eyot.follow(MatchAttributes.self)
            let cards = await eyot.scheduledCards(of: MatchAttributes.self)
            #expect(cards == [ScheduledCard(instance: instance, name: "final", date: date)])
            rig.clock.advance(by: 601)
            rig.phone.advance()
            #expect(await eyot.scheduledCards(of: MatchAttributes.self) == [])
        }
    }

    @Test func `are taken back by name, which is no swipe of a person's`() async throws {
        try await rig.launch { eyot in
            try await eyot.event { if case .registered = $0 { true } else { false } }
            let final = try await schedule("final", in: 600, eyot)
            let other = try await schedule("other", in: 600, eyot)
            #expect(await eyot.cancelScheduled(MatchAttributes.self, name: "final"))
            #expect(await !eyot.cancelScheduled(MatchAttributes.self, name: "final"))
            #expect(try rig.card(final).phase == .dismissed)
            #expect(try rig.card(other).phase == .pending)
            await rig.server.wait { $0.actions.contains { $0.isEvent(.ended, of: final) } }
            #expect(await !rig.server.books.actions.contains { $0.isEvent(.dismissed, of: final) })
        }
    }

    @Test func `are moved, and one that is not there is not`() async throws {
        try await rig.launch { eyot in
            try await eyot.event { if case .registered = $0 { true } else { false } }
            let first = try await schedule("final", in: 600, eyot)
            let moved = try await eyot.moveScheduled(MatchAttributes.self, name: "final", to: later(in: 1_200))
            #expect(try rig.card(first).phase == .dismissed)
            let cards = await eyot.scheduledCards(of: MatchAttributes.self)
            #expect(cards == [ScheduledCard(instance: moved, name: "final", date: rig.clock.now() + 1_200)])
            rig.clock.advance(by: 900)
            rig.phone.advance()
            #expect(try rig.card(moved).phase == .pending)
            await #expect(throws: CardStartFailure.notScheduled(name: "other")) {
                try await eyot.moveScheduled(MatchAttributes.self, name: "other", to: later(in: 5))
            }
        }
    }
}
