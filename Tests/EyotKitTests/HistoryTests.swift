import EyotContract
import EyotKit
import Foundation
import PhoneSimulator
import Testing

@Suite("A database that goes back", .timeLimit(.minutes(10)))
struct HistoryTests {
    private let rig = Rig()
    private static let now = 1_671_375_600.0

    @Test func `the phone tells what was confirmed only to a server with a history`() async throws {
        try await rig.launch { eyot in
            eyot.identify("anna")
            try await eyot.event { $0 == .confirmed(changes: 1) }
            eyot.addTags(["a"])
            try await eyot.event { $0 == .confirmed(changes: 1) }
            await rig.server.setHistory("h-1")
            eyot.addTags(["b"])
            try await eyot.event { $0 == .confirmed(changes: 1) }
            eyot.addTags(["c"])
            try await eyot.event { $0 == .confirmed(changes: 1) }
        }
        let batches = try await rig.server.requests.filter { $0.route == .changes }.map {
            try DeviceChangeBatch(json: $0.body)
        }
        #expect(batches.map(\.confirmed) == [nil, nil, nil, batches[2].changes.last?.sequence])
        #expect(await rig.server.registrations.count == 1, "the first history of a server is no change")
    }

    @Test func `a server of a former version gets the changes without it, and loses none`() async throws {
        await rig.server.setHistory("h-1")
        try await rig.launch { eyot in
            eyot.identify("anna")
            try await eyot.event { $0 == .confirmed(changes: 1) }
            await rig.server.setHistory()
            eyot.addTags(["a"])
            await rig.server.wait { $0.actions.contains(.profile(.init(tags: ["a"]))) }
        }
        #expect(await rig.server.registrations.count == 1)
    }

    @Test(arguments: [nil, 1])
    func `another history makes the phone register with its secret and tell everything, what there is not too`(
        known: Int?
    ) async throws {
        await rig.server.setHistory("h-1")
        try await rig.launch { eyot in
            eyot.identify("anna")
            eyot.addTags(["fan"])
            eyot.follow(MatchAttributes.self)
            let instance = try rig.request("final", score: 3).id
            await rig.server.wait { $0.actions.contains { $0.updateToken?.instance == instance } }
            eyot.register(Other.self)
            await rig.server.wait { $0.startable == ["MatchAttributes", "Other"] }
            eyot.unregister(Other.self)
            eyot.removeTags(["fan"])
            await rig.server.wait { $0.actions.last == .profile(.init()) }
            eyot.logout()
            try await eyot.event { $0.isForgotten(instance) }
            let guest = try rig.request("guest", score: 7).id
            await rig.server.wait { $0.actions.contains { $0.updateToken?.instance == guest } }
            try await eyot.event {
                if case .card(let card, .tokenConfirmed) = $0 { card.instance == guest } else { false }
            }
            let before = await rig.server.books.actions.count
            await rig.server.goBack(to: known, history: "h-2")
            eyot.addTags(["after"])
            let told = StateDigest(of: ["score": 7])
            await rig.server.wait { books in
                let news = books.actions.dropFirst(before)
                return news.contains(.logout) && news.contains(.removeStartToken(type: "Other"))
                    && news.contains(.running(type: "MatchAttributes", instances: [guest]))
                    && news.contains { $0.startToken != nil } && news.contains { $0.updateToken?.instance == guest }
                    && news.contains(.profile(.init(tags: ["after"])))
                    && news.contains {
                        if case .cardEvent(_, .contentApplied, told) = $0 { true } else { false }
                    }
            }
        }
        let registers = await rig.server.requests.filter { $0.route == .register }
        #expect(registers.count == 2)
        #expect(registers.last?.secret == "secret-1")
        #expect(await Set(rig.server.registrations.map(\.installation)).count == 1)
    }

    @Test func `an empty profile is told if one was confirmed, and a person is told by the registration`() async throws
    {
        await rig.server.setHistory("h-1")
        try await rig.launch { eyot in
            eyot.identify("anna")
            eyot.addTags(["fan"])
            await rig.server.wait { $0.actions.contains(.profile(.init(tags: ["fan"]))) }
            eyot.removeTags(["fan"])
            await rig.server.wait { $0.actions.last == .profile(.init()) }
        }
        let before = await rig.server.books.actions.count
        await rig.server.goBack(to: nil, history: "h-2")
        try await rig.launch { eyot in
            eyot.register(MatchAttributes.self)
            await rig.server.wait {
                $0.registrations.count == 2 && $0.actions.dropFirst(before).contains(.profile(.init()))
            }
        }
        #expect(await rig.server.registrations.last?.user == "anna")
        #expect(await !rig.server.books.actions.contains(.logout))
    }

