import APNSWire
import EyotCommands
import EyotContract
import EyotDomain
import EyotTestKit
import Testing

@testable import EyotEngine

/// How often a channel is broadcast to: by the spacing of its type, and by what Apple takes.
@Suite("The pace of a channel")
struct ChannelPaceTests {
    private static let tooMany = PushVerdict.refused(.tooManyRequests)

    /// A channel that shows state 1.
    private func world() throws -> ChannelWorld {
        let world = ChannelWorld()
        try world.declare(.put, score: 1, wantsChannel: true)
        try world.work()
        world.advance(1)
        return world
    }

    @Test func `slows down after a 429 whatever is declared, more after each, and goes on with the newest`() throws {
        let world = try world()
        var score = 1
        for pause in [15.0, 30, 60, 120, 240, 240] {
            score += 1
            try world.declare(.update, score: score)
            try world.work(Self.tooMany)
            let asked = world.asked.count
            world.advance(pause - 1)
            score += 1
            try world.declare(.update, score: score)
            try world.work()
            #expect(world.asked.count == asked, "nothing within \(pause) s")
            world.advance(1)
        }
        try world.work()
        #expect(world.asked.last == "update \(score)")
        #expect(world.lastBody?.object?["aps"]?.object?["content-state"] == ["n": .integer(score)])
        let channel = try world.channel()
        #expect((channel.accepted, channel.failures, channel.slowedUntil, channel.reason) == (score, 0, nil, nil))
    }

    @Test func `is its own again after one good answer`() throws {
        let world = try world()
        try world.declare(.update, score: 2)
        try world.work(Self.tooMany)
        world.advance(15)
        try world.work()
        world.advance(1)
        try world.declare(.update, score: 3)
        try world.work()
        #expect(world.asked == ["make", "update 1", "update 2", "update 2", "update 3"])
        world.advance(1)
        try world.declare(.update, score: 4)
        try world.work(Self.tooMany)
        world.advance(15)
        try world.work()
        #expect(try world.channel().accepted == 4, "the first pause is the shortest again")
    }

    @Test func `of one channel is not that of another`() throws {
        let world = try world()
        try world.declare(.put, "n", score: 1, wantsChannel: true)
        try world.work()
        world.advance(1)
        try world.declare(.update, score: 2)
        try world.work(Self.tooMany)
        for score in 2...5 {
            world.advance(1)
            try world.declare(.update, "n", score: score)
            try world.work()
        }
        #expect(try world.channel("n").accepted == 5)
        #expect(try world.channel().accepted == 1)
    }

    @Test func `holds for an end, which goes when the pause is over, and for an alert, which goes with it`() throws {
        let world = try world()
        try world.declare(.update, score: 2, alert: "Goal")
        try world.work(Self.tooMany)
        world.advance(5)
        try world.declare(.end, score: 3)
        try world.work()
        #expect(world.asked.last == "update 2")
        world.advance(10)
        try world.work()
        #expect(world.asked.last == "end 3")
        #expect(world.lastAlert == ["title": "Goal"])
    }

    @Test func `is said to whoever declares meanwhile`() throws {
        let world = try world()
        let first = try world.declare(.update, score: 2)
        #expect(!first.warnings.contains { $0.contains("channelIsSlowed") })
        try world.work(Self.tooMany)
        let second = try world.declare(.update, score: 3)
        #expect(second.warnings.contains { $0.hasSuffix("[channelIsSlowed]") }, "\(second.warnings)")
        world.advance(15)
        try world.work()
        let third = try world.declare(.update, score: 4)
        #expect(!third.warnings.contains { $0.contains("channelIsSlowed") })
    }

    @Test func `holds for making a channel, too`() throws {
        let world = ChannelWorld()
        try world.declare(.put, score: 1, wantsChannel: true)
        try world.work(answer: .refused(.tooManyRequests))
        world.advance(14)
        try world.declare(.update, score: 2)
        try world.work()
        #expect(world.asked == ["make"])
        world.advance(1)
        try world.work()
        #expect(world.asked == ["make", "make", "update 2"])
    }

    @Test func `is the spacing of the type, which urgent states, alerts and ends pass, and starts do not stretch`()
        throws
    {
        let world = try world()
        var profile = TypeProfile(app: world.app.id, type: "Match")
        profile.spacing = 30
        world.ledger.put(profile)
        try world.declare(.update, score: 2)
        for _ in 0..<28 {
            world.advance(1)
            // Cards begin to follow all the while.
            var channel = try world.channel()
            channel.noteStarts(showing: 1, at: world.now)
            world.ledger.update(channel)
            try world.work()
        }
        #expect(world.asked.last == "update 1")
        world.advance(2)
        try world.work()
        #expect(world.asked.last == "update 2")
        for (score, alert, urgent) in [(3, "Goal", false), (4, nil, true)] {
            world.advance(2)
            try world.declare(.update, score: score, alert: alert, urgent: urgent)
            try world.work()
            #expect(world.asked.last == "update \(score)")
        }
        world.advance(2)
        try world.declare(.end, score: 5)
        world.advance(10)
        try world.work()
        #expect(world.asked.last == "end 5")
    }
}
