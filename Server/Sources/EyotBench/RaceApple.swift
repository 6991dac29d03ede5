import APNSSender
import APNSSimulator
import Crypto
import Foundation
import NIOPosix

/// The sender and Apple's side of a race, over TLS and in this process.
struct RaceApple: Sendable {
    let sender: APNSSender
    /// The key for provider tokens.
    let key: P256.Signing.PrivateKey
    private let simulator: APNSSimulator
    private let threads: MultiThreadedEventLoopGroup

    static func start(_ track: RaceTrack, _ clock: FastClock) async throws -> RaceApple {
        let key = P256.Signing.PrivateKey()
        let team = APNSTeam(
            id: BenchStore.teamID, bundleIDs: [BenchStore.bundleID],
            keys: [APNSTeamKey(id: BenchStore.keyID, publicKey: key.publicKey)])
        var configuration = APNSSimulatorConfiguration(teams: [team])
        configuration.now = { clock.now.date }
        configuration.limits.recordedRequests = 0
        // Apple's side has threads of its own, as it has machines of its own.
        let threads = MultiThreadedEventLoopGroup(numberOfThreads: 2)
        let simulator = try await APNSSimulator.start(configuration, receiver: track, eventLoopGroup: threads)
        return RaceApple(
            sender: try sender(to: simulator, clock), key: key, simulator: simulator, threads: threads)
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

    func shutdown() async throws {
        await sender.shutdown()
        await simulator.shutdown()
        try await threads.shutdownGracefully()
    }
}
