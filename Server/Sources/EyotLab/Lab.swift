import APNSSimulator
import APNSWire
import Crypto
import EyotContract
import EyotKit
import Foundation
import PhoneSimulator
import Synchronization

/// A server in a child process, Apple's push service, and phones with the real SDK: the whole platform as one value.
///
/// Everything talks over real HTTP and HTTP/2 on loopback; only Apple and the phones are simulated. A lab lives inside
/// ``run(_:_:)``.
public final class Lab: Sendable {
    /// Apple's side: what was pushed, and faults for what will be.
    public let simulator: APNSSimulator
    let configuration: LabConfiguration
    let folder: LabFolder
    let clock: LabClock
    let changes: FleetChanges
    let carrier: PushCarrier
    let reports: PhoneReports
    let fleet: PhoneFleet
    let child: ServerChild
    let additions: AsyncStream<LabPhone>.Continuation
    let inner: Mutex<Inner>

    struct Inner: Sendable {
        var secrets: LabSecrets
        var http = ""
        var control = ""
        var app: AppBuild?
        var phones: [LabPhone] = []
        var phonesByID: [String: LabPhone] = [:]
        /// The highest number of a phone that there was.
        var lastNumber = 0
    }

    /// Runs a lab for as long as `body` does. Afterwards server, listeners and phones are gone.
    ///
    /// - Throws: ``LabError`` where the lab cannot start, and what `body` throws.
    public static func run<Result>(
        _ configuration: LabConfiguration, _ body: (Lab) async throws -> Result
    ) async throws -> Result {
        // A server that dies while its clock is told something must not take the lab with it.
        signal(SIGPIPE, SIG_IGN)
        let folder = try LabFolder(configuration.folder)
        defer { folder.close() }
        let (phones, additions) = AsyncStream.makeStream(of: LabPhone.self)
        let lab = try await Lab(configuration, folder, additions)
        return try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { await LabPhone.runAll(phones) }
            group.addTask { await lab.keepTime() }
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
        _ configuration: LabConfiguration, _ folder: LabFolder, _ additions: AsyncStream<LabPhone>.Continuation
    ) async throws {
        self.configuration = configuration
        self.folder = folder
        self.additions = additions
        let secrets = try folder.loadSecrets()
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
        child = ServerChild(
            executable: configuration.executable, log: folder.serverLog,
            environment: [
                "EYOT_DATABASE_URL": folder.database, "EYOT_HTTP_HOST": "127.0.0.1",
                "EYOT_HTTP_PORT": "\(configuration.httpPort)", "EYOT_MASTER_KEY": secrets.masterKey,
                "EYOT_APNS_SANDBOX_URL": simulator.sandboxURL, "EYOT_APNS_PRODUCTION_URL": simulator.productionURL,
                "EYOT_APNS_BROADCAST_URL": Self.urls(of: .broadcast, at: simulator),
                "EYOT_APNS_CHANNELS_URL": Self.urls(of: .channels, at: simulator),
                "EYOT_APNS_CA_FILE": folder.certificateAuthority.path,
                "EYOT_LOG_LEVEL": configuration.serverLogLevel, "EYOT_LAB_CLOCK": "stdin",
            ],
            clock: clock)
        inner = Mutex(Inner(secrets: secrets))
    }

    /// The service in both environments, as a setting takes it.
    private static func urls(of service: APNSEndpoint.Service, at simulator: APNSSimulator) -> String {
        [PushEnvironment.sandbox, .production].map { simulator.url(of: APNSEndpoint(service, $0)) }
            .joined(separator: ",")
    }

    private static func startSimulator(
        _ configuration: LabConfiguration, key: P256.Signing.PublicKey, clock: LabClock, receiver: any PushReceiver
    ) async throws -> APNSSimulator {
        let team = APNSTeam(
            id: LabConfiguration.teamID, bundleIDs: [LabConfiguration.bundleID],
            keys: [APNSKey(id: LabConfiguration.keyID, publicKey: key)])
        var setup = APNSSimulatorConfiguration(teams: [team])
        setup.ports = [APNSEndpoint(.push, .sandbox): configuration.apnsPort]
        setup.limits.recordedRequests = configuration.recordedPushes
        setup.limits.broadcastsPerMinute = configuration.broadcastsPerMinute
        setup.now = { clock.now() }
        return try await APNSSimulator.start(setup, receiver: receiver)
    }

    private func start() async throws {
        try await startServer()
        try await declareApp()
        try await restorePhones()
        let missing = configuration.phones - phones.count
        if missing > 0 { _ = try await addPhones(missing, configuration.phoneOptions) }
    }

    private func stop(_ group: inout ThrowingTaskGroup<Void, any Error>) async {
        await child.stop()
        // What cannot be kept must not keep the lab from ending; a folder that is given up anyway keeps nothing.
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

    /// The lab's time: the wall clock, and what ``advanceClock(by:)`` added.
    public var now: Date { clock.now() }

    /// Lets time jump for phones, push service and server. It does not go back.
    ///
    /// What waits inside an app (the SDK's pauses between tries) goes by the wall clock and does not jump.
    public func advanceClock(by seconds: TimeInterval) async throws {
        clock.advance(by: seconds)
        await child.advanceClock(by: seconds)
        fleet.advance()
        changes.signal()
        let lead = clock.seconds
        try inner.withLock { inner throws(LabError) in
            inner.secrets.clockLead = lead
            try folder.save(inner.secrets)
        }
    }

    /// Lets every phone see time pass, once a second, and keeps the phones where they are to be kept.
    private func keepTime() async {
        var seconds = 0
        var seen = changes.count
        var isSaved = false
        while !Task.isCancelled {
            try? await Task.sleep(for: .seconds(1))
            if changes.count != seen { isSaved = false }
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

    /// What happens on the phones within so many seconds before a lab is killed is lost; its server's data is not.
    private static let secondsBetweenSaves = 2

    private func save() throws { try folder.save(phones.map(KeptPhone.init)) }

    // MARK: Waiting

    /// Signals, from now on, that something may have changed on a phone. They are not counted: who hears one looks.
    public func changeSignals() -> AsyncStream<Void> { changes.stream() }

    /// How often Apple has answered a push with 410, because its token was dead.
    public var deadTokenAnswers: Int {
        carrier.refusalCounts.filter { $0.key.status == 410 }.map(\.value).reduce(0, +)
    }

    /// Waits until a condition holds that has to do with the phones: it is asked at once and after every change on any of
    /// them, until the task is cancelled.
    public func until(_ condition: () throws -> Bool) async throws {
        let signals = changes.stream()
        if try condition() { return }
        for await _ in signals where try condition() { return }
        throw CancellationError()
    }
}
