import EyotCommands
import EyotContract
import EyotDomain
import Foundation

/// Very many tokens come back at once, in no order, while an update is on its way to everybody.
public struct KickOff: Sendable {
    /// Cards, each of which gets a new token.
    public var tokens: Int
    /// Phones that wait for their answers at a time.
    public var phones: Int

    /// As many as the server lets one app's reports wait.
    public static let mostPhones = Registrations.Limits().waitingOfApp

    private static let name = "final"
    private static let patience = 600.0

    /// - Parameters:
    ///   - tokens: 1,000 or more.
    ///   - phones: that wait for their answers at a time, 1 or more.
    public init(tokens: Int, phones: Int) {
        self.tokens = tokens
        self.phones = phones
    }

    /// - Parameter progress: told what is going on.
    public func run(progress: @escaping @Sendable (String) -> Void) async throws -> BenchReport {
        let bench = try await BenchStore()
        progress("filling a store with \(tokens) cards")
        try await bench.fill(Self.name, replicas: tokens)
        var report = BenchReport(name: "kick-off", rounds: 1)
        report.add("tokens", Double(tokens), "")
        progress("the limit: as many rows in the log, and nothing else")
        let limit = try await rowsPerSecond(bench)
        let registrations = Registrations(store: bench.store, clock: bench.clock) { progress("\($0)") }
        let pusher = BenchPusher()
        try await bench.withEngine(pushing: pusher, registrations) {
            try await update(1, bench)
            try await bench.rest(of: Self.name, within: Self.patience, lookingEvery: .milliseconds(25))
            _ = pusher.take()
            let (before, begin) = (ProcessUsage.now, ContinuousClock.now)
            try await update(2, bench)
            try await register(bench, registrations)
            let answered = begin.duration(to: .now).seconds
            report.add("tokens a second", Double(tokens) / answered, "")
            report.add("CPU for each until all are answered", Cost(ProcessUsage.now - before, of: tokens).cpu, "µs")
            try await bench.emptyLog(within: Self.patience)
            try await bench.rest(of: Self.name, within: Self.patience, lookingEvery: .milliseconds(25))
            let cost = Cost(ProcessUsage.now - before, of: tokens)
            report.add("all set and up to date after", begin.duration(to: .now).seconds, "s")
            report.add("CPU for each, pushes included", cost.cpu, "µs")
            report.add("written for each", cost.written, "bytes")
            report.add("pushes", Double(pusher.take().pushes), "")
            report.add("rows a second in the log, and nothing else", limit, "")
            report.add("tokens to rows", Double(tokens) / answered / limit, "")
        }
        report.addPeakMemory()
        try await bench.remove()
        return report
    }

    /// What the store can do at best: rows like those of the log in the same order and in groups like those of the log, each
    /// of which is one commit. Nobody is read, answered or brought up to date.
    private func rowsPerSecond(_ bench: BenchStore) async throws -> Double {
        let (begin, now, tokens) = (ContinuousClock.now, bench.clock.now, tokens)
        let group = Registrations.Limits().group
        for first in stride(from: 0, to: tokens, by: group) {
            try await bench.store.write { ledger in
                for index in first..<min(first + group, tokens) {
                    let card = 1 + Self.scattered(index, of: tokens)
                    guard let token = PushToken(bytes: BenchStore.token(-card)) else { continue }
                    try ledger.append(
                        Arrival(
                            id: 0, app: bench.app, device: DeviceID(rawValue: Int64(card)), epoch: 1, sequence: 1,
                            activity: ActivityID(rawValue: 1), ordinal: card, instance: BenchStore.instance(card),
                            token: token,
                            environment: .production, answeredAt: now, answerSecond: now.second, version: 1,
                            accepted: 1,
                            lastSecond: now.second))
                }
            }
        }
        let rate = Double(tokens) / begin.duration(to: .now).seconds
        try await bench.forgetLog()
        return rate
    }

    private func update(_ number: Int, _ bench: BenchStore) async throws {
        try await bench.declare(
            DeclarationRequest(verb: .update, name: Self.name, content: Content(state: ["n": .integer(number)])))
    }

    /// All phones report, each in its own call, in an order that has nothing to do with that in which they came.
    private func register(_ bench: BenchStore, _ registrations: Registrations) async throws {
        try await withThrowingTaskGroup { group in
            for lane in 0..<phones {
                group.addTask {
                    for index in stride(from: lane, to: tokens, by: phones) {
                        try await report(1 + Self.scattered(index, of: tokens), bench, registrations)
                    }
                }
            }
            try await group.waitForAll()
        }
    }

    /// The index-th of a permutation: steps of a length that shares no factor with the count.
    private static func scattered(_ index: Int, of count: Int) -> Int { (index &* 7_368_787) % count }

    private func report(_ card: Int, _ bench: BenchStore, _ registrations: Registrations) async throws {
        guard let token = PushToken(bytes: BenchStore.token(-card)) else { return }
        let change = DeviceChange(
            sequence: 1,
            action: .setUpdateToken(
                Card(instance: BenchStore.instance(card), name: Self.name, type: BenchStore.type), token: token))
        let batch = DeviceChangeBatch(epoch: 1, changes: [change])
        let now = bench.clock.now
        _ = try await registrations.apply(batch, of: DeviceID(rawValue: Int64(card)), in: bench.app, at: now)
    }
}
