import APNSWire
import EyotContract
import EyotKit
import Foundation
import PhoneSimulator
import Testing

@Suite("Cards are followed", .underEverySwitch, .timeLimit(.minutes(10)))
struct CardTests {
    private let rig = Rig()

    @Test func `a card that a push starts is seen, with its token`() async throws {
        try await rig.launch { eyot in
            eyot.register(MatchAttributes.self)
            eyot.resume(MatchAttributes.self)
            await rig.server.wait { $0.actions.contains { $0.startToken != nil } }
            try rig.push(to: rig.phone.state.startToken, .start, score: 0, name: "final")
            let card = try #require(rig.phone.state.cards.first)
            await rig.server.wait { $0.actions.contains { $0.updateToken?.token == card.updateToken } }
            #expect(eyot.status(of: "other") == .notTracked)
        }
    }

    @Test func `a card without a token is seen before it gets one`() async throws {
        rig.phone.changeSettings { $0.allowed = .afterAsking }
        try await rig.launch { eyot in
            eyot.register(MatchAttributes.self)
            eyot.resume(MatchAttributes.self)
            await rig.server.wait { $0.actions.contains { $0.startToken != nil } }
            try rig.push(to: rig.phone.state.startToken, .start, score: 0, name: "final")
            await rig.server.wait { books in
                books.actions.contains { if case .cardSeen(let card) = $0 { card.name == "final" } else { false } }
            }
            #expect(eyot.status(of: "final") == .pending)
            rig.clock.advance(by: 90)
            rig.phone.pressAllow()
            await rig.server.wait { books in
                books.actions.contains { if case .setUpdateToken = $0 { true } else { false } }
            }
            try await eyot.event { $0 == .confirmed(changes: 1) }
        }
    }

    @Test func `a launch reports what runs and follows it under its known name`() async throws {
        var instance = ""
        try await rig.launch { eyot in
            let activity = try rig.request(nil)
            instance = activity.id
            eyot.observe(activity, name: "given")
            await rig.server.wait { $0.actions.contains { $0.updateToken != nil } }
        }
        try await rig.launch { eyot in
            eyot.resume(MatchAttributes.self)
            let known = instance
            await rig.server.wait { books in
                books.actions.contains(.running(type: "MatchAttributes", instances: [known]))
                    && books.actions.filter { $0.updateToken?.instance == known }.count == 2
            }
            #expect(eyot.status(of: "given") != .notTracked)
        }
        rig.phone.dismiss(card: instance)
        try await rig.launch { eyot in
            eyot.resume(MatchAttributes.self)
            await rig.server.wait { $0.actions.last == .running(type: "MatchAttributes", instances: []) }
        }
    }

    @Test("a dismissal is reported, once, whether or not the card ends before it goes", arguments: [false, true])
    func dismissal(endsFirst: Bool) async throws {
        var rules = PhoneRules()
        rules.swipeEndsFirst = endsFirst
        let rig = Rig(rules: rules)
        let event = endsFirst ? CardEvent.vanished : .dismissed
        try await rig.launch { eyot in
            let activity = try rig.request("final")
            let instance = activity.id
            eyot.observe(activity)
            await rig.server.wait { $0.actions.contains { $0.updateToken != nil } }
            rig.phone.dismiss(card: instance)
            await rig.server.wait { $0.actions.contains { $0.isEvent(event, of: instance) } }
            try await eyot.event { $0.isForgotten(instance) }
            let events = await rig.server.applied.compactMap(\.action.cardEvent).map(\.event)
            #expect(events.filter { $0 != .started } == [event])
            #expect(eyot.status(of: "final") == .notTracked)
        }
    }

    @Test func `an end by a push is an end, and the card's going after it no swipe`() async throws {
        try await rig.launch { eyot in
            let activity = try rig.request("final")
            let instance = activity.id
            eyot.observe(activity)
            await rig.server.wait { $0.actions.contains { $0.updateToken != nil } }
            try rig.push(to: rig.card(instance).updateToken, .end, score: 4, after: 1)
            // The SDK looks whether the card goes at once.
            while await rig.clock.nextSleep() != 1 {}
            rig.clock.advance(by: 1)
            await rig.server.wait { $0.actions.contains { $0.isEvent(.ended, of: instance) } }
            rig.phone.dismiss(card: instance)
            try await eyot.event { $0.isForgotten(instance) }
            eyot.identify("user-1")
            await rig.server.wait { $0.actions.last == .identify(user: "user-1") }
            let events = await rig.server.applied.compactMap(\.action.cardEvent).map(\.event)
            #expect(events.filter { $0 != .contentApplied } == [.started, .ended])
        }
    }

