import EyotCommands
import EyotContract
import EyotDomain
import EyotEngine
import EyotHTTP
import Foundation
import NIOCore

/// A measurement of a match that is updated while phones come back: the match alone, then with the phones.
struct MatchDuringReturn: Sendable {
    /// The phones that come back.
    var returning: Returning
    /// The phones of the store. They come again and again if there are more arrivals than phones.
    var phones: Int
    /// How late the phones' listener may be and take new connections; nil for any time. The match has another listener.
    var lag: TimeAmount?

    private static let name = "match"
    private static let cards = 5_000
    private static let betweenUpdates = 1.0
    /// The seconds of the match without phones.
    private static let calmSeconds = 20.0

    /// The figures of a match.
    struct Match: Sendable {
        var ages = AgeHistogram()
        /// The waits of the backend for the answers to its updates.
        var waits: [Double] = []
        var pushes = 0
        /// The most memory of the process.
        var memory = 0
    }

    struct Outcome: Sendable {
        var alone: Match
        var during: Match
        var phones: Returning.Outcome
        /// CPU of the process in seconds.
        var cpu: Double
    }

    /// Runs the measurement on a store of its own.
    func run(progress: @escaping @Sendable (String) -> Void) async throws -> Outcome {
        let bench = try await BenchStore()
        progress("filling a store with \(phones) phones, and a match on \(Self.cards)")
        let phones = try await BenchPhones(self.phones, in: bench)
        try await bench.fill(Self.name, replicas: Self.cards, after: phones.count)
        let (certificate, key, pusher) = (try BenchCertificate(), try await bench.makeKey(), BenchPusher())
        var outcome: Outcome?
        try await bench.withEngine(pushing: pusher) {
            try await bench.withRegistrations(complaining: { progress("\($0)") }) { registrations in
                try await withListeners(bench, certificate, registrations) { backend, listener in
                    let alone = try await match(bench, backend, key, pusher) {
                        try await Task.sleep(for: .seconds(Self.calmSeconds))
                    }
                    progress("the match alone: \(alone.pushes) pushes")
                    let before = ProcessUsage.now
                    var met = Returning.Outcome()
                    let during = try await match(bench, backend, key, pusher) {
                        met = await returning.run(listener) { call(of: $0, phones) }
                    }
                    progress("with phones: \(met.statuses)")
                    outcome = Outcome(
                        alone: alone, during: during, phones: met, cpu: (ProcessUsage.now - before).cpu)
                }
            }
        }
        try await bench.remove()
        guard let outcome else { throw BenchError.missing("the outcome") }
        return outcome
    }

    /// Serves the API on a listener for the backend and on one for phones.
    private func withListeners(
        _ bench: BenchStore, _ certificate: BenchCertificate, _ registrations: Registrations,
        _ body: (_ backend: HTTPLoad, _ phones: HTTPLoad) async throws -> Void
    ) async throws {
        func load(_ port: Int) -> HTTPLoad { HTTPLoad(port: port, connections: 1, tls: certificate.client) }
        try await bench.withHTTP(limits: .counting, certificate: certificate.server) { backend in
            try await bench.withHTTP(
                limits: .counting, certificate: certificate.server, registrations: registrations,
                change: { $0.limits.lag = lag }
            ) { phones in
                try await body(load(backend), load(phones))
            }
        }
    }

    private func call(of arrival: Int, _ phones: BenchPhones) -> [UInt8] {
        let phone = 1 + BenchStore.scattered(arrival, of: phones.count)
        let token = arrival % Returning.changedShare == 0 ? try? BenchPhones.startToken(arrival + 1) : nil
        return phones.report(token ?? BenchPhones.nothingNew(on: phone), of: phone, sequence: arrival + 1)
    }

    /// Declares an update a second by HTTP while the body runs.
    private func match(
        _ bench: BenchStore, _ load: HTTPLoad, _ key: Secret, _ pusher: BenchPusher, _ body: () async throws -> Void
    ) async throws -> Match {
        let before = try await ages(bench)
        _ = pusher.take()
        let match = try await withThrowingTaskGroup(of: Match.self) { group in
            group.addTask { try await updates(load, key) }
            try await body()
            group.cancelAll()
            return try await group.next() ?? Match()
        }
        try await bench.rest(of: Self.name, within: 60, lookingEvery: .milliseconds(25))
        var measured = match
        measured.ages = try await ages(bench).since(before)
        measured.pushes = pusher.take().pushes
        return measured
    }

    private func updates(_ load: HTTPLoad, _ key: Secret) async throws -> Match {
        var match = Match()
        let began = ContinuousClock.now
        while !Task.isCancelled {
            let number = match.waits.count + 1
            let timed = await load.timed(calls: 1) { _ in Orders.update(Self.name, state: number, key) }
            guard timed.answered == 1 else { throw BenchError.refused(call: "an update", reason: "no good answer") }
            match.waits += timed.waits
            match.memory = max(match.memory, ProcessUsage.memory())
            // The sleep ends early when the phones are done.
            try? await Task.sleep(until: began + .seconds(Double(number) * Self.betweenUpdates))
        }
        return match
    }

    private func ages(_ bench: BenchStore) async throws -> AgeHistogram {
        let app = bench.app
        let found = try await bench.store.read { try $0.newestActivity(named: Self.name, in: app)?.tally.ages }
        guard let found else { throw BenchError.missing(Self.name) }
        return found
    }
}

extension BenchReport {
    /// Adds the figures of a return of phones, and those of a match with and without it.
    mutating func add(_ outcome: MatchDuringReturn.Outcome, of plan: Returning) {
        let (met, count) = (outcome.phones, Double(plan.phones))
        let words = "phones that come back"
        add(words, count, "")
        add("\(words): offered a second", count / plan.seconds, "")
        add("\(words): answered a second", Double(met.waits.count) / met.seconds, "")
        add("\(words): CPU of the server and the match", (outcome.cpu - met.cpu) / count * 1_000_000, "µs")
        add("\(words): CPU of the caller", met.cpu / count * 1_000_000, "µs")
        for (share, name) in [(0.5, "median"), (0.99, "p99"), (1, "longest")] {
            add("\(words): wait, \(name)", Self.quantile(share, of: met.waits), "s")
        }
        add("\(words): longest queue", Double(met.longestQueue), "")
        let refused = met.statuses.filter { $0.key >= 300 }.values.reduce(0, +)
        add("\(words): calls refused", Double(refused), "")
        add("\(words): calls without an answer", Double(met.statuses[0] ?? 0), "")
        if !met.asked.isEmpty { add("\(words): Retry-After", met.asked, "s") }
        add("\(words): never answered well", Double(met.lost), "")
        for (name, match) in [("the match alone", outcome.alone), ("the match meanwhile", outcome.during)] {
            for (share, quantile) in [(0.5, "median"), (0.99, "p99")] {
                add("\(name): state age, \(quantile)", (match.ages.quantile(share) ?? .nan) * 1_000, "ms")
            }
            for (share, quantile) in [(0.5, "median"), (0.99, "p99"), (1, "longest")] {
                add("\(name): wait of an update, \(quantile)", Self.quantile(share, of: match.waits) * 1_000, "ms")
            }
            add("\(name): pushes", Double(match.pushes), "")
            add("\(name): memory", Double(match.memory) / 1_000_000, "MB")
        }
    }
}
