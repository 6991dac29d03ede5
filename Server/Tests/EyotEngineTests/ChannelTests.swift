import APNSWire
import EyotCommands
import EyotContract
import EyotDomain
import EyotTestKit
import Testing

@testable import EyotEngine

@Suite("A channel")
struct ChannelTests {
    @Test func `is made for each environment with a key, and brought to what was declared`() throws {
        let world = ChannelWorld(environments: [.production, .sandbox])
        let operation = try world.declare(.put, score: 1, wantsChannel: true)
        #expect(!operation.warnings.contains { $0.contains("channel") })
        try world.work()
        #expect(world.asked == ["make", "make", "update 1", "update 1"])
        let channels = world.ledger.channels(of: try world.activity().id)
        #expect(channels.map(\.environment) == [.production, .sandbox])
        #expect(channels.allSatisfy { $0.phase == .leased && $0.accepted == 1 })
        let page = try #require(world.pages.last)
        #expect(page.recipients == .channels)
        #expect(page.template(at: 0).topic == "org.example.one")
        #expect(page.template(at: 0).expiration == world.now.second + 8 * 3_600)
        #expect(world.lastBody?.object?["aps"]?.object?["content-state"] == ["n": 1])
    }

    @Test func `gets at once what is first, or urgent, and the rest as the phone sees fit`() throws {
        let world = ChannelWorld()
        try world.declare(.put, score: 1, wantsChannel: true)
        try world.work()
        for (score, urgent) in [(2, false), (3, true), (4, false)] {
            world.advance(2)
            try world.declare(.update, score: score, urgent: urgent)
            try world.work()
        }
        #expect(
            world.pages.map { $0.template(at: 0).priority } == [.immediate, .considerate, .immediate, .considerate])
    }

    @Test func `is made for nobody who has not asked`() throws {
        let world = ChannelWorld()
        try world.declare(.put)
        try world.work()
        #expect(world.asked.isEmpty)
        #expect(world.ledger.channels(of: try world.activity().id).isEmpty)
    }

    @Test func `needs a key, and says so`() throws {
        let world = ChannelWorld(environments: [])
        let operation = try world.declare(.put, wantsChannel: true)
        #expect(operation.warnings.count { $0.hasPrefix("channel needs an APNs key") } == 1)
    }

    @Test func `gets the newest state and none that was overtaken, one in a second`() throws {
        let world = ChannelWorld()
        try world.declare(.put, score: 1, wantsChannel: true)
        try world.work()
        try world.declare(.update, score: 2)
        try world.work()
        #expect(world.asked == ["make", "update 1"], "its second is over only then")
        try world.declare(.update, score: 3)
        world.advance(1)
        try world.work()
        #expect(world.asked == ["make", "update 1", "update 3"])
        world.advance(3_600)
        try world.work()
        #expect(world.asked.count == 3, "and then it rests")
    }

    @Test func `that is behind keeps an operation open, and wakes its activity when it is not`() throws {
        let world = ChannelWorld()
        let id = try world.declare(.put, score: 1, wantsChannel: true).id
        func isComplete() throws -> Bool {
            let activity = try world.activity()
            _ = try Rest(Transaction(world.ledger, at: world.now))(activity.id, .init(stamp: activity.stamp))
            return world.ledger.operation(id, in: world.app.id)?.completion != nil
        }
        try world.work(.notProcessed)
        #expect(try !isComplete())
        world.advance(60)
        world.ledger.woken = []
        try world.work()
        #expect(world.ledger.woken == [try world.activity().id])
        #expect(try isComplete())
    }

    @Test func `gives an alert once, and not where it may have been given`() throws {
        let world = ChannelWorld()
        try world.declare(.put, score: 1, wantsChannel: true)
        try world.work()
        world.advance(1)
        try world.declare(.update, score: 2, alert: "Goal")
        try world.work(.unknown)
        #expect(world.lastBody?.object?["aps"]?.object?["alert"] == ["title": "Goal"])
        world.advance(10)
        try world.work()
        #expect(world.asked.suffix(2) == ["update 2", "update 2"])
        #expect(world.lastBody?.object?["aps"]?.object?["alert"] == nil)
    }

    @Test func `gives no alert that cards were started with, and every later one`() throws {
        let world = ChannelWorld()
        try world.declare(.put, score: 1, alert: "Kick-off", wantsChannel: true)
        try world.work()
        #expect(world.asked.last == "update 1")
        #expect(world.lastBody?.object?["aps"]?.object?["alert"] == nil)
        world.advance(1)
        try world.declare(.update, score: 2)
        try world.work()
        #expect(world.lastBody?.object?["aps"]?.object?["alert"] == nil)
        world.advance(1)
        try world.declare(.update, score: 3, alert: "Goal")
        try world.work()
        #expect(world.lastBody?.object?["aps"]?.object?["alert"] == ["title": "Goal"])
    }

    @Test func `hears the end again until the last lease is over, rests, and is another's`() throws {
        let world = ChannelWorld()
        try world.declare(.put, score: 1, wantsChannel: true)
        try world.work()
        world.advance(1)
        try world.declare(.end, score: 2)
        try world.work()
        let first = try world.channel()
        #expect(first.ends == 1)
        world.advance(59)
        try world.work()
        #expect(world.asked.filter { $0 == "end 2" }.count == 1)
        world.advance(1)
        try world.work()
        #expect(world.asked.filter { $0 == "end 2" }.count == 2)
        for _ in 0..<12 * 60 {
            world.advance(60)
            try world.work()
        }
        #expect((10...20).contains(world.asked.count { $0 == "end 2" }))
        #expect(try world.channel().phase == .resting)
        let freeAt = try #require(try world.channel().freeAt)
        #expect(freeAt.seconds(since: try #require(try world.activity().endedAt)) >= 24 * 3_600)

        try world.declare(.put, "too soon", wantsChannel: true)
        try world.work()
        #expect(try world.channel("too soon").apple != first.apple)
        world.advance(freeAt.seconds(since: world.now))
        try world.declare(.put, "later", score: 7, wantsChannel: true)
        try world.work()
        let next = try world.channel("later")
        #expect((next.apple, next.id) == (first.apple, first.id))
        #expect((next.accepted, next.ends) == (1, 0))
        #expect(world.ledger.channels(of: try world.activity().id).isEmpty)
    }

    @Test func `is silent while the activity is halted, and then gets the newest`() throws {
        let world = ChannelWorld()
        try world.declare(.put, score: 1, wantsChannel: true)
        try world.work()
        world.advance(1)
        var activity = try world.activity()
        activity.haltedAt = world.now
        world.ledger.update(activity)
        for score in 2...3 { try world.declare(.update, score: score) }
        try world.work()
        #expect(world.asked == ["make", "update 1"])
        activity = try world.activity()
        activity.haltedAt = nil
        world.ledger.update(activity)
        try world.work()
        #expect(world.asked == ["make", "update 1", "update 3"])
    }

    @Test func `rests and is deleted though its activity was removed`() throws {
        let world = ChannelWorld()
        try world.declare(.put, wantsChannel: true)
        try world.work()
        let id = try world.channel().id
        world.advance(1)
        try world.declare(.end)
        let activity = try world.activity().id
        world.ledger.removeActivity(activity)
        try world.work()
        #expect(world.ledger.channel(id)?.phase == .resting)
        world.advance(36 * 3_600)
        try world.work()
        #expect(world.ledger.channel(id) == nil)
        #expect(world.asked.last == "delete")
    }

    @Test func `looks again when the activity's planned end has come`() throws {
        let world = ChannelWorld()
        try world.declare(.put, score: 1, wantsChannel: true)
        var activity = try world.activity()
        activity.endsAt = world.now + 60
        world.ledger.update(activity)
        try world.work()
        #expect(try world.channel().dueAt == world.now + 61)
    }

    @Test func `is deleted when nobody has wanted it for a day`() throws {
        let world = ChannelWorld()
        try world.declare(.put, wantsChannel: true)
        try world.work()
        world.advance(1)
        try world.declare(.end)
        world.advance(13 * 3_600)
        try world.work()
        #expect(try world.channel().phase == .resting)
        world.advance(36 * 3_600 - 1)
        try world.work()
        #expect(!world.asked.contains("delete"))
        world.advance(1)
        try world.work()
        #expect(world.asked.last == "delete")
        #expect(world.ledger.channels(of: try world.activity().id).isEmpty)
        #expect(world.ledger.channelCount(of: world.app.id, in: .sandbox) == 0)
    }

    @Test(arguments: [APNSReason.featureNotEnabled, .cannotCreateChannelConfig])
    func `that Apple does not make is not asked for again, and the app goes on`(reason: APNSReason) throws {
        let world = ChannelWorld()
        try world.declare(.put, wantsChannel: true)
        try world.work(answer: .refused(reason))
        world.advance(3_600)
        try world.work()
        #expect(world.asked == ["make"])
        #expect((try world.channel().phase, try world.channel().reason) == (.lost, reason))
        #expect(world.ledger.app(world.app.id)?.pauses == [:])
    }

    @Test func `whose creation failed is asked for again, later and later`() throws {
        let world = ChannelWorld()
        try world.declare(.put, wantsChannel: true)
        for pause in [1.0, 2, 4] {
            try world.work(answer: .failed)
            world.advance(pause - 0.5)
            try world.work(answer: .failed)
            world.advance(0.5)
        }
        #expect(world.asked == ["make", "make", "make"])
    }

    @Test func `goes on at once where a push did not reach Apple, and soon again while none does`() throws {
        let world = ChannelWorld()
        try world.declare(.put, score: 1, wantsChannel: true)
        try world.work()
        world.advance(1)
        try world.declare(.update, score: 2)
        // The first of them is the rest of the second (R7).
        for pause in [1.0, 1, 2, 4, 5, 5, 5] {
            try world.work(.notProcessed)
            world.advance(pause - 0.5)
            try world.work(.notProcessed)
            world.advance(0.5)
        }
        try world.work()
        #expect(world.asked == ["make", "update 1"] + Array(repeating: "update 2", count: 8))
        #expect(try world.channel().accepted == 2)
    }

    @Test func `that Apple has no more is made anew, and a refused key pauses the app`() throws {
        let world = ChannelWorld()
        try world.declare(.put, score: 1, wantsChannel: true)
        try world.work(.refused(.channelNotRegistered), looks: 2)
        #expect((try world.channel().phase, try world.channel().edition) == (.wanted, 2))
        try world.work()
        try world.declare(.put, "other", wantsChannel: true)
        try world.work(.refused(.invalidProviderToken))
        #expect(world.ledger.app(world.app.id)?.pauses[.sandbox]?.reason == .invalidProviderToken)
    }

    @Test func `takes no scopes, and says so`() throws {
        let world = ChannelWorld()
        try world.declare(.put, score: 1, wantsChannel: true)
        try world.work()
        world.advance(1)
        let operation = try world.declare(.update, score: 2, scope: .all)
        #expect(operation.warnings.count { $0.hasPrefix("scope does not reach cards that follow a channel") } == 1)
        try world.work()
        #expect(world.asked == ["make", "update 1"])
    }

    @Test func `of an activity that ended before it was made is not made any more`() throws {
        let world = ChannelWorld()
        try world.declare(.put, wantsChannel: true)
        try world.declare(.end)
        try world.work()
        #expect(world.asked.isEmpty)
        #expect(try world.channel().phase == .lost)
    }

    @Test func `beyond the pool's limit is refused to whoever asks`() throws {
        let world = ChannelWorld()
        for index in 0..<Channel.poolLimit {
            _ = world.ledger.insert(
                Channel(
                    id: ChannelID(rawValue: 0), app: world.app.id, environment: .sandbox,
                    activity: ActivityID(rawValue: Int64(1_000 + index)), wantedAt: world.now))
        }
        try world.declare(.put, wantsChannel: true)
        #expect((try world.channel().phase, try world.channel().reason) == (.lost, .cannotCreateChannelConfig))
    }
}

