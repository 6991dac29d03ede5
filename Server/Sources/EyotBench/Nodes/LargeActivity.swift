import EyotDomain
import EyotLab
import Foundation

/// One activity on very many phones, by the engine and the store alone: the same work on one database after the other.
struct LargeActivity: Sendable {
    let replicas: Int
    let rounds: Int

    private static let name = "final"
    private static let patience = 1_800.0

    /// The cost of an update on one database.
    private struct Figures {
        /// Microseconds of CPU of this process per push, and of the database's processes.
        var own: Double
        var database: Double
        var seconds: Double
    }

    func add(
        to report: inout BenchReport, on server: ThrowawayPostgres, _ progress: @Sendable (String) -> Void
    ) async throws {
        let (file, shared) = (
            try await BenchStore(), try await BenchStore(in: Nodes.database("large", on: server))
        )
        for bench in [file, shared] {
            progress("filling a store with \(replicas) cards")
            try await bench.fill(Self.name, replicas: replicas, tokens: Sink.tokens)
        }
        try await server.run("CHECKPOINT")
        let (onFile, onServer) = (try await rounds(of: file, progress), try await rounds(of: shared, progress))
        try await file.remove()
        try await shared.remove()
        report.add("cards of one activity", Double(replicas), "")
        report.add("engine and store on SQLite, CPU per push", onFile.map(\.own), "µs")
        report.add("engine and store on PostgreSQL, CPU per push", onServer.map(\.own), "µs")
        report.add("the database's processes, CPU per push", onServer.map(\.database), "µs")
        report.add(
            "engine and store, PostgreSQL to SQLite", zip(onServer, onFile).map { $0.own / $1.own }, "",
            goal: .atMost(2))
        report.add(
            "the same with the database's processes", zip(onServer, onFile).map { ($0.own + $0.database) / $1.own }, "")
        report.add("accept to last verdict on SQLite", onFile.map(\.seconds), "s")
        report.add("accept to last verdict on PostgreSQL", onServer.map(\.seconds), "s")
    }

    /// Seconds of CPU of the database's processes.
    private static var databaseCPU: Double { ProcessUsage.cpu(ofAllNamed: "postgres") }

    private func rounds(of bench: BenchStore, _ progress: @Sendable (String) -> Void) async throws -> [Figures] {
        let pusher = BenchPusher()
        var figures: [Figures] = []
        try await bench.withEngine(pushing: pusher) {
            for number in 0...rounds {
                let round = try await update(number, bench, pusher)
                // The first round fills caches.
                if number > 0 { figures.append(round) }
                progress("round \(number) of \(rounds): \(BenchReport.text(round.seconds)) s for all cards")
            }
        }
        return figures
    }

    private func update(_ number: Int, _ bench: BenchStore, _ pusher: BenchPusher) async throws -> Figures {
        // No card is pushed twice in a second (R7). This time is not measured.
        try await Task.sleep(for: .seconds(1.1))
        _ = pusher.take()
        let (own, database, began) = (ProcessUsage.now, Self.databaseCPU, ContinuousClock.now)
        try await bench.declare(
            DeclarationRequest(verb: .update, name: Self.name, content: Content(state: ["n": .integer(number)])))
        try await bench.rest(of: Self.name, within: Self.patience, lookingEvery: .milliseconds(25))
        let pushes = pusher.take().pushes
        guard pushes == replicas else { throw BenchError.lost(pushes: pushes, of: replicas) }
        let each = 1_000_000 / Double(replicas)
        return Figures(
            own: (ProcessUsage.now - own).cpu * each, database: (Self.databaseCPU - database) * each,
            seconds: began.duration(to: .now).seconds)
    }
}
