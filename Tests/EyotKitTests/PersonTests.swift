import EyotContract
import EyotKit
import Foundation
import PhoneSimulator
import Testing

@Suite("The person and the installation", .timeLimit(.minutes(10)))
struct PersonTests {
    private let rig = Rig()
    private let signature = IdentitySignature("head.payload.signature")

    @Test func `a signed identity is told, kept, and told again with a registration`() async throws {
        try await rig.launch { eyot in
            eyot.identify("anna", signature: "head.payload.signature")
            await rig.server.wait { $0.actions == [.identify(user: "anna", signature: signature)] }
            // Said again at every launch, it is nothing new.
            eyot.identify("anna", signature: "head.payload.signature")
            eyot.identify("anna")
            eyot.identify("anna", signature: "another")
            await rig.server.wait { $0.actions.count == 2 }
            #expect(await rig.server.books.actions.last == .identify(user: "anna", signature: .init("another")))
        }
        var configuration = rig.configuration
        configuration.appVersion = "2.0 (1)"
        try await rig.launch(as: configuration) { _ in await rig.server.wait { $0.registrations.count == 2 } }
        #expect(await rig.server.registrations.last?.signature == .init("another"))
    }

    @Test(arguments: ["", "two words", String(repeating: "a", count: 8_193)])
    func `a signature that is none is reported, and nobody is identified`(text: String) async throws {
        try await rig.launch { eyot in
            eyot.identify("anna", signature: text)
            try await eyot.problem { $0 == .signatureInvalid }
            eyot.identify("bert")
            await rig.server.wait { $0.actions == [.identify(user: "bert")] }
        }
    }

    @Test
    func `a person whom the server does not believe is reported, with a registration too, and everything goes on`()
        async throws
    {
        await rig.server.refuse(user: "anna")
        try await rig.launch { eyot in
            eyot.identify("anna", signature: "head.payload.signature")
            try await eyot.problem { $0 == .identityRefused(user: "anna", reason: "EXPIRED") }
        }
        var configuration = rig.configuration
        configuration.appVersion = "2.0 (1)"
        try await rig.launch(as: configuration) { eyot in
            try await eyot.problem { $0 == .identityRefused(user: "anna", reason: "EXPIRED") }
            eyot.identify("bert")
            await rig.server.wait { $0.actions.last == .identify(user: "bert") }
        }
    }

