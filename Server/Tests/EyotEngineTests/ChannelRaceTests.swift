import EyotCommands
import EyotContract
import EyotDomain
import EyotTestKit
import Testing

@testable import EyotEngine

/// What comes between the steps of the channels' reconciler.
@Suite("A channel, while something else happens")
struct ChannelRaceTests {
    /// A phone with iOS 26.
    private func register(_ world: ChannelWorld) throws -> Device {
        world.ledger.device(installation: "one", in: world.app.id)
            ?? world.ledger.insert(
                NewDevice(
                    app: world.app.id, installation: "one", environment: .sandbox, osVersion: OSVersion(26),
                    appVersion: "1", permissions: DevicePermissions(activities: true, frequentPushes: true),
                    createdAt: world.now))
    }

    /// It reports a card of `m`.
    private func report(
        _ world: ChannelWorld, _ instance: String = "card", sequence: Int = 1
    ) throws -> DeviceAnswer {
        let device = try register(world)
        let card = Card(instance: instance, name: "m", type: "Match")
        return try ApplyChanges(Transaction(world.ledger, at: world.now))(
            DeviceChangeBatch(epoch: 1, changes: [DeviceChange(sequence: sequence, action: .cardSeen(card))]),
            of: device.id)
    }

    @Test func `that is about to be deleted is nobody's next`() throws {
        let world = ChannelWorld()
        try world.declare(.put, "old", wantsChannel: true)
        try world.work()
        try world.declare(.end, "old")
        world.advance(Channel.endReach)
        try world.work()
        world.advance(Channel.rest + Channel.idleLimit)
        let tasks = try world.begin()
        #expect(tasks.count == 1)
        try world.declare(.put, "new", wantsChannel: true)
        try SettleChannel(Transaction(world.ledger, at: world.now))(tasks[0], .answered(.deleted))
        try world.work()
        #expect(try world.channel("new").apple != tasks[0].channel.apple)
        #expect(world.ledger.channel(tasks[0].channel.id) == nil)
    }

    @Test func `whose deletion got no answer is deleted once more`() throws {
        let world = ChannelWorld()
        try world.declare(.put, "old", wantsChannel: true)
        try world.work()
        try world.declare(.end, "old")
        world.advance(Channel.endReach)
        try world.work()
        world.advance(Channel.rest + Channel.idleLimit)
        try world.work(answer: .failed)
        world.advance(1)
        try world.work(answer: .refused(.channelNotRegistered))
        #expect(world.asked.suffix(2) == ["delete", "delete"])
        #expect(world.ledger.channelCount(of: world.app.id, in: .sandbox) == 0)
    }

    @Test func `does not keep an operation open that came after something scoped`() throws {
        let world = ChannelWorld()
        try world.declare(.put, score: 1, wantsChannel: true)
        try world.declare(.update, score: 2, scope: .all)
        let start = try world.declare(.start, score: 1)
        #expect(start.version > (try world.activity().newestCommon))
        let id = start.id
        try world.work()
        let activity = try world.activity()
        #expect(try Rest(Transaction(world.ledger, at: world.now))(activity.id, .init(stamp: activity.stamp)))
        #expect(world.ledger.operation(id, in: world.app.id)?.completion != nil)
    }

    @Test func `does not keep what is for some open, which it does not carry`() throws {
        let world = ChannelWorld()
        try world.declare(.put, score: 1, wantsChannel: true)
        try world.work(.notProcessed)
        let (own, common) = (try world.declare(.update, score: 2, scope: .all).id, try world.declare(.put, score: 3).id)
        let activity = try world.activity()
        #expect(try Rest(Transaction(world.ledger, at: world.now))(activity.id, .init(stamp: activity.stamp)))
        #expect(world.ledger.operation(own, in: world.app.id)?.completion != nil)
        #expect(world.ledger.operation(common, in: world.app.id)?.completion == nil)
    }

    @Test func `has what is tried out as soon as that goes on`() throws {
        let world = ChannelWorld()
        try world.declare(.put, score: 1, wantsChannel: true)
        try world.work()
        var activity = try world.activity()
        activity.nextOrdinal = 11
        world.ledger.insert(
            activity.declare(.state, Content(state: ["n": 2]), on: Canary.Terms(percent: 10), at: world.now))
        activity.chooseShare()
        world.ledger.update(activity)
        world.advance(60)
        try world.work()
        #expect(world.asked.last == "update 1")
        try AdvanceCanary(Transaction(world.ledger, at: world.now)).proceed(&activity)
        try world.work()
        #expect(world.asked.last == "update 2")
    }

    @Test func `that is lost, or whose lease is over, wakes the activity whose operations waited for it`() throws {
        let world = ChannelWorld()
        try world.declare(.put, score: 1, wantsChannel: true)
        try world.work(.notProcessed)
        var stamp = try world.activity().stamp
        world.advance(5)
        try world.work(.refused(.channelNotRegistered))
        #expect(try world.activity().stamp > stamp)
        try world.declare(.put, "other", wantsChannel: true)
        try world.declare(.end, "other")
        stamp = try world.activity("other").stamp
        try world.work()
        #expect(try world.activity("other").stamp > stamp)
    }

