import EyotCommands
import EyotContract
import EyotDomain
import Foundation

/// A measurement of very many tokens that arrive at once, in no order, while updates for everyone are on their way.
public struct KickOff: Sendable {
    /// The number of cards. Each gets a new token in each round.
    public var tokens: Int
    /// The number of phones that wait for their answers at a time.
    public var phones: Int
    /// The number of rounds.
    public var rounds: Int

    /// The most phones: the reports of one app that may wait at the server.
    public static let mostPhones = Registrations.Limits().waitingOfApp

    private static let name = "final"
    private static let patience = 600.0
    /// The interval between looks at the pushes.
    private static let pause = Duration.milliseconds(5)

    /// Makes a measurement.
    ///
    /// - Parameters:
    ///   - tokens: 1,000 or more.
    ///   - phones: phones that wait for their answers at a time, 1 or more.
    ///   - rounds: 1 or more.
    public init(tokens: Int, phones: Int, rounds: Int) {
        self.tokens = tokens
        self.phones = phones
        self.rounds = rounds
    }

    /// A flood, and the limit beside it.
    private struct Round {
        /// Rows per second in the log, without other work.
        var limit: Double
        var tokensPerSecond: Double
        /// Microseconds of CPU for each token until all are answered.
        var answering: Double
        /// The cost until all tokens are set and all cards are up to date.
        var cost: Cost
        var seconds: Double
        var pushes: Int
        /// The updates that were declared before all tokens were answered.
        var updates: Int
    }

    /// Runs the measurement.
    ///
    /// - Parameter progress: called with lines about the progress.
    public func run(progress: @escaping @Sendable (String) -> Void) async throws -> BenchReport {
        let bench = try await BenchStore()
        progress("filling a store with \(tokens) cards")
        try await bench.fill(Self.name, replicas: tokens)
        let pusher = BenchPusher()
        var rounds: [Round] = []
        try await bench.withEngine(pushing: pusher) {
            for number in 1...self.rounds {
                let limit = try await rowsPerSecond(bench)
                let round = try await bench.withRegistrations(complaining: { progress("\($0)") }) { registrations in
                    try await flood(number, besides: limit, bench, pusher, registrations)
                }
                rounds.append(round)
                progress(
                    "round \(number) of \(self.rounds): \(BenchReport.text(round.tokensPerSecond)) tokens a second, "
                        + "\(BenchReport.text(limit)) rows")
            }
        }
        try await bench.remove()
        return report(rounds)
    }

    private func report(_ rounds: [Round]) -> BenchReport {
        var report = BenchReport(name: "kick-off", rounds: rounds.count)
        report.add("tokens", Double(tokens), "")
        report.add("tokens a second", rounds.map(\.tokensPerSecond), "", goal: .atLeast(50_000))
        report.add("CPU for each until all are answered", rounds.map(\.answering), "µs")
        report.add("all set and up to date after", rounds.map(\.seconds), "s")
        report.add("CPU for each, pushes included", rounds.map(\.cost.cpu), "µs")
        report.add("written for each", rounds.map(\.cost.written), "bytes", goal: .atMost(10_000))
        report.add(
            "updates for everybody until all are answered, one after the other", rounds.map { Double($0.updates) }, "")
        report.add("pushes meanwhile", rounds.map { Double($0.pushes) }, "")
        report.add("rows a second in the log, and nothing else", rounds.map(\.limit), "")
        report.add("tokens to rows", rounds.map { $0.tokensPerSecond / $0.limit }, "")
        report.addPeakMemory()
        return report
    }

    /// Declares updates for everyone and reports each phone's new token while they are on their way.
    private func flood(
        _ round: Int, besides limit: Double, _ bench: BenchStore, _ pusher: BenchPusher, _ registrations: Registrations
    ) async throws -> Round {
        // Not measured: caches fill, and every round begins with all cards up to date.
        try await update(bench)
        try await rest(bench)
        _ = pusher.take()
        let (before, begin) = (ProcessUsage.now, ContinuousClock.now)
        try await update(bench)
        let updates = try await withUpdates(bench, pusher) { try await register(round, bench, registrations) }
        let (answered, answering) = (begin.duration(to: .now).seconds, ProcessUsage.now - before)
        try await bench.emptyLog(within: Self.patience)
        try await rest(bench)
        let (all, seconds) = (ProcessUsage.now - before, begin.duration(to: .now).seconds)
        let (pushes, tokens) = (pusher.take().pushes, tokens)
        let others = try await bench.cards(of: Self.name) { number(ofTokenOf: $0, in: round) }
        guard others == 0 else { throw BenchError.tokensNotSet(others, of: tokens) }
        return Round(
            limit: limit, tokensPerSecond: Double(tokens) / answered, answering: Cost(answering, of: tokens).cpu,
            cost: Cost(all, of: tokens), seconds: seconds, pushes: pushes, updates: updates)
    }