@Suite("A start in an activity with a channel")
struct ChannelStartTests {
    /// A phone with a start token.
    private func register(_ phone: String, os: OSVersion, in world: ChannelWorld) throws {
        let device = world.ledger.insert(
            NewDevice(
                app: world.app.id, installation: phone, environment: .sandbox, osVersion: os, appVersion: "1",
                permissions: DevicePermissions(activities: true, frequentPushes: true), createdAt: world.now))
        world.ledger.put(
            StartToken(
                device: device.id, type: "Match", token: try #require(PushToken(bytes: Array(phone.utf8))),
                environment: .sandbox, setAt: world.now), in: world.app.id)
    }

    /// A start for all phones, or a put.
    private func declare(
        _ verb: DeclarationRequest.Verb = .start, state: JSONValue = ["n": 1], alert: String? = nil,
        on canary: Canary.Terms? = nil, in world: ChannelWorld
    ) throws {
        var request = DeclarationRequest(verb: verb, name: "m", content: Content(state: state))
        (request.type, request.attributes, request.audience) = ("Match", [:], .all)
        request.content.alert = alert.map { Alert(body: ["title": .string($0)], expiresAt: world.now + 300) }
        (request.wantsChannel, request.canary) = (true, canary)
        _ = try Declare(Transaction(world.ledger, at: world.now), app: world.app.id)(request)
    }

