import APNSWire
import EyotCommands
import EyotContract
import EyotDomain
import EyotEngine
import EyotTestKit
import Logging
import ServiceLifecycle
import Synchronization

/// One store, and nodes that push from it: real engines and keepers of channels, on a clock that a test moves.
final class NodeWorld: Sendable {
    static let start = Instant(second: 1_700_000_000)
    private static let step = 0.05
    private static let cards = 3

    /// What left, as Apple sees it.
    struct Pushed: Sendable, Hashable {
        var node: String
        /// The token, or nothing where it is a broadcast.
        var token: [UInt8]?
        var second: Int
        var state: Int?
    }

    let store = MemoryStore()
    let clock = SteppedClock(start)
    private let seen = Mutex<[Pushed]>([])

    var pushed: [Pushed] { seen.withLock(\.self) }

    /// An app with a channel and cards that have tokens, and a first state.
    func fill() async throws {
        let now = clock.now
        try await store.write { ledger in
            let app = try ledger.insertApp(bundleID: "b", name: "n", publicKey: "k", at: now).id
            try ledger.put(
                APNSKey(
                    app: app, environment: .sandbox, teamID: "T", keyID: "K",
                    sealed: SealedSecret(masterKeyID: "m", box: []), addedAt: now))
            var request = DeclarationRequest(verb: .put, name: "m", content: Content(state: ["n": 1]))
            (request.type, request.wantsChannel) = ("Match", true)
            _ = try Declare(Transaction(ledger, at: now), app: app)(request)
            guard var activity = try ledger.newestActivity(named: "m", in: app) else { return }
            for ordinal in 1...Self.cards {
                let device = try ledger.insert(
                    NewDevice(
                        app: app, installation: "\(ordinal)", environment: .sandbox, osVersion: OSVersion(17, 2),
                        appVersion: "1", permissions: DevicePermissions(activities: true, frequentPushes: true),
                        createdAt: now))
                var replica = Replica(
                    activity: activity.id, ordinal: ordinal, device: device.id, phase: .live, createdAt: now)
                replica.token = PushToken(bytes: [UInt8(ordinal)]).map {
                    UpdateToken(token: $0, environment: .sandbox, version: 1, setAt: now)
                }
                try ledger.insert(replica)
            }
            activity.nextOrdinal = Self.cards + 1
            try ledger.update(activity)
        }
    }

    /// Declares the next state of everyone.
    func declare(_ state: Int) async throws {
        let now = clock.now
        try await store.write { ledger in
            guard let app = try ledger.apps().first?.id else { return }
            let request = DeclarationRequest(
                verb: .update, name: "m", content: Content(state: ["n": .integer(state)]))
            _ = try Declare(Transaction(ledger, at: now), app: app)(request)
        }
    }

    /// Starts a card on the first device.
    ///
    /// - Parameter startsAt: When the start leaves; nil for at once.
    func start(_ name: String = "started", at startsAt: Instant? = nil) async throws {
        let now = clock.now
        try await store.write { ledger in
            guard let app = try ledger.apps().first?.id, let token = PushToken(bytes: [9]),
                let device = try ledger.devices(in: .all, of: app, after: DeviceID(rawValue: 0), limit: 1).first
            else { return }
            try ledger.put(
                StartToken(device: device.id, type: "Match", token: token, environment: .sandbox, setAt: now), in: app)
            var request = DeclarationRequest(verb: .start, name: name, content: Content(state: ["n": 9]))
            (request.type, request.attributes, request.audience) = ("Match", [:], .all)
            request.startsAt = startsAt
            request.content.alert = Alert(body: ["title": "t", "body": "b"], expiresAt: now + 300)
            _ = try Declare(Transaction(ledger, at: now), app: app)(request)
        }
    }

    /// What is known of that start.
    var startState: Lease.State? {
        get async throws {
            try await store.read { ledger in
                guard let app = try ledger.apps().first?.id,
                    let started = try ledger.newestActivity(named: "started", in: app)
                else { return nil }
                return try ledger.replica(1, of: started.id)?.lease?.state
            }
        }
    }