    @Test(.leaving("maximumCards")) func `of two cards with one name the newer stays`() async throws {
        try await rig.launch { eyot in
            let older = try rig.request("final")
            eyot.observe(older)
            await rig.server.wait { $0.actions.contains { $0.updateToken != nil } }
            let newer = try rig.request("final")
            eyot.observe(newer)
            let (oldID, newID) = (older.id, newer.id)
            await rig.server.wait { $0.actions.contains { $0.isEvent(.ended, of: oldID) } }
            await rig.server.wait { $0.actions.contains { $0.updateToken?.instance == newID } }
            #expect(try rig.card(oldID).phase == .dismissed)
            #expect(try rig.card(newID).phase == .active)
            #expect(await rig.server.applied.allSatisfy { $0.action.cardEvent?.event != .dismissed })
            #expect(eyot.status(of: "final") != .notTracked)
        }
    }

    @Test func `a push that changes a card while the app runs is reported as content`() async throws {
        try await rig.launch { eyot in
            let activity = try rig.request("final")
            let instance = activity.id
            eyot.observe(activity)
            await rig.server.wait { $0.actions.contains { $0.updateToken != nil } }
            try rig.push(to: rig.card(instance).updateToken, .update, score: 1, after: 1)
            await rig.server.wait { $0.actions.contains { $0.isEvent(.contentApplied, of: instance) } }
        }
    }

    @Test func `the app can stop tracking a card, which runs on, also at the next launch`() async throws {
        var instance = ""
        try await rig.launch { eyot in
            let activity = try rig.request("final")
            instance = activity.id
            eyot.observe(activity)
            await rig.server.wait { $0.actions.contains { $0.updateToken != nil } }
            eyot.stopTracking(activity)
            let stopped = instance
            try await eyot.event { $0.isForgotten(stopped) }
        }
        #expect(try rig.card(instance).phase == .active)
        try await rig.launch { eyot in
            eyot.resume(MatchAttributes.self)
            eyot.identify("user-1")
            await rig.server.wait { $0.actions.contains(.identify(user: "user-1")) }
            #expect(eyot.status(of: "final") == .notTracked)
            let activity = try #require(Activity<MatchAttributes>.activities.first)
            eyot.observe(activity)
            try await eyot.event { $0.follows("final") }
        }
    }

