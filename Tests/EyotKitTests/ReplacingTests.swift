import EyotContract
import EyotKit
import Foundation
import PhoneSimulator
import Testing

@Suite("One name, one card in view", .underEverySwitch, .timeLimit(.minutes(10)))
struct ReplacingTests {
    private let rig = Rig()

    /// What becomes of an older card that has ended: a phone may pass over a second end.
    private var end: CardPhase { Rig.rules.takesSecondEnd ? .dismissed : .ended }

    private func follow(_ activity: Activity<MatchAttributes>, as name: String?, in eyot: Eyot) async throws {
        let instance = activity.id
        eyot.observe(activity, name: name)
        try await eyot.event { event in
            if case .card(let card, .stage(.active)) = event { card.instance == instance } else { false }
        }
    }

    /// The app ends a card. The SDK waits a second before it takes the end for one that leaves the card in view.
    private func endAndWait(_ activity: sending Activity<MatchAttributes>, _ rig: Rig) async {
        await activity.end(nil, dismissalPolicy: .default)
        await rig.clock.waitForSleepers(1, of: 1)
        rig.clock.advance(by: 1)
    }

    @Test(.leaving("maximumCards", "maximumCardsOnPhone"))
    func `a new card takes an ended one of its name away, and no other`() async throws {
        try await rig.launch { eyot in
            let old = try rig.request("final")
            let (oldID, otherID) = (old.id, try rig.request("other").id)
            try await follow(old, as: nil, in: eyot)
            let now = rig.clock.now().timeIntervalSince1970
            await rig.server.declare(
                "final", version: 2, ends: true, dismissalDate: Int(now) + 3_600, timestamp: now)
            eyot.retryNow()
            try await eyot.event { $0.isForgotten(oldID) }
            #expect(try rig.card(oldID).phase == .ended)
            await rig.server.declare("final", version: 3, timestamp: now)
            try await follow(try rig.request("final"), as: nil, in: eyot)
            #expect(try rig.card(oldID).phase == end)
            #expect(try rig.card(otherID).phase == .active)
        }
    }

    @Test func `a name that the app gave is known in a later launch`() async throws {
        var oldID = ""
        try await rig.launch { eyot in
            let old = try rig.request(nil)
            try await follow(old, as: "given", in: eyot)
            oldID = old.id
            await endAndWait(old, rig)
            try await eyot.event { [oldID] in $0.isForgotten(oldID) }
        }
        try await rig.launch { eyot in
            #expect(try rig.card(oldID).phase == .ended)
            try await follow(try rig.request(nil), as: "given", in: eyot)
            #expect(try rig.card(oldID).phase == end)
        }
    }

    @Test func `a card that is to begin later leaves the ended one until it begins`() async throws {
        let rig = Rig(os: IOSVersion(26))
        try await rig.launch { eyot in
            let old = try rig.request("final")
            try await follow(old, as: nil, in: eyot)
            let oldID = old.id
            await endAndWait(old, rig)
            try await eyot.event { $0.isForgotten(oldID) }
            let next = try Activity.request(
                attributes: MatchAttributes(home: "ARG", eyotActivityName: "final"),
                content: ActivityContent(state: MatchAttributes.ContentState(score: 0), staleDate: nil),
                pushType: .token, style: .standard,
                alertConfiguration: AlertConfiguration(title: "Kick-off", body: "Now", sound: .default),
                start: rig.clock.now() + 600)
            let nextID = next.id
            eyot.observe(next)
            try await eyot.event { event in
                if case .card(let card, .stage(.pending)) = event { card.instance == nextID } else { false }
            }
            #expect(try rig.card(oldID).phase == .ended)
            rig.clock.advance(by: 601)
            _ = rig.phone.state
            try await eyot.event { event in
                if case .card(let card, .stage(.active)) = event { card.instance == nextID } else { false }
            }
            #expect(try rig.card(oldID).phase == end)
        }
    }
}
