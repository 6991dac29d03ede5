import APNSSimulator
import APNSWire
import Crypto
import EyotContract
import EyotKit
import Foundation
import PhoneSimulator
import Synchronization

/// Servers in child processes, Apple's push service, and phones with the real SDK: the whole platform as one value.
///
/// All parts talk over real HTTP and HTTP/2 on loopback. Only Apple and the phones are simulated. A lab lives inside
/// ``run(_:_:)``.
public final class Lab: Sendable {
    /// Apple's side. It records pushes, and makes faults on demand.
    public let simulator: APNSSimulator
    let configuration: LabConfiguration
    let folder: LabFolder
    let clock: LabClock
    let changes: FleetChanges
    let carrier: PushCarrier
    let reports: PhoneReports
    let fleet: PhoneFleet
    /// The servers: one, or several on PostgreSQL.
    let servers: LabNodes
    /// The database server that the lab has started; nil if it has started none.
    let postgres: ThrowawayPostgres?
    let wall = WallFeed()
    let additions: AsyncStream<LabPhone>.Continuation
    let inner: Mutex<Inner>

    struct Inner: Sendable {
        var secrets: LabSecrets
        var control = ""
        var app: AppBuild?
        var phones: [LabPhone] = []
        var phonesByID: [String: LabPhone] = [:]
        /// The highest number that a phone has had.
        var lastNumber = 0
        /// Whether the phones of the lab before are here. Until then nothing is saved over them.
        var hasRestored = false
        /// How many seconds of the lab's clock pass in a second.
        var speed = 1.0
        /// The fault of all pushes; nil if there is none.
        var standing: StandingVerdict?
    }

    /// Runs a lab while `body` runs. Afterwards server, listeners and phones are gone.
    ///
    /// - Throws: ``LabError`` if the lab cannot start, and any error of `body`.
    public static func run<Result>(
        _ configuration: LabConfiguration, _ body: (Lab) async throws -> Result
    ) async throws -> Result {
        // The lab writes to its server's input, and must survive if the server dies meanwhile.
        signal(SIGPIPE, SIG_IGN)
        if let contradiction = configuration.contradiction { throw LabError.settings(contradiction) }
        let folder = try LabFolder(configuration.folder)
        defer { folder.close() }
        let postgres = configuration.database == .throwaway ? try await ThrowawayPostgres.start() : nil
        do {
            let result = try await run(configuration, folder, postgres, body)
            await postgres?.stop()
            return result
        } catch {
            await postgres?.stop()
            throw error
        }
    }