    /// A phone with a start token, and a start that has been accepted.
    private func start(os: OSVersion, state: JSONValue = ["n": 1]) throws -> ChannelWorld {
        let world = ChannelWorld()
        try register("one", os: os, in: world)
        try declare(state: state, in: world)
        return world
    }

    /// The start that is due now, as an object; nil where none is.
    private func dueStart(_ world: ChannelWorld) throws -> JSONObject? {
        try dueStartBody(world).flatMap { try JSONValue(parsing: $0).object?["aps"]?.object }
    }

    private func dueStartBody(_ world: ChannelWorld) throws -> [UInt8]? {
        let taken = try TakePages(Transaction(world.ledger, at: world.now))(
            [EngineCore.Look(activity: try world.activity().id)],
            in: EngineCore.TakeRoom(pushes: 9, replicas: 9))
        return taken.pages.first?.page.template(at: 0).body(timestamp: 1_700_000_000)
    }

    @Test func `waits for the channel, and names it`() throws {
        let world = try start(os: OSVersion(18))
        #expect(try dueStart(world) == nil)
        try world.work()
        let start = try #require(try dueStart(world))
        #expect(start["input-push-channel"] == .string(try #require(world.channel().apple).text))
        #expect(start["input-push-token"] == nil)
        // The replica shows that its card follows the channel. A card with a token to come has another word.
        let place = try #require(try world.ledger.replicas(of: world.activity().id, after: 0, limit: 1).first)
        let seen = DeviceChange.Action.cardSeen(Card(instance: "card", name: "m", type: "Match"))
        _ = try ApplyChanges(Transaction(world.ledger, at: world.now))(
            DeviceChangeBatch(epoch: 1, changes: [DeviceChange(sequence: 1, action: seen)]), of: place.device)
        #expect(try world.ledger.replica(place.ordinal, of: world.activity().id)?.word == "followingChannel")
    }