    @Test func `a refusal for what was confirmed counts as another history`() async throws {
        await rig.server.setHistory("h-1")
        try await rig.launch { eyot in
            eyot.identify("anna")
            eyot.logout()
            await rig.server.wait { $0.actions.last == .logout }
            // The database went back, and has no other history.
            await rig.server.goBack(to: 0, history: "h-1")
            eyot.addTags(["after"])
            await rig.server.wait {
                $0.registrations.count == 2 && $0.actions.contains(.profile(.init(tags: ["after"])))
            }
            #expect(await rig.server.books.actions.count { $0 == .logout } >= 2)
        }
    }

    @Test(arguments: [DeviceRoute.channel, .card])
    func `any answer can bring it, an error too`(route: DeviceRoute) async throws {
        await rig.server.setHistory("h-1")
        try await rig.launch { eyot in
            eyot.identify("anna")
            try await eyot.event { $0 == .confirmed(changes: 1) }
            await rig.server.setHistory("h-2")
            if route == .channel {
                #expect(try await eyot.channel(of: "final") == nil)
            } else {
                await #expect(throws: CardStartFailure.nothingDeclared(name: "final")) {
                    try await eyot.start(MatchAttributes.self, name: "final", attributes: MatchAttributes(home: "ARG"))
                }
            }
            await rig.server.wait { $0.registrations.count == 2 }
        }
    }

    @Test func `a change is one registration, and the new history is kept for the next launch`() async throws {
        await rig.server.setHistory("h-1")
        try await rig.launch { eyot in
            eyot.identify("anna")
            try await eyot.event { $0 == .confirmed(changes: 1) }
        }
        await rig.server.goBack(to: nil, history: "h-2")
        for tag in ["a", "b", "c"] {
            try await rig.launch { eyot in
                eyot.addTags([tag])
                await rig.server.wait { books in
                    books.registrations.count == 2
                        && books.actions.contains {
                            if case .profile(let told) = $0 { told.tags.contains(tag) } else { false }
                        }
                }
            }
        }
        #expect(await rig.server.registrations.count == 2)
    }

    @Test func `a change that the app did not live to answer is answered by the next launch`() async throws {
        await rig.server.setHistory("h-1")
        try await rig.launch { eyot in
            eyot.identify("anna")
            try await eyot.event { $0 == .confirmed(changes: 1) }
            await rig.server.setHistory("h-2")
            await rig.server.plan(.register, [.lost])
            eyot.logout()
            _ = await rig.clock.nextSleep()
        }
        try await rig.launch { _ in await rig.server.wait { $0.registrations.count == 2 && $0.actions.last == .logout }
        }
    }

    @Test func `two servers with two histories behind one name are not asked in a circle`() async throws {
        await rig.server.setHistory("h-1")
        try await rig.launch { eyot in
            eyot.identify("anna")
            try await eyot.event { $0 == .confirmed(changes: 1) }
            // Each batch meets the other server than the registration before it.
            await rig.server.setHistory("h-2", "h-1")
            for (index, tag) in ["a", "b", "c", "d"].enumerated() {
                eyot.addTags([tag])
                let pause = index == 0 ? 0 : 20.0 * Double(1 << (index - 1))
                if pause > 0 {
                    #expect(await rig.clock.nextSleep() == pause)
                    rig.signals.say(.foreground)
                    rig.clock.advance(by: pause)
                }
                await rig.server.wait { $0.registrations.count == index + 2 }
            }
        }
    }

    // MARK: States

    @Test func `a state of the new history is shown though its version is lower, and a late one of the old is not`()
        async throws
    {
        await rig.server.setHistory("h-1")
        await rig.server.declare("final", version: 7, state: ["score": 7], timestamp: Self.now)
        try await rig.launch { eyot in
            eyot.follow(MatchAttributes.self)
            let instance = try rig.request("final").id
            try await eyot.event { $0 == .stateApplied(name: "final", version: 7) }
            await rig.server.goBack(to: nil, history: "h-2")
            await rig.server.declare("final", version: 2, state: ["score": 2], timestamp: Self.now + 5)
            rig.clock.advance(by: 5)
            eyot.retryNow()
            try await eyot.event { $0 == .stateApplied(name: "final", version: 2) }
            #expect(try rig.card(instance).content.state == ["score": 2])
            let isToldAnew = { @Sendable (books: ScriptedServer.Books) in
                books.registrations.count == 2 && books.actions.last?.cardEvent?.event == .contentApplied
            }
            await rig.server.wait(until: isToldAnew)
            // The former primary answers once more, with a later second of its own.
            await rig.server.setHistory("h-1", "h-2")
            await rig.server.declare("final", version: 9, state: ["score": 9], timestamp: Self.now + 10)
            rig.clock.advance(by: 10)
            eyot.addTags(["x"])
            eyot.retryNow()
            #expect(await rig.clock.nextSleep() == 20)
            #expect(try rig.card(instance).content.state == ["score": 2])
        }
    }
}

private struct Other: ActivityAttributes {
    struct ContentState: Codable, Hashable {}
}
