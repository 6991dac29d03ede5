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
        let pusher = AcceptingPusher()
        var report = BenchReport(name: "kick-off", rounds: 1)
        try await bench.withEngine(pushing: pusher) {
            try await update(1, bench)
            try await bench.rest(of: Self.name, within: Self.patience, lookingEvery: .milliseconds(25))
            _ = pusher.take()
            let (usage, begin) = (ProcessUsage.now, ContinuousClock.now)
            try await update(2, bench)
            try await register(bench)
            let answered = begin.duration(to: .now).seconds
            let used = ProcessUsage.now - usage
            try await bench.rest(of: Self.name, within: Self.patience, lookingEvery: .milliseconds(25))
            let settled = begin.duration(to: .now).seconds
            report.add("tokens", Double(tokens), "")
            report.add("tokens a second", Double(tokens) / answered, "")
            report.add("CPU for each, pushes included", used.cpu / Double(tokens) * 1_000_000, "µs")
            report.add("written for each", Double(used.bytesWritten) / Double(tokens), "bytes")
            report.add("pushes meanwhile and after", Double(pusher.take().pushes), "")
            report.add("all up to date after", settled, "s")
            report.add("peak memory", Double(ProcessUsage.peakMemory) / 1_000_000, "MB")
        }
        try await bench.remove()
        return report
    }

    private func update(_ number: Int, _ bench: BenchStore) async throws {
        try await bench.declare(
            DeclarationRequest(verb: .update, name: Self.name, content: Content(state: ["n": .integer(number)])))
    }

    /// All phones report, each in its own call, in an order that has nothing to do with that in which they came.
    private func register(_ bench: BenchStore) async throws {
        try await withThrowingTaskGroup { group in
            for lane in 0..<phones {
                group.addTask {
                    for index in stride(from: lane, to: tokens, by: phones) {
                        try await report(1 + Self.scattered(index, of: tokens), bench)
                    }
                }
            }
            try await group.waitForAll()
        }
    }

    /// The index-th of a permutation: steps of a length that shares no factor with the count.
    private static func scattered(_ index: Int, of count: Int) -> Int { (index &* 7_368_787) % count }

    private func report(_ card: Int, _ bench: BenchStore) async throws {
        guard let token = PushToken(bytes: BenchStore.token(-card)) else { return }
        let change = DeviceChange(
            sequence: 1,
            action: .setUpdateToken(
                Card(instance: "instance-\(card)", name: Self.name, type: BenchStore.type), token: token))
        let batch = DeviceChangeBatch(epoch: 1, changes: [change])
        let now = bench.clock.now
        _ = try await bench.store.write {
            try ApplyChanges(ledger: $0, now: now)(batch, of: DeviceID(rawValue: Int64(card)))
        }
    }
}