    @Test(.leaving("maximumCards", "maximumCardsOnPhone"), arguments: [true, false])
    func `no card of a type is followed any more, and a new one only after it is resumed`(
        ofAllTypes: Bool
    ) async throws {
        try await rig.launch { eyot in
            eyot.resume(MatchAttributes.self)
            await rig.server.wait { $0.actions.contains(.running(type: "MatchAttributes", instances: [])) }
            let names = ["one", "two"]
            var instances: [String] = []
            for name in names {
                instances.append(try rig.request(name).id)
                try await eyot.event { $0.follows(name) }
            }
            if ofAllTypes { eyot.stopTrackingAll() } else { eyot.stopTracking(MatchAttributes.self) }
            // In any order.
            for _ in names { try await eyot.event { if case .card(_, .forgotten) = $0 { true } else { false } } }
            for instance in instances { #expect(try rig.card(instance).phase == .active) }
            _ = try rig.request("three")
            eyot.resume(MatchAttributes.self)
            // It runs already when they are resumed, and the others are not taken up again.
            try await eyot.event { $0.follows("three") }
            for name in names { #expect(eyot.status(of: name) == .notTracked) }
            _ = try rig.request("four")
            try await eyot.event { $0.follows("four") }
        }
    }

    @Test(.leaving("maximumCards"))
    func `a change that the app makes itself is told, and one of a card that is not followed is not`()
        async throws
    {
        try await rig.launch { eyot in
            let activity = try rig.request("final")
            let instance = activity.id
            eyot.willChangeLocally(try rig.request("nobody's"))
            eyot.observe(activity)
            await rig.server.wait { $0.actions.contains { $0.updateToken != nil } }
            eyot.willChangeLocally(activity)
            let card = Card(instance: instance, name: "final", type: "MatchAttributes")
            await rig.server.wait { $0.actions.contains(.cardEvent(card, .locallyChanged)) }
            let books = await rig.server.books
            #expect(books.actions.count { $0.cardEvent?.event == .locallyChanged } == 1)
        }
    }

    @Test func `a change in the moment between a card's request and its being followed is told, too`() async throws {
        try await rig.launch { eyot in
            let activity = try rig.request("final")
            eyot.willChangeLocally(activity)
            eyot.observe(activity)
            let card = Card(instance: activity.id, name: "final", type: "MatchAttributes")
            await rig.server.wait { $0.actions.contains(.cardEvent(card, .locallyChanged)) }
        }
    }

    @Test func `a card that is taken up again in the same launch is followed, and changes reach it`() async throws {
        try await rig.launch { eyot in
            let activity = try rig.request("final")
            let instance = activity.id
            eyot.observe(activity)
            await rig.server.wait { $0.actions.contains { $0.updateToken != nil } }
            eyot.stopTracking(activity)
            eyot.observe(activity)
            try await eyot.event { $0.isForgotten(instance) }
            try await eyot.event { $0.isFollowed(instance) }
            let token = try #require(rig.phone.rotateToken(ofCard: instance))
            await rig.server.wait { $0.actions.contains { $0.updateToken?.token == token } }
        }
    }

    @Test func `a card that is let go and taken up again before the server hears of it is tracked in the end`()
        async throws
    {
        await rig.server.plan(.register, [.status(503)])
        try await rig.launch { eyot in
            let activity = try rig.request("final")
            let instance = activity.id
            eyot.observe(activity)
            try await eyot.event { if case .card(_, .tokenSeen) = $0 { true } else { false } }
            eyot.stopTracking(activity)
            eyot.observe(activity)
            try await eyot.event { $0.isForgotten(instance) }
            try await eyot.event { $0.isFollowed(instance) }
            _ = await rig.clock.nextSleep()
            rig.clock.advance(by: 1)
            let card = Card(instance: instance, name: "final", type: "MatchAttributes")
            await rig.server.wait { books in
                let told = books.actions.filter { $0.updateToken?.instance == instance || $0 == .stopTracking(card) }
                return told.contains(.stopTracking(card)) && told.last?.updateToken != nil
            }
        }
    }

    @Test func `a second resume looks again and does not follow twice`() async throws {
        try await rig.launch { eyot in
            eyot.resume(MatchAttributes.self)
            await rig.server.wait { $0.actions == [.running(type: "MatchAttributes", instances: [])] }
            eyot.resume(MatchAttributes.self)
            await rig.server.wait { $0.actions.count == 2 }
            let activity = try rig.request(nil)
            let instance = activity.id
            try await eyot.problem { $0 == .nameMissing(type: "MatchAttributes", instance: instance) }
            eyot.unregister(MatchAttributes.self)
            let next = try await eyot.event { if case .problem = $0 { true } else { false } }
            #expect(next == .problem(.notRegistered(type: "MatchAttributes")))
        }
    }

    @Test func `a logout takes running cards away and says that nobody is there`() async throws {
        try await rig.launch { eyot in
            eyot.identify("user-1")
            let activity = try rig.request("final")
            let instance = activity.id
            eyot.observe(activity)
            await rig.server.wait { $0.actions.contains { $0.updateToken != nil } }
            eyot.logout()
            await rig.server.wait { $0.actions.contains { $0.isEvent(.ended, of: instance) } }
            #expect(try rig.card(instance).phase == .dismissed)
            let actions = await rig.server.applied.map(\.action)
            #expect(actions.contains(.logout))
            #expect(!actions.contains { $0.isEvent(.dismissed, of: instance) })
        }
    }

    @Test func `a logout keeps running cards where the app wants that`() async throws {
        let rig = Rig(cardsOnLogout: .keep)
        try await rig.launch { eyot in
            let activity = try rig.request("final")
            eyot.observe(activity)
            await rig.server.wait { $0.actions.contains { $0.updateToken != nil } }
            eyot.logout()
            await rig.server.wait { $0.actions.last == .logout }
            #expect(try rig.card(activity.id).phase == .active)
        }
    }

    @Test func `a switch in Settings is reported`() async throws {
        try await rig.launch { eyot in
            try await eyot.event { if case .registered = $0 { true } else { false } }
            #expect(await rig.server.registrations.first?.permissions == .init(activities: true, frequentPushes: true))
            eyot.identify("user-1")
            await rig.server.wait { !$0.actions.isEmpty }
            rig.phone.changeSettings { $0.frequentPushesEnabled = false }
            await rig.server.wait {
                $0.actions.last == .permissions(.init(activities: true, frequentPushes: false))
            }
        }
    }
}