    private static func run<Result>(
        _ configuration: LabConfiguration, _ folder: LabFolder, _ postgres: ThrowawayPostgres?,
        _ body: (Lab) async throws -> Result
    ) async throws -> Result {
        let (phones, additions) = AsyncStream.makeStream(of: LabPhone.self)
        let lab = try await Lab(configuration, folder, postgres, additions)
        return try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { await LabPhone.runAll(phones) }
            group.addTask { await lab.keepTime() }
            group.addTask { await lab.wall.run(lab) }
            do {
                let control = ControlServer(lab: lab)
                let address = try await control.start(in: &group)
                lab.inner.withLock { $0.control = address }
                try await lab.start()
                let result = try await body(lab)
                await lab.stop(&group)
                return result
            } catch {
                await lab.stop(&group)
                throw error
            }
        }
    }

    private init(
        _ configuration: LabConfiguration, _ folder: LabFolder, _ postgres: ThrowawayPostgres?,
        _ additions: AsyncStream<LabPhone>.Continuation
    ) async throws {
        self.configuration = configuration
        self.folder = folder
        self.postgres = postgres
        self.additions = additions
        let place = configuration.databasePlace(in: folder, postgres)
        let secrets = try folder.loadSecrets(for: configuration.database == .file ? nil : place)
        let clock = LabClock(lead: secrets.clockLead)
        self.clock = clock
        changes = FleetChanges()
        let reports = PhoneReports(report: configuration.report)
        self.reports = reports
        fleet = PhoneFleet(clock: { clock.now() }, observer: { reports.note($0) })
        carrier = PushCarrier(fleet: fleet, changes: changes)
        let key = try folder.loadKey()
        simulator = try await Self.startSimulator(
            configuration, key: key.publicKey, clock: clock, receiver: configuration.receiver ?? carrier)
        try simulator.writeCertificateAuthority(to: folder.certificateAuthority.path)
        let settings = Self.settings(
            configuration, secrets, simulator, certificateAuthority: folder.certificateAuthority,
            database: configuration.databaseURL(postgres) ?? folder.database)
        servers = try LabNodes(count: configuration.nodes) { name, number, round in
            let given = number == 1 && configuration.httpPort != 0 ? configuration.httpPort : nil
            return ServerChild(
                name: name, executable: configuration.executable,
                log: folder.serverLog(name, of: configuration.nodes),
                environment: settings.merging([
                    "EYOT_HTTP_PORT": "\(try given ?? SteadyPort.free())",
                    "EYOT_OPS_PORT": "\(try SteadyPort.free())", "EYOT_NODE_NAME": name,
                ]) { $1 }.merging(configuration.serverSettings) { $1 },
                clock: clock,
                reports: .init(
                    opened: { round.open($0) }, closed: { round.close($0) }, failed: configuration.report))
        }
        inner = Mutex(Inner(secrets: secrets))
    }

    /// The settings that all nodes have, by their variables.
    private static func settings(
        _ configuration: LabConfiguration, _ secrets: LabSecrets, _ simulator: APNSSimulator,
        certificateAuthority: URL, database: String
    ) -> [String: String] {
        [
            "EYOT_DATABASE_URL": database, "EYOT_HTTP_HOST": "127.0.0.1",
            "EYOT_MASTER_KEY": secrets.masterKey,
            "EYOT_APNS_SANDBOX_URL": simulator.sandboxURL, "EYOT_APNS_PRODUCTION_URL": simulator.productionURL,
            "EYOT_APNS_BROADCAST_URL": urls(of: .broadcast, at: simulator),
            "EYOT_APNS_CHANNELS_URL": urls(of: .channels, at: simulator),
            "EYOT_APNS_CA_FILE": certificateAuthority.path,
            "EYOT_LOG_LEVEL": configuration.serverLogLevel,
            // Receivers that a developer runs beside the lab.
            "EYOT_WEBHOOK_ALLOWED_ADDRESSES": "127.0.0.0/8,::1",
        ]
    }

    /// Returns the service's URLs for both environments, in the form of a setting.
    private static func urls(of service: APNSEndpoint.Service, at simulator: APNSSimulator) -> String {
        [PushEnvironment.sandbox, .production].map { simulator.url(of: APNSEndpoint(service, $0)) }
            .joined(separator: ",")
    }

    private static func startSimulator(
        _ configuration: LabConfiguration, key: P256.Signing.PublicKey, clock: LabClock, receiver: any PushReceiver
    ) async throws -> APNSSimulator {
        let team = APNSTeam(
            id: LabConfiguration.teamID, bundleIDs: [LabConfiguration.bundleID],
            keys: [APNSTeamKey(id: LabConfiguration.keyID, publicKey: key)])
        var setup = APNSSimulatorConfiguration(teams: [team])
        setup.ports = [APNSEndpoint(.push, .sandbox): configuration.apnsPort]
        setup.rules = configuration.pushServiceRules
        setup.limits.recordedRequests = configuration.recordedPushes
        setup.limits.broadcastsPerMinute = configuration.broadcastsPerMinute
        setup.now = { clock.now() }
        return try await APNSSimulator.start(setup, receiver: receiver)
    }

    private func start() async throws {
        if inner.withLock({ $0.secrets.operatorKey }) == nil { try await makeOperatorKey() }
        try await servers.start()
        try await declareApp()
        try await restorePhones()
        let missing = configuration.phones - phones.count
        if missing > 0 { _ = try await addPhones(missing, configuration.phoneOptions) }
    }

    private func stop(_ group: inout ThrowingTaskGroup<Void, any Error>) async {
        wall.viewers.close()
        await servers.stop()
        // A failed save must not prevent the lab's end. A temporary folder is not saved.
        do {
            if configuration.folder != nil { try save() }
        } catch {
            configuration.report("\(error)")
        }
        additions.finish()
        group.cancelAll()
        await simulator.shutdown()
        while let ended = await group.nextResult() { _ = ended }
    }

    // MARK: Time

    /// The lab's time: the wall clock, plus the seconds of ``advanceClock(by:)``.
    public var now: Date { clock.now() }

    /// Advances the time of phones, push service and server. Time does not go back.
    ///
    /// Pauses inside an app, such as the SDK's between retries, use the wall clock and do not jump.
    public func advanceClock(by seconds: TimeInterval) async throws {
        clock.advance(by: seconds)
        await servers.keepTime()
        fleet.advance()
        changes.signal()
        let lead = clock.seconds
        try inner.withLock { inner throws(LabError) in
            inner.secrets.clockLead = lead
            try folder.save(inner.secrets)
        }
    }

    /// Advances each phone once a second, and saves the phones if the lab has a folder.
    private func keepTime() async {
        var seconds = 0
        var seen = changes.count
        var isSaved = false
        while !Task.isCancelled {
            try? await Task.sleep(for: .seconds(1))
            if changes.count != seen { isSaved = false }
            do {
                try await keepSpeed()
            } catch {
                configuration.report("\(error)")
            }
            fleet.advance()
            reports.endSecond()
            changes.signal()
            seen = changes.count
            seconds += 1
            guard configuration.folder != nil, !isSaved, seconds.isMultiple(of: Self.secondsBetweenSaves) else {
                continue
            }
            do {
                try save()
                isSaved = true
            } catch {
                configuration.report("\(error)")
            }
        }
    }

    /// How many seconds lie between two saves of the phones. Changes after the last save are lost if a lab is killed.
    /// The server's data is not.
    private static let secondsBetweenSaves = 2

    private func save() throws {
        guard inner.withLock({ $0.hasRestored }) else { return }
        try folder.save(phones.map(KeptPhone.init))
    }

    // MARK: Waiting

    /// Returns signals that a phone may have changed, from now on. Several changes may give one signal, so a listener
    /// must look at the phones.
    public func changeSignals() -> AsyncStream<Void> { changes.stream() }

    /// How often Apple has answered a push with 410, because its token was dead.
    public var deadTokenAnswers: Int {
        carrier.refusalCounts.filter { $0.key.status == 410 }.map(\.value).reduce(0, +)
    }

    /// Waits until a condition on the phones holds, or until the task is cancelled. The condition is checked at once
    /// and after each change of a phone.
    public func until(_ condition: () throws -> Bool) async throws {
        let signals = changes.stream()
        if try condition() { return }
        for await _ in signals where try condition() { return }
        throw CancellationError()
    }
}
