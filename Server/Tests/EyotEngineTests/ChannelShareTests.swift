import APNSWire
import EyotCommands
import EyotContract
import EyotDomain
import EyotTestKit
import Testing

@testable import EyotEngine

/// Channel tasks that Apple does not answer, so that they stay under way.
@Suite("Channels of which some get no answer")
struct ChannelShareTests {
    private let world = ChannelWorld()

    /// Another app.
    private func app(_ name: String) -> AppID {
        world.ledger.insertApp(bundleID: "org.example.\(name)", name: name, publicKey: name, at: world.now).id
    }

    /// An activity with a state, and a channel that is due.
    private func insert(
        _ name: String, of app: AppID, in environment: PushEnvironment = .sandbox, type: String = "T",
        _ phase: Channel.Phase
    ) throws {
        var request = DeclarationRequest(verb: .put, name: name, content: Content(state: [:]))
        request.type = type
        let operation = try Declare(Transaction(world.ledger, at: world.now), app: app)(request)
        var channel = Channel(
            id: ChannelID(rawValue: 0), app: app, environment: environment,
            activity: try #require(operation.activity), wantedAt: world.now)
        channel.phase = phase
        channel.apple = phase == .leased ? APNSChannelID("AAAA") : nil
        _ = world.ledger.insert(channel)
    }

    /// What is begun within seconds, and how much of it for which app and where.
    private func begin(_ turns: inout ChannelTurns, seconds: Int = 1) throws -> [String: Int] {
        var begun: [String: Int] = [:]
        for _ in 0..<seconds {
            world.advance(1)
            let tasks = try world.begin(beside: turns)
            turns.begin(tasks)
            for task in tasks { begun["\(task.app.name) \(task.channel.environment)", default: 0] += 1 }
        }
        return begun
    }

    @Test(arguments: [Channel.Phase.leased, .wanted])
    func `hold up those of no other app, nor of another environment`(phase: Channel.Phase) throws {
        let share = (phase == .leased ? Channel.Errand.broadcast(.sandbox) : .upkeep(.sandbox)).share
        for index in 0..<3 * share { try insert("m\(index)", of: world.app.id, phase) }
        var turns = ChannelTurns()
        #expect(try begin(&turns, seconds: 5) == ["one sandbox": share])
        try insert("two", of: app("two"), phase)
        try insert("elsewhere", of: world.app.id, in: .production, phase)
        #expect(try begin(&turns) == ["two sandbox": 1, "one production": 1])
    }

    @Test(arguments: [Halt.Switch.type, .activity])
    func `do not have others wait where they are halted, and go on when they are resumed`(halt: Halt.Switch) throws {
        let share = Channel.Errand.broadcast(.sandbox).share
        for index in 0..<3 * share { try insert("m\(index)", of: world.app.id, .leased) }
        func set(_ isHalted: Bool) throws {
            let command = SetHalt(Transaction(world.ledger, at: world.now))
            guard halt == .activity else {
                _ = try command.set(isHalted, type: "T", of: world.app.id)
                return
            }
            for index in 0..<3 * share { _ = try command.set(isHalted, activity: "m\(index)", of: world.app.id) }
        }
        try set(true)
        try insert("other", of: world.app.id, type: "U", .leased)
        var turns = ChannelTurns()
        #expect(try begin(&turns) == ["one sandbox": 1])
        #expect(try begin(&turns) == [:])
        try set(false)
        #expect(try begin(&turns) == ["one sandbox": share - 1])
    }

    @Test(arguments: [Channel.Phase.leased, .wanted])
    func `have the less room, the more apps get no answer, and the next one has some`(phase: Channel.Phase) throws {
        let errand = phase == .leased ? Channel.Errand.broadcast(.sandbox) : .upkeep(.sandbox)
        for name in "abcdef" {
            let app = app("\(name)")
            for index in 0..<errand.share { try insert("m\(index)", of: app, phase) }
        }
        var turns = ChannelTurns()
        #expect(try begin(&turns).values.max() == errand.share / 6 + 1, "by turns")
        let begun = try begin(&turns, seconds: 9).values.reduce(errand.share, +)
        #expect(begun > 2 * errand.share)
        #expect(begun < errand.limit)
        try insert("next", of: app("next"), phase)
        #expect(try begin(&turns) == ["next sandbox": 1])
    }
}