    @Test func `is followed by the newest state when it has surely left, whatever overtook it`() throws {
        let world = try start(os: OSVersion(18))
        try world.work()
        #expect(world.asked == ["make", "update 1"])
        world.advance(5)
        #expect(try dueStart(world) != nil)
        try world.declare(.update, score: 2)
        world.advance(1)
        try world.work()
        #expect(world.asked.count == 2, "a start that is on its way may carry this second")
        world.advance(1)
        try world.work()
        #expect(world.asked.suffix(1) == ["update 2"])
        world.advance(8)
        try world.work()
        #expect(world.asked == ["make", "update 1", "update 2", "update 2"])
        world.advance(Lease.expiration - 1)
        try world.work()
        #expect(world.asked.count == 4)
        world.advance(1)
        try world.work()
        #expect(world.asked.count == 5, "now Apple keeps the start no longer for a phone that was away")
        world.advance(3_600)
        try world.work()
        #expect(world.asked.count == 5, "and no more")
    }

    @Test(arguments: [false, true])
    func `is the last to carry an alert, be it one that came while it waited for the channel`(isLater: Bool) throws {
        let world = ChannelWorld()
        try register("one", os: OSVersion(18), in: world)
        try declare(alert: isLater ? nil : "Goal", on: isLater ? nil : Canary.Terms(percent: 50), in: world)
        world.advance(1)
        if isLater { try world.declare(.update, score: 2, alert: "Goal") }
        try world.work(looks: 1)
        #expect(try dueStart(world)?["alert"] == ["title": "Goal"])
        var activity = try world.activity()
        try AdvanceCanary(Transaction(world.ledger, at: world.now)).proceed(&activity)
        world.advance(2)
        try world.work()
        #expect(world.asked.suffix(1) == ["update \(activity.common.state)"])
        #expect(world.lastAlert == nil, "each card that follows was started with it")
        world.advance(5)
        try world.declare(.update, score: 3, alert: "Own goal")
        try world.work()
        #expect(world.lastAlert == ["title": "Own goal"])
    }

