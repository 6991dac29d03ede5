import EyotContract
import EyotKit
import Foundation
import PhoneSimulator
import Testing

@Suite("What happened between two launches", .underEverySwitch, .timeLimit(.minutes(10)))
struct LaunchTests {
    private let rig = Rig()

    /// A launch in which anna has a card that is followed.
    private func cardOfAnna() async throws -> String {
        var instance = ""
        try await rig.launch { eyot in
            eyot.identify("anna")
            let activity = try rig.request("order")
            let id = activity.id
            eyot.observe(activity)
            await rig.server.wait { $0.actions.contains { $0.updateToken?.instance == id } }
            instance = id
        }
        return instance
    }

    @Test func `a switch that was turned while the app was dead is told`() async throws {
        try await rig.launch { _ in await rig.server.wait { $0.registrations.count == 1 } }
        let off = DevicePermissions(activities: true, frequentPushes: false)
        rig.phone.changeSettings { $0.frequentPushesEnabled = false }
        try await rig.launch { _ in await rig.server.wait { $0.actions == [.permissions(off)] } }
        try await rig.launch { eyot in
            eyot.identify("anna")
            await rig.server.wait { $0.actions == [.permissions(off), .identify(user: "anna")] }
        }
        #expect(await rig.server.registrations.count == 1)
    }

    @Test func `a logout before the cards are resumed takes those of the earlier launch away`() async throws {
        let instance = try await cardOfAnna()
        try await rig.launch { eyot in
            eyot.logout()
            eyot.resume(MatchAttributes.self)
            try await eyot.event { $0.isForgotten(instance) }
            #expect(try rig.card(instance).phase == .dismissed)
        }
    }

    @Test func `another person before the cards are observed by name does, too`() async throws {
        let instance = try await cardOfAnna()
        try await rig.launch { eyot in
            eyot.identify("bert")
            let activity = try #require(Activity<MatchAttributes>.activities.first { $0.id == instance })
            eyot.observe(activity, name: "another")
            try await eyot.event { $0.isForgotten(instance) }
            #expect(try rig.card(instance).phase == .dismissed)
            await rig.server.wait { $0.actions.contains { $0.isEvent(.ended, of: instance) } }
        }
    }

    @Test func `a card that a logout leaves no time to take away is taken away by the next launch`() async throws {
        let instance = try await cardOfAnna()
        // Nothing is resumed here, so that nothing can go.
        try await rig.launch { eyot in
            eyot.logout()
            await rig.server.wait { $0.actions.last == .logout }
        }
        try await rig.launch { eyot in
            eyot.identify("bert")
            eyot.resume(MatchAttributes.self)
            try await eyot.event { $0.isForgotten(instance) }
            #expect(try rig.card(instance).phase == .dismissed)
        }
    }

    @Test(.leaving("maximumCards", "maximumCardsOnPhone"))
    func
        `a card that a push started while the app was dead goes with the person who logs out before the type is resumed`()
        async throws
    {
        _ = try await cardOfAnna()
        try await rig.launch { eyot in
            eyot.register(MatchAttributes.self)
            await rig.server.wait { $0.actions.contains { $0.startToken != nil } }
        }
        rig.phone.forceQuit()
        let pushed = try #require(try rig.push(to: rig.phone.state.startToken, .start, score: 0, name: "pushed").card)
        try await rig.launch { eyot in
            eyot.logout()
            eyot.resume(MatchAttributes.self)
            let next = try rig.request("next")
            let nextID = next.id
            eyot.observe(next)
            try await eyot.event { $0.isFollowed(nextID) }
            await rig.phone.untilGone(pushed)
            #expect(try rig.card(nextID).phase == .active, "one that comes after the logout stays")
            eyot.resume(MatchAttributes.self)
            eyot.tapped("next")
            await rig.server.wait { $0.actions.contains { $0.isEvent(.tapped, of: nextID) } }
            #expect(try rig.card(nextID).phase == .active)
        }
    }

    @Test func `a launch that begins with a logout keeps a guest's cards of the earlier one`() async throws {
        let guest = Rig()
        var instance = ""
        try await guest.launch { eyot in
            let activity = try guest.request("order")
            let id = activity.id
            eyot.observe(activity)
            await guest.server.wait { $0.actions.contains { $0.updateToken?.instance == id } }
            instance = id
        }
        try await guest.launch { [instance] eyot in
            eyot.logout()
            eyot.resume(MatchAttributes.self)
            await guest.server.wait { $0.actions.contains(.running(type: "MatchAttributes", instances: [instance])) }
            eyot.identify("anna")
            await guest.server.wait { $0.actions.contains(.identify(user: "anna")) }
            let card = try guest.card(instance)
            #expect(card.phase == .active)
        }
    }

