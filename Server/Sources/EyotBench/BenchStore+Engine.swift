import APNSWire
import EyotCommands
import EyotContract
import EyotDomain
import EyotEngine
import Foundation
import Logging

extension BenchStore {
    /// Runs an engine over the store while the body runs.
    ///
    /// - Parameter key: the key for provider tokens, in PEM; empty if they are not checked.
    func withEngine(
        pushing pusher: any Pusher, key: String = "", _ body: () async throws -> Void
    ) async throws {
        let credentials = PushCredentials(
            teamID: BenchStore.teamID, keyID: BenchStore.keyID, privateKey: Secret(key))
        let logger = Logger(label: "bench")
        let engine = Engine(pusher: pusher, credentials: { _, _ in credentials }, clock: clock, logger: logger)
        let node = Node(store: store, workers: [engine], place: .alone, clock: clock, logger: logger)
        try await withThrowingTaskGroup { group in
            group.addTask { try await node.run() }
            try await body()
            group.cancelAll()
        }
    }

    /// Accepts registrations while the body runs, as the server does.
    ///
    /// - Parameter complain: called with the reason why tokens could not be set. It is tried again.
    func withRegistrations<Result>(
        complaining complain: @escaping @Sendable (any Error) -> Void,
        _ body: (Registrations) async throws -> Result
    ) async throws -> Result {
        let registrations = Registrations(store: store, clock: clock, complain: complain)
        return try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { await registrations.run() }
            defer { group.cancelAll() }
            return try await body(registrations)
        }
    }

    /// Declares, and returns when the declaration is durable.
    func declare(_ request: DeclarationRequest) async throws {
        let (app, now) = (app, clock.now)
        try await store.write { _ = try Declare(Transaction($0, at: now), app: app)(request) }
    }

    /// Waits until an activity has nothing to do, including the next second.
    ///
    /// - Parameter soon: an activity that is due later than this, in seconds, waits for something else than the next
    ///   second of its cards (R7).
    func rest(
        of name: String, within seconds: Double, lookingEvery pause: Duration = .milliseconds(5), soon: Double = 2
    ) async throws {
        let end = ContinuousClock.now + .seconds(seconds)
        while try await isBusy(name, within: soon) {
            guard ContinuousClock.now < end else { throw BenchError.stuck(name) }
            try await Task.sleep(for: pause)
        }
    }

    /// Waits until all answered tokens are set.
    func emptyLog(within seconds: Double) async throws {
        let end = ContinuousClock.now + .seconds(seconds)
        while try await store.read({ try $0.arrivalSpan() }) > 0 {
            guard ContinuousClock.now < end else { throw BenchError.stuck("the log") }
            try await Task.sleep(for: .milliseconds(25))
        }
    }

    /// Empties the log and sets nothing.
    func forgetLog() async throws {
        let app = app
        while try await store.write({ ledger in
            let places = try ledger.arrivalPlaces(of: app, limit: 5_000)
            try ledger.removeArrivals(places.map(\.id))
            return !places.isEmpty
        }) {}
    }

    private func isBusy(_ name: String, within seconds: Double) async throws -> Bool {
        let (app, soon) = (app, clock.now + seconds)
        return try await store.read { ledger in
            guard let due = try ledger.newestActivity(named: name, in: app)?.dueAt else { return false }
            return due <= soon
        }
    }
}