    /// A node that pushes from here, until it is stopped.
    func node(
        _ name: String, through gates: Gates = Gates(), isAlone: Bool = false, among sharding: Sharding = .whole,
        pushing: PushingState? = nil
    ) -> ServiceGroup {
        let place = isAlone ? NodePlace.alone : NodePlace(among: sharding, name: name, version: "1")
        return node(name, through: gates, at: place, pushing: pushing)
    }

    func node(
        _ name: String, through gates: Gates = Gates(), at place: NodePlace, pushing: PushingState? = nil
    ) -> ServiceGroup {
        let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
        let pusher = SeenPusher(name: name, gate: gates.apple, clock: clock) { push in
            self.seen.withLock { $0.append(push) }
        }
        let credentials: Engine.CredentialsSource = { _, _ in
            if gates.keysFail { throw StoreFails() }
            return PushCredentials(teamID: "T", keyID: "K", privateKey: Secret(""))
        }
        let engine = Engine(pusher: pusher, credentials: credentials, clock: clock, logger: logger)
        let keeper = ChannelKeeper(
            pusher: pusher, maker: pusher, credentials: credentials, clock: clock, logger: logger)
        let view = GatedStore(base: store, gates: gates)
        let node = Node(
            store: view, workers: [engine, keeper], place: place, clock: clock, pushing: pushing, logger: logger)
        return ServiceGroup(services: [node], logger: logger)
    }

    /// Runs nodes for as long as a body takes. Then opens gates and lets time go on until the nodes have stopped.
    func run(_ nodes: [ServiceGroup], through gates: [Gates] = [], _ body: () async throws -> Void) async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            for node in nodes { group.addTask { try await node.run() } }
            try await body()
            for node in nodes { await node.triggerGracefulShutdown() }
            for gate in gates { gate.open() }
            group.addTask { try? await self.until { false } }
            for _ in nodes { try await group.next() }
            group.cancelAll()
        }
    }

    /// Lets time go on until something holds, or the test is given up.
    ///
    /// - Parameter step: Seconds at a time. Longer ones for what is minutes away: each costs many turns of all tasks.
    func until(every step: Double = step, _ holds: () async throws -> Bool) async throws {
        while try await !holds() {
            try Task.checkCancellation()
            clock.advance(by: step)
            for _ in 0..<50 { await Task.yield() }
        }
    }

    func pass(seconds: Double) async throws {
        let end = clock.now + seconds
        try await until { clock.now >= end }
    }

    /// Whether all cards have a state, by their token or by the channel.
    func hasReached(_ state: Int) -> Bool {
        let reached = pushed.filter { $0.state == state }
        return Set(reached.map(\.token)).count == Self.cards + 1
    }

    var lease: NodeLease? {
        get async throws { try await store.read { try $0.nodeLease(of: 0) } }
    }
}

/// Stands where it is put; who naps wakes when it has come there.
final class SteppedClock: WallClock {
    private struct State {
        var now: Instant
        var uptime = 0.0
        var sleepers: [Sleeper] = []
    }

    private struct Sleeper {
        var until: Instant
        var uptime: Double
        var wake: AsyncStream<Void>.Continuation
    }

    private let state: Mutex<State>

    init(_ start: Instant) { state = Mutex(State(now: start)) }

    var now: Instant { state.withLock(\.now) }

    func nap(until moment: Instant, atMost seconds: Double) async throws {
        let (stream, wake) = AsyncStream.makeStream(of: Void.self)
        let isOver = state.withLock { state in
            guard moment > state.now, seconds > 0 else { return true }
            state.sleepers.append(Sleeper(until: moment, uptime: state.uptime + seconds, wake: wake))
            return false
        }
        if isOver { wake.finish() }
        for await _ in stream {}
        try Task.checkCancellation()
    }

    var uptime: Double { state.withLock(\.uptime) }

    /// Sets what it reads, without any time going by.
    func setBack(by seconds: Double) { state.withLock { $0.now = $0.now - seconds } }

