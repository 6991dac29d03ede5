import EyotCommands
import EyotContract
import EyotDomain
import EyotTestKit
import Synchronization
import Testing

@Suite("A flood of tokens", .timeLimit(.minutes(10)))
struct RegistrationsTests {
    private let store = MemoryStore()
    private let clock = LeapingClock()
    private let phones = 40
    /// The only one that there is, unless a test says otherwise.
    private static let app = AppID(rawValue: 1)

    private static func token(_ number: Int) throws -> PushToken {
        try #require(PushToken(bytes: [1, UInt8(number)]))
    }

    /// An activity with a card on every phone that waits for its token.
    private func fill() async throws -> ActivityID {
        let (now, phones) = (clock.now, phones)
        return try await store.write { ledger in
            let app = try ledger.insertApp(bundleID: "org.example.match", name: "Test", publicKey: "k", at: now).id
            var final = try ledger.insertActivity(named: "final", in: app, generation: 1, type: "Match", at: now)
            for number in 1...phones {
                let device = try ledger.insert(.phone("phone-\(number)", in: app, at: now))
                var replica = Replica(
                    activity: final.id, ordinal: number, device: device.id, phase: .waitingForToken, createdAt: now)
                replica.instance = "card-\(number)"
                try ledger.insert(replica)
            }
            final.nextOrdinal = phones + 1
            try ledger.update(final)
            return final.id
        }
    }

    private func registrations(
        merges: (@Sendable (ActivityID) -> Bool)? = nil, _ change: (inout Registrations.Limits) -> Void
    ) -> Registrations {
        var limits = Registrations.Limits()
        (limits.atOnce, limits.flood) = (0, 0)
        change(&limits)
        return Registrations(store: store, clock: clock, limits: limits, merges: merges) { Issue.record($0) }
    }

    /// All phones report at once.
    private func report(to registrations: Registrations) async throws -> [DeviceAnswer] {
        let now = clock.now
        return try await withThrowingTaskGroup { group in
            for number in 1...phones {
                let card = Card(instance: "card-\(number)", name: "final", type: "Match")
                let change = DeviceChange(
                    sequence: 3, action: .setUpdateToken(card, token: try Self.token(number)))
                group.addTask {
                    try await registrations.apply(
                        DeviceChangeBatch(epoch: 1, changes: [change]), of: DeviceID(rawValue: Int64(number)),
                        in: Self.app,
                        at: now)
                }
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }
    }

    /// Runs it until every phone's token is set.
    private func flood(_ registrations: Registrations) async throws {
        let id = try await fill()
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { await registrations.run() }
            #expect(try await report(to: registrations).allSatisfy { $0.applied == 3 })
            while try await isWaiting(id) {
                try Task.checkCancellation()
                await Task.yield()
            }
            group.cancelAll()
        }
        let replicas = try await store.read { try $0.replicas(of: id, after: 0, limit: .max) }
        for replica in replicas { #expect(replica.token?.token == (try Self.token(replica.ordinal))) }
    }

    private func isWaiting(_ id: ActivityID) async throws -> Bool {
        try await store.read { ledger in
            try ledger.arrivalSpan() > 0
                || ledger.replicas(of: id, after: 0, limit: .max).contains { $0.token == nil }
        }
    }

    @Test func `is answered in groups, and every token is set in the end`() async throws {
        try await flood(registrations { ($0.group, $0.merge, $0.remove) = (16, 7, 11) })
    }

    @Test func `gathers while it goes on, and not for longer than the limit`() {
        let limits = Registrations.Limits()
        let flood = limits.flood + 1
        #expect(limits.gatherOn(after: limits.gathering, underWay: flood))
        #expect(!limits.gatherOn(after: limits.gathering, underWay: limits.flood))
        #expect(!limits.gatherOn(after: limits.longestGathering, underWay: flood))
    }

    @Test(
        "lets the log gather while many are under way, up to the limit, and else no longer than it has to",
        arguments: [true, false])
    func gathers(_ goesOn: Bool) async throws {
        _ = try await fill()
        try await leaveBehind(1...1)
        clock.isHeld = true
        // Nothing that waits is taken before the end.
        let registrations = registrations { ($0.groups, $0.waiting) = (0, 3) }
        let begin = clock.now
        await withTaskGroup(of: Void.self) { group in
            let run = Task { await registrations.run() }
            let isFull = Flag()
            while goesOn, !isFull.isSet.load(ordering: .relaxed) {
                group.addTask {
                    guard (try? await self.isRefused(registrations)) == true else { return }
                    isFull.isSet.store(true, ordering: .relaxed)
                }
                await Task.yield()
            }
            clock.isHeld = false
            let end = begin + (goesOn ? 10 : 1)
            for _ in 0..<1_000_000 where clock.now < end { await Task.yield() }
            for _ in 0..<1_000 { await Task.yield() }
            #expect(clock.now == end)
            run.cancel()
            await group.waitForAll()
        }
    }

    @Test func `finds a full log: the others are set at once`() async throws {
        try await flood(registrations { ($0.group, $0.log) = (5, 5) })
    }

    @Test func `is no flood where few are under way: each token is set at once`() async throws {
        try await flood(registrations { $0.atOnce = phones })
        #expect(try await store.read { try $0.arrivalSpan() } == 0)
    }

    @Test func `is refused where too many wait already, and what waits is done`() async throws {
        let id = try await fill()
        let registrations = registrations { $0.waiting = 0 }
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { await registrations.run() }
            // It has to be open before anything is refused.
            while try await !isRefused(registrations) {
                try Task.checkCancellation()
                await Task.yield()
            }
            group.cancelAll()
        }
        #expect(try await store.read { try $0.replica(2, of: id)?.token } == nil)
    }

