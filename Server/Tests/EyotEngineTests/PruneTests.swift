import EyotCommands
import EyotContract
import EyotDomain
import EyotEngine
import EyotTestKit
import Testing

@Suite("What is removed when it is over")
struct PruneTests {
    private static let epoch = Instant(second: 1_700_000_000)
    private static let day = 86_400.0
    private static let type = ScenarioWorld.type
    private let ledger = MemoryLedger()
    private let app = AppID(rawValue: 1)

    private func play(_ steps: [Scenario.Step], until: Double = 100) throws {
        try ScenarioWorld(ledger: ledger).play(Scenario("over", steps, pushes: [], until: until))
    }

    /// One round.
    ///
    /// - Returns: how many transactions it took.
    @discardableResult
    private func prune(after days: Double, _ retention: Retention = Retention()) throws -> Int {
        var stage: Prune.Stage? = .first
        var count = 0
        while let current = stage {
            stage = try Prune(Transaction(ledger, at: Self.epoch + days * Self.day), retention: retention)(current)
            count += 1
        }
        return count
    }

    @Test func `Operations go after their time and not before`() throws {
        try play(at(0, .phone("a")) + at(1, .call(Call.start(1))) + at(5, .call(Call.update(2))))
        try prune(after: 29)
        #expect(ledger.operation(1, in: app) != nil)
        try prune(after: 30.1)
        #expect(ledger.operation(1, in: app) == nil)
        #expect(ledger.operation(2, in: app) == nil)
    }

    @Test func `Counts of events of an app are merged into days, and go after the time of reports`() throws {
        let one = ledger.insertApp(bundleID: "org.example.one", name: "", publicKey: "k", at: Self.epoch).id
        func total(_ width: Int) -> Int {
            ledger.counts(
                in: CountRange(app: one, activity: .ofApp, width: width, seconds: 0..<Int.max), limit: .max
            ).count
        }
        for hour in 0..<3 * 24 {
            let span = CountSpan(of: Self.epoch + Double(hour) * 3_600, width: CountSpan.hour)
            ledger.add(1, to: CountKey(app: one, activity: .ofApp, KeptCounter(.cardEnded), in: span))
        }
        try prune(after: 29)
        #expect(total(CountSpan.hour) == 3 * 24)
        try prune(after: 34)
        #expect(total(CountSpan.hour) == 0 && (3...4).contains(total(CountSpan.day)))
        try prune(after: 399)
        #expect((3...4).contains(total(CountSpan.day)))
        try prune(after: 405)
        #expect(total(CountSpan.day) == 0)
    }

    /// Reports a card that its app has started, under a name without a declaration.
    private func name(_ name: String, on device: DeviceID, at time: Double, _ sequence: Int) throws {
        let change = DeviceChange(
            sequence: sequence,
            action: .cardSeen(Card(instance: "i-\(name)-\(device.rawValue)", name: name, type: Self.type)))
        _ = try ApplyChanges(Transaction(ledger, at: Self.epoch + time))(
            DeviceChangeBatch(epoch: 1, changes: [change]), of: device)
    }

    @Test func `Names that only phones have opened go a while after their last card, and so do their phones`() throws {
        let opened = ledger.insertApp(bundleID: "org.example.opened", name: "", publicKey: "k", at: Self.epoch)
        let phones = ["a", "b"].map { ledger.insert(.phone($0, in: opened.id, at: Self.epoch)).id }
        for number in 1...Prune.rows { try name("name-\(number)", on: phones[0], at: 1, number) }
        try name("common", on: phones[0], at: 1, Prune.rows + 1)
        try name("common", on: phones[1], at: 3 * Self.day, 1)
        #expect(ledger.usage(of: opened.id).openedNames == Prune.rows + 1)
        try prune(after: 6.9)
        #expect(ledger.usage(of: opened.id).openedNames == Prune.rows + 1)
        try prune(after: 7.1)
        #expect(ledger.usage(of: opened.id) == AppUsage(devices: 2, openedNames: 1))
        #expect(ledger.newestActivity(named: "name-7", in: opened.id) == nil)
        #expect(ledger.replicas(of: phones[1], named: "common", in: opened.id).count == 1)
        try prune(after: 10.1)
        #expect(ledger.usage(of: opened.id) == AppUsage(devices: 2))
        try prune(after: 200)
        #expect(ledger.usage(of: opened.id) == AppUsage())
        #expect(phones.allSatisfy { ledger.device($0) == nil })
    }

    @Test func `An operation that a wrong clock dated ahead keeps no others`() throws {
        try play(at(0, .phone("a")) + at(1, .call(Call.start(1))))
        let late = try #require(ledger.operation(1, in: app))
        for number in 0..<Prune.rows * 2 {
            var operation = late
            operation.acceptedAt = Self.epoch + (number == 3 ? 100 * Self.day : 1)
            _ = ledger.insert(operation)
        }
        try prune(after: 31)
        let left = (1...Int64(Prune.rows * 2 + 1)).filter { ledger.operation($0, in: app) != nil }
        #expect(left.count == 1)
    }

    @Test func `However many operations a wrong clock dated ahead, the others go`() throws {
        try play(at(0, .phone("a")) + at(1, .call(Call.start(1))))
        let late = try #require(ledger.operation(1, in: app))
        for number in 0..<Prune.rows * 3 {
            var operation = late
            operation.acceptedAt = Self.epoch + (number < Prune.rows * 2 ? 100 * Self.day : 1)
            _ = ledger.insert(operation)
        }
        try prune(after: 31)
        let left = (1...Int64(Prune.rows * 3 + 1)).filter { ledger.operation($0, in: app) != nil }
        #expect(left == Array(2...Int64(Prune.rows * 2 + 1)))
    }

