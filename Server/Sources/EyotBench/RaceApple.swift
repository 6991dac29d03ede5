import APNSSender
import APNSSimulator
import APNSWire
import Crypto
import EyotContract
import EyotDomain
import EyotEngine
import EyotServer
import Foundation
import NIOPosix
import Synchronization

/// Sender and Apple's side of a race, over TLS and in this process.
final class RaceApple: Sendable {
    /// Requests that Apple's side remembers: twice as many pushes as may be on their way between two looks.
    private static let remembered = 2 * EngineCore.Limits().pushesPerApp

    private struct State {
        var share = 0.0
        /// The newest request that was looked at.
        var looked = 0
    }

    let sender: APNSSender
    /// Signs provider tokens.
    let key: P256.Signing.PrivateKey
    private let track: RaceTrack
    private let simulator: APNSSimulator
    private let threads: MultiThreadedEventLoopGroup
    private let state = Mutex(State())

    private init(
        track: RaceTrack, sender: APNSSender, key: P256.Signing.PrivateKey, simulator: APNSSimulator,
        threads: MultiThreadedEventLoopGroup
    ) {
        (self.track, self.sender, self.key, self.simulator, self.threads) = (track, sender, key, simulator, threads)
    }

    static func start(_ track: RaceTrack, _ clock: FastClock) async throws -> RaceApple {
        let key = P256.Signing.PrivateKey()
        let team = APNSTeam(
            id: BenchStore.teamID, bundleIDs: [BenchStore.bundleID],
            keys: [APNSKey(id: BenchStore.keyID, publicKey: key.publicKey)])
        var configuration = APNSSimulatorConfiguration(teams: [team])
        configuration.now = { clock.now.date }
        configuration.limits.recordedRequests = remembered
        // Apple's side has threads of its own, as it has machines of its own.
        let threads = MultiThreadedEventLoopGroup(numberOfThreads: 2)
        let simulator = try await APNSSimulator.start(configuration, receiver: track, eventLoopGroup: threads)
        return RaceApple(
            track: track, sender: try sender(to: simulator, clock), key: key, simulator: simulator, threads: threads)
    }

    private static func sender(to simulator: APNSSimulator, _ clock: FastClock) throws -> APNSSender {
        let authority = FileManager.default.temporaryDirectory.appendingPathComponent("eyot-race-\(UUID()).pem").path
        try simulator.writeCertificateAuthority(to: authority)
        defer { try? FileManager.default.removeItem(atPath: authority) }
        var configuration = APNSSenderConfiguration()
        configuration.productionURL = simulator.productionURL
        configuration.trust = .authorities(pemFile: authority)
        configuration.pageTimeout = Race.pageTimeout / clock.speed
        configuration.patience = configuration.patience / clock.speed
        configuration.now = { clock.now.date }
        configuration.logger.logLevel = .error
        return try APNSSender(configuration)
    }

    /// From now on this share of the pushes gets no answer.
    func stall(_ share: Double) {
        noteStalls()
        state.withLock { $0.share = share }
        if share == 0 { simulator.faults.clear() }
    }

    /// Decides about a page that leaves: as many decisions wait as pushes are on their way, however many cards there are.
    private func decide(about pushes: Int) {
        state.withLock { state in
            // What is left over is of pushes that never came to be decided about.
            guard state.share > 0, simulator.faults.count + pushes <= FaultScript.capacity else { return }
            simulator.faults.enqueue(
                (0..<pushes).map { _ in Double.random(in: 0..<1) < state.share ? .stall : .none })
        }
    }

    /// Tells the phones which pushes got no answer because it was decided so: others may be without one since the machine is slow.
    private func noteStalls() {
        state.withLock { state in
            // More requests may come meanwhile.
            let limit = simulator.requestCount - state.looked + PushPage.capacity
            let fresh = simulator.requests(limit: limit).filter { $0.number > state.looked }
            state.looked = fresh.last?.number ?? state.looked
            track.stall(fresh.filter { $0.verdict.fault == .stall }.compactMap(Self.token))
        }
    }

    private static func token(of request: RequestRecord) -> PushToken? {
        let path = request.headers.first { $0.name == ":path" }?.value
        return path.flatMap { $0.split(separator: "/").last }.flatMap { PushToken(hex: $0) }
    }

    func shutdown() async throws {
        await sender.shutdown()
        await simulator.shutdown()
        try await threads.shutdownGracefully()
    }
}

extension RaceApple: Pusher {
    func push(
        _ page: PushPage, with key: PushCredentials, early: (@Sendable (PageVerdicts) -> Void)?
    ) async -> PageVerdicts {
        noteStalls()
        decide(about: page.count)
        let verdicts = await SenderPusher(sender: sender).push(page, with: key, early: early)
        noteStalls()
        return verdicts
    }
}
