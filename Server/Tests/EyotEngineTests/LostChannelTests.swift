import APNSWire
import EyotCommands
import EyotContract
import EyotDomain
import EyotTestKit
import Testing

@testable import EyotEngine

@Suite("A channel that Apple no longer has (R1, R16)")
struct LostChannelTests {
    private let world = ChannelWorld()

    private func register(_ phone: String, hasStartToken: Bool = true) throws -> DeviceID {
        let device = world.ledger.insert(
            NewDevice(
                app: world.app.id, installation: phone, environment: .sandbox, osVersion: OSVersion(18),
                appVersion: "1", permissions: DevicePermissions(activities: true, frequentPushes: true),
                createdAt: world.now))
        let token = try #require(PushToken(bytes: Array(phone.utf8)))
        world.ledger.put(
            StartToken(device: device.id, type: "Match", token: token, environment: .sandbox, setAt: world.now),
            in: world.app.id)
        return device.id
    }

    @discardableResult
    private func declare(_ verb: DeclarationRequest.Verb, _ number: Int, wantsChannel: Bool = false) throws -> Operation
    {
        var request = DeclarationRequest(verb: verb, name: "m", content: Content(state: ["n": .integer(number)]))
        request.type = verb == .start ? "Match" : nil
        if verb == .start { (request.attributes, request.audience) = ([:], .all) }
        if verb == .start { request.content.startAlert = AlertText(["title": "Kick-off", "body": "b"]) }
        request.wantsChannel = wantsChannel
        try world.ledger.storeCounts()
        return try Declare(Transaction(world.ledger, at: world.now), app: world.app.id)(request)
    }

    /// Looks at the activity, and accepts the pushes that leave.
    ///
    /// - Returns: what the starts say of a channel; nil for one that asks for a token.
    private func push() throws -> [String?] {
        let taken = try TakePages(Transaction(world.ledger, at: world.now))(
            [EngineCore.Look(activity: try world.activity().id)], in: EngineCore.TakeRoom(pushes: 99, replicas: 99))
        for page in taken.pages {
            var verdicts = PageVerdicts(count: page.count)
            for slot in 0..<page.count { verdicts.verdicts[slot] = .accepted }
            _ = try SettlePage(Transaction(world.ledger, at: world.now))(page, verdicts)
        }
        return try taken.pages.flatMap { page in
            try (0..<page.count).map { slot in
                let body = page.page.template(at: slot).body(timestamp: world.now.second)
                return try JSONValue(parsing: body).object?["aps"]?.object?["input-push-channel"]?.string
            }
        }
    }

    private func replicas() throws -> [Replica] {
        try world.ledger.replicas(of: world.activity().id, after: 0, limit: 99)
    }

    private func show(_ instance: String, on device: DeviceID, sequence: Int) throws -> DeviceAnswer {
        let card = Card(instance: instance, name: "m", type: "Match")
        return try ApplyChanges(Transaction(world.ledger, at: world.now))(
            DeviceChangeBatch(epoch: 1, changes: [DeviceChange(sequence: sequence, action: .cardSeen(card))]),
            of: device)
    }

    /// Two phones with cards that follow a channel, of which the second has lost its start token since.
    private func followers() throws -> (DeviceID, DeviceID) {
        let phones = (try register("one"), try register("two"))
        try declare(.start, 1, wantsChannel: true)
        try world.work()
        let apple = try world.channel().apple?.text
        #expect(try push() == [apple, apple])
        world.advance(3)
        _ = try show("A", on: phones.0, sequence: 1)
        _ = try show("B", on: phones.1, sequence: 1)
        world.ledger.removeStartToken(of: phones.1, type: "Match")
        #expect(try replicas().map(\.word) == ["followingChannel", "followingChannel"])
        world.advance(20)
        return phones
    }

    private func loseChannel() throws {
        try world.work(.refused(.channelNotRegistered), looks: 1)
    }

    @Test func `is made anew, and phones with a start token get a new card that follows it`() throws {
        let phones = try followers()
        let former = try world.channel().apple
        try declare(.update, 2)
        try loseChannel()
        #expect((try world.channel().phase, try world.channel().edition) == (.wanted, 2))
        #expect(try push() == [], "this look finds who is cut off")
        #expect(try push() == [], "the start waits for the channel that is being made")
        #expect(try replicas().map(\.word) == ["channelLost", "channelLost", "starting"])
        try world.work()
        let apple = try #require(try world.channel().apple)
        #expect(apple != former)
        #expect(try push() == [apple.text])
        world.advance(5)
        let answer = try show("A2", on: phones.0, sequence: 2)
        #expect(answer.cards.first { $0.instance == "A" }?.ends == true, "the old card goes when it can")
        #expect(answer.cards.first { $0.instance == "A2" }?.contentState == ["n": 2])
        #expect(try replicas().map(\.word) == ["channelLost", "channelLost", "followingChannel"])
        #expect(try replicas()[0].ending == .replaced)
    }