    @Test func `What an audience that stays open is started with is kept as long as it is open`() throws {
        try play(at(0, .phone("a")) + at(1, .call(Call.start(1))) + at(5, .call(Call.update(2))))
        var activity = try #require(ledger.newestActivity(named: "m", in: app))
        let terms = StartTerms(
            attributesVersion: 1, isScoped: false, alerted: 0, startsAt: Self.epoch, isForced: false,
            restartsDismissed: false)
        let live = LiveAudience(
            app: app, activity: activity.id, asked: .init(audience: ["tag": "fans"], limit: 5), start: terms)
        ledger.put(live)
        activity.startsAt = nil
        ledger.update(activity)
        try prune(after: 8)
        #expect(ledger.declaration(1, of: activity.id) != nil)
        ledger.remove(live)
        try prune(after: 8)
        #expect(ledger.declaration(1, of: activity.id) == nil)
    }

    @Test func `An ended generation goes with all it has, and the name begins anew`() throws {
        try play(at(0, .phone("a")) + at(1, .call(Call.start(1))) + at(5, .call(Call.end(2))))
        let ended = try #require(ledger.newestActivity(named: "m", in: app))
        try prune(after: 6.9)
        #expect(ledger.replica(1, of: ended.id) != nil)
        try prune(after: 7.1)
        #expect(ledger.newestActivity(named: "m", in: app) == nil)
        #expect(ledger.replica(1, of: ended.id) == nil)
        #expect(ledger.declaration(1, of: ended.id) == nil)
    }

    @Test func `What was done stays done when its activity is gone`() throws {
        try play(
            at(0, .phone("a")) + at(1, .call(Call.start(1))) + at(20, .call(Call.update(2)))
                + at(40, .call(Call.end(3))))
        let ended = try #require(ledger.newestActivity(named: "m", in: app))
        try prune(after: 8)
        #expect(ledger.activity(ended.id) == nil)
        for id in 1...3 as ClosedRange<Int64> {
            let operation = try #require(ledger.operation(id, in: app))
            #expect(operation.state(in: ended) == .done)
            #expect(operation.state(in: nil) == .done)
        }
    }

    @Test func `A large generation goes in many transactions, each of few rows`() throws {
        var activity = ledger.insertActivity(named: "m", in: app, generation: 1, type: nil, at: Self.epoch)
        for ordinal in 1...(Prune.rows * 3) {
            ledger.insert(
                Replica(
                    activity: activity.id, ordinal: ordinal, device: DeviceID(rawValue: 1), phase: .ended,
                    createdAt: Self.epoch))
        }
        ledger.insert(activity.declare(.end, Content(), at: Self.epoch))
        ledger.update(activity)
        let stage = try Prune(Transaction(ledger, at: Self.epoch + 8 * Self.day), retention: Retention())(.generations)
        #expect(stage == .generations)
        #expect(ledger.replicas(of: activity.id, after: 0, limit: .max).count == Prune.rows * 2)
        #expect(try prune(after: 8) >= 4)
        #expect(ledger.activity(activity.id) == nil)
    }

    @Test func `Of a running activity the states go that a newer one overtook, and no other`() throws {
        try play(
            at(0, .phone("a"), .phone("b")) + at(1, .call(Call.start(1)))
                + at(5, .call(Call.update(2, scope: .user("user-b")))) + at(9, .call(Call.update(3)))
                + at(12, .call(Call.update(4))))
        let activity = try #require(ledger.newestActivity(named: "m", in: app))
        try prune(after: 6.9)
        #expect(ledger.declarations(of: activity.id, after: 0, limit: 9).map(\.version) == [1, 2, 3, 4])
        try prune(after: 7.1)
        #expect(ledger.declarations(of: activity.id, after: 0, limit: 9).map(\.version) == [2, 4])
    }

    @Test func `A running activity goes on where its first states are gone`() throws {
        let world = try ScenarioWorld(ledger: ledger)
        let first = at(0, .phone("a")) + at(1, .call(Call.start(1))) + at(5, .call(Call.update(2)))
        let later = 2 * Self.day
        try world.play(Scenario("first", first, pushes: [], until: later))
        try prune(after: 2, Retention(operationDays: 1, endedDays: 1, deviceDays: 9))
        try world.play(
            Scenario(
                "then",
                at(later + 1, .phone("b"), .local("b", name: "m")) + at(later + 5, .call(Call.update(3)))
                    + at(later + 9, .call(Call.put(3, to: .all))), pushes: [], until: later + 20))
        #expect(
            world.pushes.suffix(3) == ["172802 b update 2", "172805 b update 3", "172809 a start 3!"])
    }

    @Test func `The state with which a planned start was accepted stays until it has left`() throws {
        try play(
            at(0, .phone("a")) + at(1, .call(Call.start(1, moments: .init(starts: 20 * Self.day))))
                + at(5, .call(Call.update(2))))
        let activity = try #require(ledger.newestActivity(named: "m", in: app))
        try prune(after: 19)
        #expect(ledger.declaration(1, of: activity.id) != nil)
    }

    @Test func `A device that was not heard of loses its tokens, and goes when it has no cards`() throws {
        try play(at(0, .phone("a"), .phone("b")) + at(1, .call(Call.start(1, to: .user("user-a")))))
        let (a, b) = (DeviceID(rawValue: 1), DeviceID(rawValue: 2))
        try prune(after: 179)
        #expect(ledger.startToken(of: a, type: Self.type) != nil)
        try prune(after: 181)
        #expect(ledger.startToken(of: a, type: Self.type) == nil)
        #expect(ledger.startToken(of: b, type: Self.type) == nil)
        #expect(ledger.device(a) != nil)
        #expect(ledger.device(b) == nil)
    }
}