    @Test func `a card that an earlier launch stopped tracking is not taken away`() async throws {
        let instance = try await cardOfAnna()
        try await rig.launch { eyot in
            eyot.stopTracking(MatchAttributes.self)
            eyot.logout()
            eyot.resume(MatchAttributes.self)
            await rig.server.wait { $0.actions.contains(.running(type: "MatchAttributes", instances: [instance])) }
            let card = try rig.card(instance)
            #expect(card.phase == .active)
        }
    }

    @Test(.leavingAllSwitches, arguments: 0..<8)
    func `what follows a power failure is not taken for what was told before it`(_: Int) async throws {
        let file = rig.directory.appendingPathComponent("eyot.jsonl")
        try await rig.launch { _ in await rig.server.wait { $0.registrations.count == 1 } }
        let before = try Data(contentsOf: file)
        try await rig.launch { eyot in
            eyot.register(MatchAttributes.self)
            await rig.server.wait { $0.startable == ["MatchAttributes"] }
            for index in 0..<9 {
                eyot.setAttribute("row", to: .number(Double(index)))
                await rig.server.wait { $0.actions.count >= index + 2 }
            }
        }
        // None of that reached the disk.
        try before.write(to: file)
        rig.phone.rotateStartToken()
        let token = rig.phone.state.startToken
        try await rig.launch { eyot in
            eyot.register(MatchAttributes.self)
            try await eyot.event { $0 == .startToken(type: "MatchAttributes", .confirmed) }
            #expect(await rig.server.books.actions.contains { $0.startToken == token })
        }
    }

    @Test func `a card can be started before the SDK has looked at its file`() async throws {
        await rig.server.declare("final", version: 4, state: ["score": 3], timestamp: 0)
        await rig.server.setChannel("Y2g=", of: "final")
        try await rig.launch { _ in await rig.server.wait { $0.registrations.count == 1 } }
        try await PhoneProcess.$current.withValue(rig.phone.launch()) {
            let eyot = Eyot(configuration: rig.configuration, transport: rig.server, clock: rig.clock, chance: { 0 })
            let channel = try await eyot.channel(of: "final")
            #expect(channel == "Y2g=")
            let instance = try await eyot.start(
                MatchAttributes.self, name: "final", attributes: MatchAttributes(home: "ARG"))
            #expect(try rig.card(instance).content.state == ["score": 3])
        }
    }

    @Test
    func `a card that appears while the others are looked up is followed, where its sequence yields new ones alone`()
        async throws
    {
        var rules = PhoneRules()
        rules.replaysCards = false
        let rig = Rig(rules: rules)
        try await rig.launch { eyot in
            eyot.register(MatchAttributes.self)
            await rig.server.wait { $0.actions.contains { $0.startToken != nil } }
            let start = rig.phone.state.startToken
            _ = try rig.request("first")
            eyot.resume(MatchAttributes.self) { attributes in
                // A push comes while the cards that are there are asked for their names.
                if attributes.eyotActivityName == "first" {
                    _ = try? rig.push(to: start, .start, score: 0, name: "second")
                }
                return attributes.eyotActivityName
            }
            try await eyot.event { $0.follows("first") }
            try await eyot.event { $0.follows("second") }
            _ = try rig.request("third")
            try await eyot.event { $0.follows("third") }
        }
    }

    @Test(.leavingAllSwitches) func `cards that went unseen do not pile up where no type is resumed`() async throws {
        for round in 0..<70 {
            try await rig.launch { eyot in
                let activity = try rig.request("order-\(round)")
                let id = activity.id
                eyot.register(MatchAttributes.self, name: "registration-\(round)")
                eyot.observe(activity)
                try await eyot.event { $0.isFollowed(id) }
                await rig.server.wait { $0.actions.contains { $0.updateToken?.instance == id } }
            }
            for card in rig.phone.state.cards { rig.phone.dismiss(card: card.id) }
        }
        let text = try String(contentsOf: rig.directory.appendingPathComponent("eyot.jsonl"), encoding: .utf8)
        let lines = text.split(separator: "\n")
        #expect(lines.count { $0.contains("\"kind\":\"card\"") } <= DeviceLimits.cardsPerReport)
        #expect(lines.count { $0.contains("\"kind\":\"startName\"") } <= DeviceLimits.cardsPerReport)
        #expect(lines.contains { $0.contains("order-69") && $0.contains("\"kind\":\"card\"") })
        #expect(lines.contains { $0.contains("registration-69") })
    }
}