    private func isRefused(_ registrations: Registrations) async throws -> Bool {
        let card = Card(instance: "card-1", name: "final", type: "Match")
        let change = DeviceChange(sequence: 3, action: .setUpdateToken(card, token: try Self.token(1)))
        do {
            _ = try await registrations.apply(
                DeviceChangeBatch(epoch: 1, changes: [change]), of: DeviceID(rawValue: 1), in: Self.app, at: clock.now)
            return false
        } catch let error as EyotError {
            return error.code == .unavailable
        }
    }

    @Test func `that an earlier process left is set at the next start`() async throws {
        let id = try await fill()
        try await leaveBehind(1...phones)
        let registrations = registrations { _ in }
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { await registrations.run() }
            while try await isWaiting(id) {
                try Task.checkCancellation()
                await Task.yield()
            }
            group.cancelAll()
        }
    }

    @Test func `that another node has appended is set by the one that pushes for the activity`() async throws {
        let id = try await fill()
        try await leaveBehind(1...1)
        let registrations = registrations(merges: { _ in true }, { _ in })
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { await registrations.run() }
            while try await store.read({ try $0.arrivalSpan() }) > 0 {
                try Task.checkCancellation()
                await Task.yield()
            }
            // The merge of what was there has ended.
            for _ in 0..<1_000 { await Task.yield() }
            try await leaveBehind(2...phones)
            while try await isWaiting(id) {
                try Task.checkCancellation()
                await Task.yield()
            }
            group.cancelAll()
        }
    }

    /// What an earlier process has left in the log: the tokens of these phones.
    private func leaveBehind(_ numbers: ClosedRange<Int>) async throws {
        let now = clock.now
        try await store.write { ledger in
            var answer = AnswerArrivals(Transaction(ledger, at: now))
            for number in numbers {
                let card = Card(instance: "card-\(number)", name: "final", type: "Match")
                let change = DeviceChange(
                    sequence: 3, action: .setUpdateToken(card, token: try Self.token(number)))
                let batch = DeviceChangeBatch(epoch: 1, changes: [change])
                guard let report = try answer(batch, of: DeviceID(rawValue: Int64(number))) else { continue }
                try ledger.append([report.arrival])
            }
        }
    }

    private final class Flag: Sendable {
        let isSet = Atomic(false)
    }

    @Test func `of one app leaves room for another's`() async throws {
        _ = try await fill()
        let other = try await phoneOfAnotherApp()
        // Nothing that waits is taken before the end.
        let registrations = registrations { ($0.groups, $0.waiting, $0.waitingOfApp) = (0, 4, 3) }
        let (isFull, isRefused) = (Flag(), Flag())
        let now = clock.now
        await withTaskGroup(of: Void.self) { reports in
            let run = Task { await registrations.run() }
            while !isFull.isSet.load(ordering: .relaxed) {
                reports.addTask {
                    guard (try? await self.isRefused(registrations)) == true else { return }
                    isFull.isSet.store(true, ordering: .relaxed)
                }
                await Task.yield()
            }
            reports.addTask {
                let card = Card(instance: "other", name: "other", type: "Match")
                guard let token = PushToken(bytes: [9]) else { return }
                let change = DeviceChange(sequence: 3, action: .setUpdateToken(card, token: token))
                let batch = DeviceChangeBatch(epoch: 1, changes: [change])
                let answer = try? await registrations.apply(batch, of: other.id, in: other.app, at: now)
                isRefused.isSet.store(answer == nil, ordering: .relaxed)
            }
            for _ in 0..<1_000 { await Task.yield() }
            run.cancel()
            await reports.waitForAll()
        }
        let wasRefused = isRefused.isSet.load(ordering: .relaxed)
        #expect(!wasRefused)
        #expect(try await store.read { try $0.replica(ofInstance: "other", on: other.id)?.token } != nil)
    }

    private func phoneOfAnotherApp() async throws -> Device {
        let now = clock.now
        return try await store.write { ledger in
            let app = try ledger.insertApp(bundleID: "org.example.other", name: "Other", publicKey: "o", at: now).id
            return try ledger.insert(.phone("other", in: app, at: now))
        }
    }
}