    @Test func `leaves its followers behind, and each call says how many`() throws {
        let phones = try followers()
        try declare(.update, 2)
        try loseChannel()
        _ = try push()
        try world.work()
        func isBehind(_ index: Int) throws -> Bool { try replicas()[index].isCutOff(in: world.activity()) }
        #expect(try [isBehind(0), isBehind(1)] == [true, true])
        let later = try declare(.update, 3).warnings
        #expect(
            later.contains { $0.hasPrefix("2 cards follow a channel") && $0.hasSuffix("[channelWasLost]") }, "\(later)")
        // The answer to a report brings the card up to date, for there is no other way.
        world.advance(5)
        let answer = try show("B", on: phones.1, sequence: 2)
        #expect(answer.cards.first?.contentState == ["n": 3])
        #expect(try [isBehind(0), isBehind(1)] == [true, false])
        let end = try declare(.end, 4).warnings
        #expect(end.contains { $0.hasSuffix("[channelWasLost]") }, "\(end)")
        #expect(try [isBehind(0), isBehind(1)] == [true, true])
        #expect(try push() == [], "an end starts no card")
    }

    /// A phone that has a start token again, and a card that no push reaches.
    private func showStartToken(_ device: DeviceID, sequence: Int) throws {
        let token = try #require(PushToken(bytes: Array("again".utf8)))
        _ = try ApplyChanges(Transaction(world.ledger, at: world.now))(
            DeviceChangeBatch(
                epoch: 1,
                changes: [DeviceChange(sequence: sequence, action: .setStartToken(type: "Match", token: token))]),
            of: device)
    }

    @Test func `gets a phone a new card when it shows a start token`() throws {
        let phones = try followers()
        try declare(.update, 2)
        try loseChannel()
        _ = try push()
        try world.work()
        #expect(try replicas().map(\.word) == ["channelLost", "channelLost", "starting"])
        try showStartToken(phones.1, sequence: 2)
        #expect(world.ledger.woken.contains(try world.activity().id))
        _ = try push()
        #expect(try replicas().map(\.word) == ["channelLost", "channelLost", "starting", "starting"])
        try showStartToken(phones.1, sequence: 3)
        _ = try push()
        #expect(try replicas().count == 4, "the start is on its way")
    }

    @Test func `gets a phone that its app brought up to date a new card with the next state, once for each`() throws {
        let phones = try followers()
        try declare(.update, 2)
        try loseChannel()
        _ = try push()
        _ = try show("B", on: phones.1, sequence: 2)
        try showStartToken(phones.1, sequence: 3)
        #expect(try replicas().count == 3, "the card has the newest state")
        try declare(.update, 3)
        _ = try push()
        #expect(try replicas().last?.word == "starting")
        var lost = try #require(try replicas().last)
        lost.loseStart(.noCardHeardOf)
        world.ledger.update(lost)
        _ = try push()
        #expect(try replicas().count == 4, "the start was tried for this state")
        try declare(.update, 4)
        _ = try push()
        #expect(try replicas().count == 5)
    }

    @Test func `is given up when Apple loses each one that is made, and cards then have tokens`() throws {
        _ = try followers()
        for edition in 2...Channel.lastEdition + 1 {
            world.advance(60)
            try declare(.update, edition)
            try loseChannel()
            #expect(try world.channel().edition == edition)
            if edition <= Channel.lastEdition { try world.work() }
        }
        #expect(try world.channel().phase == .lost)
        world.advance(60)
        #expect(try push() == [], "this look finds who is cut off")
        #expect(try push() == [nil])
    }

    @Test func `that Apple did not make is asked for again by the next call that wants it`() throws {
        _ = try register("one")
        try declare(.start, 1, wantsChannel: true)
        try world.work(answer: .refused(.cannotCreateChannelConfig))
        #expect(try world.channel().phase == .lost)
        try declare(.start, 2, wantsChannel: true)
        #expect(try world.channel().phase == .wanted)
        try world.work()
        #expect(try world.channel().phase == .leased)
    }
}