    func advance(by seconds: Double) {
        let awake = state.withLock { state in
            state.now = state.now + seconds
            state.uptime += seconds
            let (now, uptime) = (state.now, state.uptime)
            defer { state.sleepers.removeAll { $0.until <= now || $0.uptime <= uptime } }
            return state.sleepers.filter { $0.until <= now || $0.uptime <= uptime }
        }
        for sleeper in awake { sleeper.wake.finish() }
    }
}

/// Where a node can be held up.
final class Gates: Sendable {
    let store = Gate()
    let apple = Gate()
    private let failing = Atomic(false)
    private let keysFailing = Atomic(false)

    /// Whether the store fails each write.
    var storeFails: Bool {
        get { failing.load(ordering: .relaxed) }
        set { failing.store(newValue, ordering: .relaxed) }
    }

    /// Whether every read of a key fails.
    var keysFail: Bool {
        get { keysFailing.load(ordering: .relaxed) }
        set { keysFailing.store(newValue, ordering: .relaxed) }
    }

    func open() {
        store.open()
        apple.open()
    }
}

/// Holds a node up, as a process that is stopped, and lets it go on.
final class Gate: Sendable {
    private let state = Mutex((isClosed: false, waiting: [CheckedContinuation<Void, Never>]()))

    func close() { state.withLock { $0.isClosed = true } }

    func open() {
        let waiting = state.withLock { state in
            state.isClosed = false
            defer { state.waiting = [] }
            return state.waiting
        }
        for continuation in waiting { continuation.resume() }
    }

    func pass() async {
        await withCheckedContinuation { continuation in
            let isClosed = state.withLock { state in
                if state.isClosed { state.waiting.append(continuation) }
                return state.isClosed
            }
            if !isClosed { continuation.resume() }
        }
    }

    /// Who waits here.
    var waiting: Int { state.withLock(\.waiting.count) }
}

private struct StoreFails: Error {}

/// A node's way to the store. Hints of other nodes do not come through.
private struct GatedStore: WrappedStore {
    let base: MemoryStore
    let gates: Gates
    let woken = AsyncStream<[ActivityID]> { _ in }

    func read<Result: Sendable>(_ body: @escaping @Sendable (any Ledger) throws -> Result) async throws -> Result {
        await gates.store.pass()
        return try await base.read(body)
    }

    func write<Result: Sendable>(_ body: @escaping @Sendable (any Ledger) throws -> Result) async throws -> Result {
        await gates.store.pass()
        if gates.storeFails { throw StoreFails() }
        return try await base.write(body)
    }
}

/// Stamps and takes everything, as the sender would and Apple.
private struct SeenPusher: Pusher, ChannelMaker {
    let name: String
    let gate: Gate
    let clock: SteppedClock
    let see: @Sendable (NodeWorld.Pushed) -> Void

    func push(
        _ page: PushPage, with key: PushCredentials, early: (@Sendable (PageVerdicts) -> Void)?
    ) async -> PageVerdicts {
        await gate.pass()
        let second = clock.now.second
        guard page.stamps.contains(second) else {
            return PageVerdicts(count: page.count, .notProcessed)
        }
        for slot in 0..<page.count {
            let body = try? JSONValue(parsing: page.template(at: slot).body(timestamp: second))
            let state = body?.object?["aps"]?.object?["content-state"]?.object?["n"]?.integer
            let token = page.recipients == .tokens ? Array(page.token(at: slot)) : nil
            see(NodeWorld.Pushed(node: name, token: token, second: second, state: state))
        }
        return PageVerdicts(count: page.count, .accepted)
    }

    func makeChannel(of app: App, in environment: PushEnvironment, with key: PushCredentials) async -> ChannelAnswer {
        APNSChannelID("dHN0LXNyY2gtY2hubA==").map { .made($0) } ?? .failed
    }

    func delete(_ channel: Channel, of app: App, with key: PushCredentials) async -> ChannelAnswer { .deleted }
}