    /// Declares the next update when as many pushes have left as there are cards, while the body runs.
    ///
    /// - Returns: the number of updates on their way, including the earlier one.
    private func withUpdates(
        _ bench: BenchStore, _ pusher: BenchPusher, _ body: () async throws -> Void
    ) async throws -> Int {
        try await withThrowingTaskGroup(of: Int.self) { group in
            group.addTask {
                var updates = 1
                while !Task.isCancelled {
                    if pusher.pushes >= updates * tokens {
                        try await update(bench)
                        updates += 1
                    }
                    // The sleep ends early when all tokens are answered.
                    try? await Task.sleep(for: Self.pause)
                }
                return updates
            }
            try await body()
            group.cancelAll()
            return try await group.next() ?? 1
        }
    }

    private func rest(_ bench: BenchStore) async throws {
        try await bench.rest(of: Self.name, within: Self.patience, lookingEvery: .milliseconds(25))
    }

    /// Measures the best rate of the store: rows like those of the log, in the same order and in equal groups. Each
    /// group is one commit, and nothing is read, answered or pushed.
    private func rowsPerSecond(_ bench: BenchStore) async throws -> Double {
        let (begin, now, tokens) = (ContinuousClock.now, bench.clock.now, tokens)
        let group = Registrations.Limits().group
        for first in stride(from: 0, to: tokens, by: group) {
            try await bench.store.write { ledger in
                try ledger.append(
                    (first..<min(first + group, tokens)).compactMap { index in
                        let card = 1 + BenchStore.scattered(index, of: tokens)
                        return PushToken(bytes: BenchStore.token(-card)).map { token in
                            Arrival(
                                id: 0, app: bench.app, device: DeviceID(rawValue: Int64(card)), epoch: 1, sequence: 1,
                                activity: ActivityID(rawValue: 1), ordinal: card, instance: BenchStore.instance(card),
                                token: token, environment: .production, answeredAt: now, answerSecond: now.second,
                                accepted: 1, lastSecond: now.second)
                        }
                    })
            }
        }
        let rate = Double(tokens) / begin.duration(to: .now).seconds
        try await bench.forgetLog()
        return rate
    }

    private func update(_ bench: BenchStore) async throws {
        let state: JSONValue = ["at": .string("\(bench.clock.now.microseconds)")]
        try await bench.declare(DeclarationRequest(verb: .update, name: Self.name, content: Content(state: state)))
    }

    /// Reports the tokens of all phones, each in its own call, in a scattered order.
    private func register(_ round: Int, _ bench: BenchStore, _ registrations: Registrations) async throws {
        try await withThrowingTaskGroup { group in
            for lane in 0..<phones {
                group.addTask {
                    for index in stride(from: lane, to: tokens, by: phones) {
                        try await report(1 + BenchStore.scattered(index, of: tokens), in: round, bench, registrations)
                    }
                }
            }
            try await group.waitForAll()
        }
    }

    /// Returns the number of a new token. It is neither one of the filled cards nor one of another round.
    private func number(ofTokenOf card: Int, in round: Int) -> Int { -(card + (round - 1) * tokens) }

    private func report(
        _ card: Int, in round: Int, _ bench: BenchStore, _ registrations: Registrations
    ) async throws {
        guard let token = PushToken(bytes: BenchStore.token(number(ofTokenOf: card, in: round))) else { return }
        let change = DeviceChange(
            sequence: round,
            action: .setUpdateToken(
                Card(instance: BenchStore.instance(card), name: Self.name, type: BenchStore.type), token: token))
        let batch = DeviceChangeBatch(epoch: 1, changes: [change])
        let now = bench.clock.now
        _ = try await registrations.apply(batch, of: DeviceID(rawValue: Int64(card)), in: bench.app, at: now)
    }
}
