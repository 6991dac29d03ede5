import EyotDomain
import EyotLab
import EyotPostgres
import EyotStore
import Foundation

/// A measurement of PostgreSQL beside SQLite, and of several nodes.
///
/// Everything runs on this machine: the nodes, the database and the callers share its cores.
public struct Nodes: Sendable {
    /// The number of cards of the large activity.
    public var replicas: Int
    /// The number of activities of one card.
    public var orders: Int
    /// The updates of these in a round.
    public var updates: Int
    /// The number of rounds.
    public var rounds: Int
    /// The `eyot` executable that runs the nodes.
    public var executable: URL

    /// Makes a measurement.
    ///
    /// - Parameters:
    ///   - replicas: 1,000 or more.
    ///   - orders: 1,000 or more.
    ///   - updates: 100 or more, and at most one for each activity.
    ///   - rounds: 1 or more.
    ///   - executable: the `eyot` of the same build.
    public init(replicas: Int, orders: Int, updates: Int, rounds: Int, executable: URL) {
        (self.replicas, self.orders, self.updates) = (replicas, orders, updates)
        (self.rounds, self.executable) = (rounds, executable)
    }

    /// Runs the measurement.
    ///
    /// - Parameter progress: called with lines about the progress.
    public func run(progress: @escaping @Sendable (String) -> Void) async throws -> BenchReport {
        var report = BenchReport(name: "nodes", rounds: rounds)
        let server = try await ThrowawayPostgres.start()
        do {
            try await LargeActivity(replicas: replicas, rounds: rounds).add(to: &report, on: server, progress)
            try await SmallActivities(orders: orders, updates: updates, rounds: rounds)
                .add(to: &report, on: server, progress)
            for nodes in 1...3 {
                let calls = NodeCalls(nodes: nodes, updates: updates, rounds: rounds, executable: executable)
                try await calls.add(to: &report, progress)
            }
            try await HandOver(rounds: rounds, executable: executable).add(to: &report, progress)
        } catch {
            await server.stop()
            throw error
        }
        await server.stop()
        return report
    }

    /// An empty database of a server.
    static func database(_ name: String, on server: ThrowawayPostgres) async throws -> PostgresURL {
        try await server.run("CREATE DATABASE \(name)")
        guard let url = PostgresURL(server.url(ofDatabase: name)) else {
            throw BenchError.missing("the URL of \(name)")
        }
        return url
    }
}
