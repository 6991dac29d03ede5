import EyotDomain
import EyotHTTP
import EyotLab
import EyotPostgres
import EyotStore
import Foundation

/// Very many activities of one card, updated by calls, beside pgbench with as many statements in each transaction. What
/// calls read in transactions of their own counts to the statements of those that write.
struct SmallActivities: Sendable {
    let orders: Int
    let updates: Int
    let rounds: Int

    private static let connections = 64
    private static let patience = 300.0
    private static let peerSeconds = 10
    private static let peerClients = 10

    private struct Round {
        var updates: Double
        var statements: Double
        var roundTrips: Double
        var transactions: Double
        var peer = 0.0
    }

    func add(
        to report: inout BenchReport, on server: ThrowawayPostgres, _ progress: @Sendable (String) -> Void
    ) async throws {
        let bench = try await BenchStore(in: Nodes.database("small", on: server))
        guard let store = bench.store as? PostgresStore else { throw BenchError.missing("the store") }
        progress("filling a store with \(orders) activities of one card")
        try await bench.fillOrders(orders)
        let peer = try await Pgbench(on: server)
        let (key, pusher) = (try await bench.makeKey(), BenchPusher())
        var rounds: [Round] = []
        try await bench.withEngine(pushing: pusher) {
            try await bench.withHTTP(limits: .none) { port in
                let load = HTTPLoad(port: port, connections: Self.connections)
                for number in 0...self.rounds {
                    var round = try await self.round(number, load, key, pusher, store)
                    guard number > 0 else { continue }
                    let statements = max(1, Int((round.statements / round.transactions).rounded()))
                    round.peer = try await peer.transactionsPerSecond(
                        statements: statements, clients: Self.peerClients, seconds: Self.peerSeconds)
                    rounds.append(round)
                    progress(
                        "round \(number): \(Int(round.updates)) updates a second, pgbench \(Int(round.peer)) "
                            + "transactions of \(statements) statements")
                }
            }
        }
        try await bench.remove()
        add(rounds, to: &report)
    }

    private func round(
        _ number: Int, _ load: HTTPLoad, _ key: Secret, _ pusher: BenchPusher, _ store: PostgresStore
    ) async throws -> Round {
        try await Task.sleep(for: .seconds(1.1))
        _ = pusher.take()
        let (work, commits, began) = (await store.work, store.committed, ContinuousClock.now)
        let answered = await load.run(calls: updates) { call in
            Orders.update(
                // The same ones in each round: the first declaration of a name also counts it, in a row of its app.
                BenchStore.order(1 + BenchStore.scattered(call, of: orders)), state: number, key)
        }
        var pushes = 0
        let end = began + .seconds(Self.patience)
        while pushes < updates, ContinuousClock.now < end {
            pushes += pusher.take().pushes
            if pushes < updates { try await Task.sleep(for: .milliseconds(2)) }
        }
        guard answered == updates, pushes == updates else { throw BenchError.lost(pushes: pushes, of: updates) }
        let (seconds, done) = (began.duration(to: .now).seconds, await store.work - work)
        let each = 1 / Double(updates)
        return Round(
            updates: Double(updates) / seconds, statements: Double(done.statements) * each,
            roundTrips: Double(done.roundTrips) * each,
            transactions: Double((store.committed - commits).commits) * each)
    }

    private func add(_ rounds: [Round], to report: inout BenchReport) {
        report.add("activities of one card", Double(orders), "")
        report.add("updates a second, HTTP to verdict", rounds.map(\.updates), "")
        report.add("statements of an update", rounds.map(\.statements), "")
        report.add("round trips of an update", rounds.map(\.roundTrips), "")
        report.add("transactions of an update", rounds.map(\.transactions), "")
        report.add("pgbench, transactions with as many statements a second", rounds.map(\.peer), "")
        report.add(
            "our transactions to pgbench's", rounds.map { $0.updates * $0.transactions / $0.peer }, "",
            goal: .atLeast(0.5))
    }
}