    @Test func `a signature is not in anything that could be printed`() throws {
        let change = DeviceChange(sequence: 1, action: .identify(user: "anna", signature: signature))
        var dumped = ""
        dump(change, to: &dumped)
        for text in ["\(change)", String(reflecting: change), dumped] { #expect(!text.contains("payload")) }
    }

    @Test func `another person in the place of the first takes that one's cards away`() async throws {
        try await rig.launch { eyot in
            eyot.identify("anna")
            let activity = try rig.request("order")
            let instance = activity.id
            eyot.observe(activity)
            try await eyot.event { $0.isFollowed(instance) }
            eyot.identify("bert")
            try await eyot.event { $0.isForgotten(instance) }
            #expect(try rig.card(instance).phase == .dismissed)
        }
    }

    @Test func `a logout takes away a card, too, that has appeared this moment and is not followed yet`() async throws {
        // The task that is about to follow the card asks for its name first, and the gate holds it there.
        let (asked, ask) = AsyncStream.makeStream(of: Void.self)
        let gate = DispatchSemaphore(value: 0)
        let isFirst = Guarded(true)
        try await rig.launch { eyot in
            eyot.identify("anna")
            let stranger = try rig.request(nil).id
            eyot.resume(MatchAttributes.self) { attributes in
                guard let name = attributes.eyotActivityName else { return nil }
                let isHeld = isFirst.withLock { first in
                    defer { first = false }
                    return first
                }
                if isHeld {
                    ask.yield()
                    gate.wait()
                }
                return name
            }
            try await eyot.problem { $0 == .nameMissing(type: "MatchAttributes", instance: stranger) }
            let instance = try rig.request("order").id
            for await _ in asked { break }
            eyot.logout()
            await rig.server.wait { $0.actions.last == .logout }
            gate.signal()
            await rig.phone.untilGone(instance)
            #expect(try rig.card(stranger).phase == .active, "one without a name is nobody's business")
        }
    }

    @Test func `the first login keeps the cards that an anonymous person has`() async throws {
        try await rig.launch { eyot in
            let activity = try rig.request("order")
            let instance = activity.id
            eyot.observe(activity)
            try await eyot.event { $0.isFollowed(instance) }
            eyot.identify("anna")
            await rig.server.wait { $0.actions.contains(.identify(user: "anna")) }
            #expect(try rig.card(instance).phase == .active)
        }
    }

    @Test func `a login tells every card anew, with its token: it may have been refused while the phone was nobody's`()
        async throws
    {
        try await rig.launch { eyot in
            let activity = try rig.request("order")
            let instance = activity.id
            eyot.observe(activity)
            await rig.server.wait { $0.actions.contains { $0.updateToken?.instance == instance } }
            for (user, signature) in [("anna", nil), ("anna", "head.payload.signature")] {
                let before = await rig.server.books.actions.count
                eyot.identify(user, signature: signature)
                let login = DeviceChange.Action.identify(
                    user: user, signature: signature.flatMap(IdentitySignature.init))
                await rig.server.wait { books in
                    let told = books.actions.dropFirst(before)
                    guard let place = told.firstIndex(of: login) else { return false }
                    return told[place...].contains { $0.updateToken?.instance == instance }
                }
            }
        }
    }

    @Test func `whoever comes back tells every card anew, with its token, and the app hears of it once`() async throws {
        try await rig.launch { eyot in
            let activity = try rig.request("order")
            let instance = activity.id
            eyot.observe(activity)
            try await eyot.event { if case .card(_, .tokenConfirmed) = $0 { true } else { false } }
            let before = await rig.server.books.actions.count
            eyot.retryNow()
            await rig.server.wait { $0.actions.dropFirst(before).contains { $0.updateToken?.instance == instance } }
            try await eyot.event { if case .confirmed = $0 { true } else { false } }
            eyot.addTags(["fans"])
            await rig.server.wait { $0.actions.contains(.profile(.init(tags: ["fans"]))) }
            eyot.unregister(MatchAttributes.self)
            let last = EyotEvent.problem(.notRegistered(type: "MatchAttributes"))
            let next = try await eyot.event { if case .card(_, .tokenConfirmed) = $0 { true } else { $0 == last } }
            #expect(next == last)
        }
    }

    @Test func `tags and attributes are told as a whole, kept, and told again with a registration`() async throws {
        let whole = DeviceProfile(
            tags: ["fans"], attributes: ["team": "ARG", "seats": 2, "vip": true, "cups": ["1978", "2022"], "none": []])
        try await rig.launch { eyot in
            eyot.addTags(["fans", "guests"])
            eyot.removeTags(["guests"])
            eyot.setAttribute("team", to: "ARG")
            eyot.setAttribute("seats", to: 2)
            eyot.setAttribute("vip", to: true)
            eyot.setAttribute("cups", to: ["1978", "2022"])
            eyot.setAttribute("none", to: [])
            eyot.setAttribute("row", to: "C")
            eyot.setAttribute("row", to: nil)
            await rig.server.wait { $0.actions.last == .profile(whole) }
            // What comes next shows that the phone has heard it, too.
            eyot.identify("bert")
            await rig.server.wait { $0.actions.last == .identify(user: "bert") }
        }
        let told = await rig.server.books.actions.count
        var configuration = rig.configuration
        configuration.appVersion = "2.0 (1)"
        try await rig.launch(as: configuration) { eyot in
            await rig.server.wait { $0.registrations.count == 2 && $0.actions.count > told }
            #expect(await rig.server.books.actions[told...].contains(.profile(whole)))
            eyot.addTags(["fans"])
            eyot.identify("anna")
            await rig.server.wait { $0.actions.last == .identify(user: "anna") }
            let profiles = await rig.server.books.actions[told...].filter {
                if case .profile = $0 { true } else { false }
            }
            #expect(profiles.count == 1, "what holds already is not told")
        }
    }

    @Test func `what the app says is at most as large as a request can carry`() async throws {
        let large = AttributeValue.texts(Array(repeating: String(repeating: "x", count: 256), count: 100))
        try await rig.launch { eyot in
            for index in 0..<100 { eyot.setAttribute("a\(index)", to: large) }
            try await eyot.problem { if case .profileInvalid = $0 { true } else { false } }
            eyot.setAttribute("a99", to: .flag(true))
            eyot.addTags(["fans"])
            await rig.server.wait { books in
                guard case .profile(let profile) = books.actions.last else { return false }
                return profile.tags == ["fans"] && profile.attributes["a0"] == large
                    && profile.attributes["a99"] == true
            }
        }
        let sizes = await rig.server.requests.map { $0.body.utf8.count }
        #expect(sizes.allSatisfy { $0 <= DeviceLimits.bodyBytes })
    }

    @Test func `a tag or an attribute that the server would not take is reported by its name`() async throws {
        try await rig.launch { eyot in
            eyot.addTags([""])
            try await eyot.problem { $0 == .profileInvalid(name: "") }
            eyot.setAttribute("long", to: .text(String(repeating: "x", count: 1_025)))
            try await eyot.problem { $0 == .profileInvalid(name: "long") }
            eyot.setAttribute("infinite", to: .number(.infinity))
            try await eyot.problem { $0 == .profileInvalid(name: "infinite") }
            eyot.addTags(Set((0...100).map { "tag-\($0)" }))
            try await eyot.problem { if case .profileInvalid = $0 { true } else { false } }
            for index in 0..<100 { eyot.setAttribute("a\(index)", to: 1) }
            eyot.setAttribute("one more", to: 1)
            try await eyot.problem { $0 == .profileInvalid(name: "one more") }
            eyot.setAttribute("a1", to: 2)
            await rig.server.wait { books in
                guard case .profile(let profile) = books.actions.last else { return false }
                return profile.attributes["a1"] == 2 && profile.attributes.count == 100
            }
        }
    }
}