    @Test func `lets those cards hear an alert first that follow already`() throws {
        let world = try start(os: OSVersion(18))
        try world.work()
        #expect(try dueStart(world) != nil)
        world.advance(20)
        try register("two", os: OSVersion(18), in: world)
        try declare(.put, state: ["n": 2], alert: "Goal", in: world)
        #expect(try dueStart(world) == nil, "it would have the broadcast wait for it, and its card hear that")
        try world.work()
        #expect(world.lastAlert == ["title": "Goal"])
        #expect(try dueStart(world)?["alert"] == ["title": "Goal"])
        for _ in 0..<3 {
            world.advance(Channel.startReach)
            try world.work()
        }
        #expect(world.asked.suffix(2) == ["update 2", "update 2"], "for the first start, which may have been late")
        #expect(world.lastAlert == nil)
    }

    @Test func `does not wait for long until an alert has been broadcast`() throws {
        let world = try start(os: OSVersion(18))
        try world.work()
        #expect(try dueStart(world) != nil)
        world.advance(20)
        try register("two", os: OSVersion(18), in: world)
        try declare(.put, state: ["n": 2], alert: "Goal", in: world)
        try world.work(.refused(.shutdown))
        world.advance(4.9)
        #expect(try dueStart(world) == nil)
        world.advance(0.1)
        #expect(try dueStart(world) != nil)
    }

    @Test func `goes with a token where the channel makes it too large, and its card is not said to follow`() throws {
        func state(_ length: Int) -> JSONValue { ["n": .string(String(repeating: "x", count: length))] }
        let small = try start(os: OSVersion(18), state: state(0))
        try small.work(answer: .refused(.featureNotEnabled))
        let room = APNSLimits.payloadBytes - (try #require(try dueStartBody(small)).count)
        for (length, follows) in [(room / 2, true), (room, false)] {
            let world = try start(os: OSVersion(18), state: state(length))
            try world.work()
            let start = try #require(try dueStart(world))
            #expect((start["input-push-channel"] != nil) == follows)
            let place = try #require(try world.ledger.replicas(of: world.activity().id, after: 0, limit: 1).first)
            #expect(place.isFollowing == follows)
            #expect((try world.channel().startedAt != nil) == follows)
        }
    }

    @Test func `goes with a token where the channel does not come`() throws {
        let world = try start(os: OSVersion(18))
        try world.work(answer: .failed)
        world.advance(4.9)
        #expect(try dueStart(world) == nil)
        world.advance(0.1)
        let start = try #require(try dueStart(world))
        #expect(start["input-push-channel"] == nil)
        #expect(start["input-push-token"] == 1)
    }

    @Test func `goes with a token at once where Apple makes no channel`() throws {
        let world = try start(os: OSVersion(18))
        try world.work(answer: .refused(.featureNotEnabled))
        #expect(try dueStart(world)?["input-push-token"] == 1)
    }

    @Test func `does not wait on a phone that knows no channels`() throws {
        let world = try start(os: OSVersion(17, 4))
        #expect(try dueStart(world) != nil)
    }
}
