import EyotCommands
import EyotContract
import EyotDomain
import EyotHTTP
import Foundation
import Logging

/// A measurement of very many activities with one card each, such as food deliveries, taxis or parcels. Some of them
/// are updated, with one call each.
public struct Orders: Sendable {
    /// The number of activities.
    public var orders: Int
    /// The updates in one round.
    public var updates: Int
    /// The number of rounds.
    public var rounds: Int

    private static let connections = 64
    private static let patience = 120.0

    /// Makes a measurement.
    ///
    /// - Parameters:
    ///   - orders: the number of activities, 1,000 or more.
    ///   - updates: calls in a round, 100 or more, and at most one for each activity.
    ///   - rounds: 1 or more.
    public init(orders: Int, updates: Int, rounds: Int) {
        self.orders = orders
        self.updates = updates
        self.rounds = rounds
    }

    /// The figures of one round.
    private struct Round {
        var updates: Double
        var health: Double
        var cost: Cost
    }

    /// Runs the measurement.
    ///
    /// - Parameter progress: called with lines about the progress.
    public func run(progress: @escaping @Sendable (String) -> Void) async throws -> BenchReport {
        let bench = try await BenchStore()
        progress("filling a store with \(orders) activities of one card")
        try await bench.fillOrders(orders)
        let key = try await bench.makeKey()
        let pusher = BenchPusher()
        var rounds: [Round] = []
        try await bench.withEngine(pushing: pusher) {
            try await bench.withHTTP { port in
                let load = HTTPLoad(port: port, connections: Self.connections)
                for number in 0...self.rounds {
                    let round = try await self.round(number, load, key, pusher)
                    // The first round fills caches.
                    if number > 0 { rounds.append(round) }
                    progress("round \(number) of \(self.rounds): \(Int(round.updates)) updates a second")
                }
            }
        }
        let ages = try await ages(bench)
        try await bench.remove()
        return report(rounds, ages)
    }

    private func round(
        _ number: Int, _ load: HTTPLoad, _ key: Secret, _ pusher: BenchPusher
    ) async throws -> Round {
        // No card is pushed twice in a second (R7). This time is not measured.
        try await Task.sleep(for: .seconds(1.1))
        _ = pusher.take()
        let (usage, begin) = (ProcessUsage.now, ContinuousClock.now)
        let answered = await load.run(calls: updates) { call in
            Self.update(BenchStore.order(order(call, inRound: number)), state: number, key)
        }
        var pushes = 0
        let end = begin + .seconds(Self.patience)
        while pushes < updates, ContinuousClock.now < end {
            pushes += pusher.take().pushes
            if pushes < updates { try await Task.sleep(for: .milliseconds(2)) }
        }
        guard answered == updates, pushes == updates else { throw BenchError.lost(pushes: pushes, of: updates) }
        let (took, used) = (begin.duration(to: .now).seconds, ProcessUsage.now - usage)
        let healthBegin = ContinuousClock.now
        _ = await load.run(calls: updates) { _ in Array("GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n".utf8) }
        return Round(
            updates: Double(updates) / took, health: Double(updates) / healthBegin.duration(to: .now).seconds,
            cost: Cost(used, of: updates))
    }

    /// Returns activities in a scattered order, none twice in a round.
    private func order(_ call: Int, inRound round: Int) -> Int {
        1 + BenchStore.scattered(round &* updates &+ call, of: orders)
    }

    /// Returns a call that updates an activity.
    static func update(_ name: String, state: Int, _ key: Secret) -> [UInt8] {
        let body = "{\"contentState\":{\"n\":\(state),\"status\":\"on its way\"}}"
        return HTTPCall.post("/v1/activities/\(name)/update", body, bearer: key.text)
    }

    /// Returns the state age over all updated activities.
    private func ages(_ bench: BenchStore) async throws -> AgeHistogram {
        let app = bench.app
        var ages = AgeHistogram()
        for call in 0..<updates {
            let name = BenchStore.order(order(call, inRound: rounds))
            let own = try await bench.store.read { try $0.newestActivity(named: name, in: app)?.tally.ages }
            if let own { ages.add(own) }
        }
        return ages
    }

    private func report(_ rounds: [Round], _ ages: AgeHistogram) -> BenchReport {
        var report = BenchReport(name: "orders", rounds: rounds.count)
        report.add("activities", Double(orders), "")
        report.add("updates a second, HTTP to verdict", rounds.map(\.updates), "", goal: .atLeast(2_500))
        report.add("calls of /healthz a second", rounds.map(\.health), "")
        report.add("an update, its caller included", rounds.map(\.cost))
        report.add("state age, median", (ages.quantile(0.5) ?? .nan) * 1_000, "ms")
        report.add("state age, p99", (ages.quantile(0.99) ?? .nan) * 1_000, "ms", goal: .atMost(1_000))
        report.addPeakMemory()
        return report
    }
}