    private static let wanted = Channel(
        id: ChannelID(rawValue: 1), app: AppID(rawValue: 1), environment: .sandbox, activity: ActivityID(rawValue: 1),
        wantedAt: Instant(second: 100))

    @Test func `is not kept from the newest state by a flood of starts`() throws {
        var channel = Self.wanted
        for second in 100..<200 {
            channel.noteStarts(showing: 1, at: Instant(second: second))
            if second > 101 { #expect(channel.lastSecond < second) }
        }
        #expect(channel.repeatAt == Instant(second: 110), "and those that have left are not kept waiting either")
    }

    @Test func `counts from the last start, also where one that left before it is noted later`() throws {
        var channel = Self.wanted
        channel.noteStarts(showing: 2, at: Instant(second: 105))
        channel.noteStarts(showing: 1, at: Instant(second: 102))
        #expect(channel.startedAt == Instant(second: 105))
        #expect((channel.startedWith, channel.repeatAt) == (1, Instant(second: 112)))
    }

    @Test func `is broadcast again for starts that leave after the clock was set back`() throws {
        var channel = Self.wanted
        channel.noteStarts(showing: 1, at: Instant(second: 3_000))
        channel.noteStarts(showing: 1, at: Instant(second: 200))
        #expect(channel.repeatAt == Instant(second: 210))
    }

    /// A state has been broadcast, and five seconds later a start has left that shows it.
    private func worldAfterStart() throws -> ChannelWorld {
        let world = ChannelWorld()
        try world.declare(.put, score: 1, wantsChannel: true)
        try world.work()
        world.advance(5)
        var channel = try world.channel()
        channel.noteStarts(showing: 1, at: world.now)
        world.ledger.update(channel)
        return world
    }

    @Test func `broadcasts nothing again where starts showed the newest state`() throws {
        let world = try worldAfterStart()
        world.advance(10)
        try world.work()
        #expect(world.asked == ["make", "update 1"])
        try world.declare(.update, score: 2)
        try world.work()
        world.advance(Channel.startReach)
        try world.work()
        #expect(world.asked == ["make", "update 1", "update 2", "update 2"])
    }

    @Test func `is broadcast again for starts that wait for it, though later ones show the newest state`() throws {
        let world = try worldAfterStart()
        try world.declare(.update, score: 2)
        world.advance(2)
        try world.work()
        #expect(world.asked == ["make", "update 1", "update 2"])
        // No node is there for a while.
        world.advance(Channel.startReach + 1)
        var channel = try world.channel()
        channel.noteStarts(showing: 2, at: world.now)
        world.ledger.update(channel)
        world.advance(2)
        try world.work()
        #expect(world.asked == ["make", "update 1", "update 2", "update 2"])
        for _ in 0..<9 {
            world.advance(Channel.startReach)
            try world.work()
        }
        #expect(world.asked.count == 5, "and then it rests")
    }

    @Test func `that Apple refuses a state for is not asked each second, and gives its alert with the next`() throws {
        let world = try worldAfterStart()
        try world.declare(.update, score: 2, alert: "Goal")
        for _ in 0..<60 {
            world.advance(1)
            try world.work(.refused(.payloadTooLarge))
        }
        #expect(world.asked == ["make", "update 1", "update 2", "update 2"], "the second time for the start")
        try world.declare(.update, score: 3)
        try world.work()
        #expect(world.asked.suffix(1) == ["update 3"])
        #expect(world.lastAlert == ["title": "Goal"])
        world.advance(Channel.startReach)
        try world.work()
        #expect(world.asked.suffix(2) == ["update 3", "update 3"])
        #expect(world.lastAlert == nil)
    }

    @Test func `is ended when the starts that were taken have left`() throws {
        let world = try worldAfterStart()
        try world.declare(.end)
        world.advance(Channel.startLead - 0.1)
        try world.work()
        #expect(world.asked.last == "update 1")
        world.advance(0.1)
        try world.work()
        #expect(world.asked.last == "end 2")
    }

    @Test func `is broadcast again for a card that its app has started`() throws {
        let world = ChannelWorld()
        try world.declare(.put, score: 1, wantsChannel: true)
        try world.work()
        world.advance(5)
        let first = try #require(try report(world).cards.first)
        #expect(first.timestamp == Double(world.now.second), "newer than the card")
        world.advance(Channel.startLead)
        try world.work()
        #expect(world.asked == ["make", "update 1", "update 1"])
        let later = try #require(try report(world, sequence: 2).cards.first)
        #expect(later.timestamp < Double(world.now.second), "older than any broadcast that is to come")
        #expect(later.timestamp > Double(world.now.second - 1), "newer than one of the second before it")
    }

    @Test(arguments: Lease.State.allCases)
    func `is broadcast again for a card that takes the place of a start, unless Apple took that`(
        _ state: Lease.State
    ) throws {
        let world = ChannelWorld()
        try world.declare(.put, score: 1, wantsChannel: true)
        try world.work()
        let device = try register(world)
        var activity = try world.activity()
        var lease = Lease(state: state, version: 1)
        if state != .planned { lease.sentAt = world.now }
        let place = Replica(
            activity: activity.id, ordinal: activity.nextOrdinal, device: device.id, phase: .starting, lease: lease,
            createdAt: world.now)
        world.ledger.insert(place)
        activity.nextOrdinal += 1
        world.ledger.update(activity)
        world.advance(5)
        _ = try report(world)
        #expect(world.ledger.replica(place.ordinal, of: activity.id)?.instance == "card")
        world.advance(Channel.startLead)
        try world.work()
        #expect(world.asked == ["make", "update 1"] + (state == .accepted ? [] : ["update 1"]))
    }

    @Test func `cannot end the first of two cards of a name on a phone, so the answer about the second does`() throws {
        let world = ChannelWorld()
        try world.declare(.put, score: 1, wantsChannel: true)
        try world.work()
        _ = try report(world)
        let answer = try report(world, "other", sequence: 2)
        #expect(answer.cards.map(\.instance) == ["other", "card"])
        #expect(answer.cards.map(\.ends) == [false, true])
    }

    @Test func `has counts of its own: each broadcast is one, and none is a card's`() throws {
        let world = ChannelWorld()
        let id = try world.declare(.put, score: 1, wantsChannel: true).id
        try world.work(.refused(.shutdown))
        world.advance(2)
        try world.work(.unknown)
        world.advance(4)
        try world.work()
        let tally = try world.activity().tally
        #expect((tally.broadcasts.accepted, tally.broadcasts.refused, tally.broadcasts.unknown) == (1, 1, 1))
        #expect((tally.accepted, tally.refused, tally.unknown) == (0, 0, 0))
        let operation = try #require(world.ledger.operation(id, in: world.app.id))
        #expect(try operation.counts(in: world.activity()).broadcasts == tally.broadcasts)
    }

    @Test(arguments: [DeclarationRequest.Verb.update, .end])
    func `gets at once what was declared while a push was under way that failed`(verb: DeclarationRequest.Verb) throws {
        let world = ChannelWorld()
        try world.declare(.put, score: 1, wantsChannel: true)
        try world.work()
        world.advance(1)
        try world.declare(.update, score: 2)
        for _ in 0..<6 {
            try world.work(.refused(.shutdown))
            world.advance(60)
        }
        let task = try #require(try world.begin().first)
        try world.declare(verb, score: 3)
        try world.settle(task, .refused(.shutdown))
        world.advance(1)
        try world.work(.refused(.shutdown))
        #expect(world.asked.last == "\(verb == .end ? "end" : "update") 3")
        let count = world.asked.count
        world.advance(60)
        try world.work(.refused(.shutdown))
        #expect(world.asked.count == count, "what fails for its own sake waits")
    }

    @Test(arguments: [false, true])
    func `gets a planned end in its time, though Apple refused what came before`(isPut: Bool) throws {
        let world = ChannelWorld()
        try world.declare(.put, score: 1, wantsChannel: true)
        try world.work()
        var activity = try world.activity()
        activity.endsAt = world.now + 60
        world.ledger.update(activity)
        var channel = try world.channel()
        (channel.failures, channel.dueAt) = (11, world.now + 900)
        world.ledger.update(channel)
        world.advance(60)
        if isPut {
            try world.declare(.put, score: 3)
        } else {
            _ = try TakePages(Transaction(world.ledger, at: world.now))(
                [EngineCore.Look(activity: activity.id)], in: EngineCore.TakeRoom(pushes: 9, replicas: 9))
        }
        try world.work()
        #expect(world.asked.last == "end 2")
    }

    @Test func `is pushed to only by the node that has the shard of its activity`() throws {
        let world = ChannelWorld()
        try world.declare(.put, score: 1, wantsChannel: true)
        let activity = try world.channel().activity
        let sharding = Sharding.shared
        let own = sharding.shard(of: activity)
        let other = sharding.activities(of: [(own + 1) % sharding.count])
        #expect(ChannelTurns(for: .none).room().left.isEmpty)
        #expect(try world.begin(beside: ChannelTurns(for: other)).isEmpty)
        #expect(try world.begin(beside: ChannelTurns(for: sharding.activities(of: [own]))).count == 1)
    }

    @Test func `is broadcast to though Apple answers nobody who wants one made`() throws {
        let world = ChannelWorld()
        try world.declare(.put, score: 1, wantsChannel: true)
        try world.work()
        var turns = ChannelTurns()
        for index in 0..<200 { try world.declare(.put, "waiting \(index)", wantsChannel: true) }
        for _ in 0..<9 {
            world.advance(1)
            turns.begin(try world.begin(beside: turns))
        }
        #expect(try world.begin(beside: turns).isEmpty)
        try world.declare(.update, score: 2)
        let begun = try world.begin(beside: turns)
        #expect(begun.map(\.channel.id) == [try world.channel().id])
        let isBroadcast = if case .broadcast = begun.first?.job { true } else { false }
        #expect(isBroadcast)
    }
}
