import APNSSender
import EyotCommands
import EyotContract
import EyotDomain
import EyotEngine
import EyotHTTP
import EyotIdentity
import EyotMetrics
import EyotPanel
import EyotPostgres
import EyotSQLite
import EyotStore
import EyotTracing
import EyotVendors
import Foundation
import Logging
import ServiceLifecycle
import WebhookSender

/// The composition root: it builds services from a configuration, which know each other only by ports.
package struct EyotServer {
    /// The time from the signal to the end. Pushes in flight settle within ``APNSSenderConfiguration/pageTimeout``.
    private static let longestShutdown = Duration.seconds(9)
    fileprivate static let pageTimeout = Duration.seconds(NodeLease.longestPage)

    private let configuration: ServerConfiguration
    private let logger: Logger
    private let source: SettingsSource?
    private let supervisor: Supervisor?

    /// - Parameters:
    ///   - source: Where the settings are read again on SIGHUP; nil if only certificates are.
    ///   - supervisor: The service manager that supervises the process; nil if there is none.
    package init(
        _ configuration: ServerConfiguration, logger: Logger, source: SettingsSource? = nil,
        supervisor: Supervisor? = nil
    ) {
        self.configuration = configuration
        self.logger = logger
        self.source = source
        self.supervisor = supervisor
    }

    /// Runs until SIGTERM or SIGINT. SIGHUP reads settings and certificates again.
    ///
    /// - Parameter announce: Receives the base URLs once the server accepts calls.
    /// - Throws: The error that keeps the server from starting. It names its setting or file.
    package func run(announce: @escaping @Sendable (ServerAddresses) -> Void) async throws {
        try configuration.checkMachine(now: Date())
        // Kept until everything has ended.
        let lock = try configuration.lockDatabase()
        defer { withExtendedLifetime(lock) {} }
        let database = try configuration.openDatabase { [logger] in logger.note($0) }
        let (meters, clock) = (Meters(), AdjustableClock(lead: configuration.labClockLead ?? 0))
        let (tracer, links) = configuration.tracing()
        let store = try store(on: database, meters, links, clock)
        let masterKey = try MasterKeys.asSetting { try configuration.readMasterKey(of: database) }
        let sealer = Sealer(masterKey)
        warnOfExposedFiles()
        try await prepare(store, with: sealer, at: clock.now)
        let sender = try APNSSender(configuration.sender(logger: logger, clock: clock))
        let isDraining = Draining(
            seconds: configuration.pace.drainSeconds, clock: clock, supervisor: supervisor, logger: logger)
        let (pushing, keyUses) = (PushingState(at: clock.now), KeyUses())
        let registrations = registrations(in: store, by: clock, pushing)
        let auditLog = try configuration.auditLog.map(AuditLog.init)
        let trail = AuditTrail(tell: auditLog.map { log in { @Sendable line in log.write(line) } })
        let webhooks = WebhookClient(AddressPolicy(allowed: configuration.webhookAddresses))
        var backend = Backend(
            store: store, clock: clock, sealer: sealer,
            checkAPNSKey: { _ = try ProviderKey(teamID: $0, keyID: $1, p8: $2.utf8) },
            registrations: registrations, identities: JWTVerifier(), limits: configuration.callLimits,
            quotas: configuration.quotas, trail: trail, keyUses: keyUses, pushing: pushing,
            isDraining: { isDraining.isSet })
        (backend.webhooks, backend.tracer) = (webhooks, tracer)
        let pusher = connect(&backend, to: sender, meters, clock)
        let node = node(of: backend, on: store, pusher, links, sealer)
        let provider = OutboundProviderClient()
        let access = configuration.panelAccess(to: backend, calling: provider)
        let live = LiveHub(clock: clock, logger: logger)
        let api = API(
            backend, vendors: Vendors.all, lenient: configuration.lenientVendors, proxies: configuration.proxies
        ).adding { Panel(backend, api: $0, access: access, live: live).routes }
        api.beginCounts()
        let settings = RunningSettings(configuration, source: source) { api.change($0) }
        let listeners = try Listeners(configuration, api, at: clock.now.date, logger: logger) {
            [configuration, logger, supervisor] addresses in
            configuration.announceStart(
                at: addresses, masterKey: masterKey, databaseSchema: database.schema, logger: logger)
            announce(addresses)
            supervisor?.tell(.ready)
        }
        // Services stop from the last to the first: first calls, then pages, then connections.
        var services: [any Service] = [SenderService(sender: sender), WebhookConnections(client: webhooks)]
        services += mayPush(from: database, pushing) ? [node] : []
        services += try workers(of: backend, settings)
        services += [
            WebhookWorker(store: store, sealer: sealer, poster: webhooks, clock: clock, logger: logger),
            RegistrationService(registrations: registrations),
            KeyUseService(uses: keyUses, store: store, clock: clock, logger: logger),
            AuditService(backend: backend, log: auditLog, logger: logger),
            EventFeedService(
                feed: backend.feed, commands: backend.commands, isDraining: { isDraining.isSet }, logger: logger),
            RefusalLog(refusals: backend.refusals, answers: backend.answers, clock: clock, logger: logger),
            AppStateService(
                states: backend.health.apps, meters: meters, store: store, clock: clock, logger: logger),
            live,
        ]
        services += exporters(of: tracer, clock) + watchers(of: listeners, settings, store, clock)
        services += listeners.servers + [provider, isDraining]
        if configuration.labClockLead != nil {
            services.append(StandardInputClock(clock: clock, logger: logger))
        }
        try await run(services)
        try await store.close()
        logger.notice("Eyot has stopped", metadata: ["version": "\(BuildInfo.version)"])
    }
}

extension EyotServer {
    /// The store. Its commits are counted and traced.
    private func store(
        on database: any LedgerDatabase, _ meters: Meters, _ links: TraceLinks?, _ clock: any WallClock
    ) throws -> any ServedStore {
        let observe: @Sendable (CommitReport) -> Void = { report in
            meters.count(report)
            if !report.traced.isEmpty { links?.note(report.traced, at: clock.now) }
        }
        switch database {
        case let database as SQLiteDatabase:
            return SQLiteStore(database, observe: observe) { [logger] in logger.note($0) }
        case let database as PostgresDatabase:
            return PostgresStore(database, direct: configuration.databaseDirectURL, observe: observe) { [logger] in
                logger.note($0)
            }
        default: throw StoreError.failed("there is no store for \(type(of: database))")
        }
    }

    /// Whether this process may push what the database has due. A copy that other programs made knows nothing of what
    /// was pushed since, so nothing leaves before an operator has adopted it (decision 0042).
    private func mayPush(from database: any LedgerDatabase, _ pushing: PushingState) -> Bool {
        guard let database = database as? PostgresDatabase, database.isUnadoptedCopy else { return true }
        pushing.note(serving: [], of: .shared)
        pushing.note(.notAdopted)
        logger.error(
            """
            Nothing is pushed, because other programs have copied or restored the database. Stop all servers, run \
            `eyot database adopt`, and start them again
            """)
        return false
    }

    /// Checks that the master key opens the stored keys, and gives a database its first history (R17).
    ///
    /// - Throws: ``SettingError`` or ``SealError`` if it does not. The server then does not start.
    private func prepare(_ store: any Store, with sealer: Sealer, at now: Instant) async throws {
        try await store.read { ledger in
            try MasterKeys.asSetting { try SealedKeys(ledger: ledger, sealer: sealer).check() }
        }
        guard try await store.read({ try $0.history() }) == nil else { return }
        let first = History.fresh(.made, at: now)
        try await store.write { if try $0.history() == nil { try $0.begin(first) } }
    }

    /// The sender, with the tokens that the nodes on the backend's store agree on.
    private func pusher(with sender: APNSSender, of backend: Backend) -> SenderPusher {
        guard !configuration.isAlone else { return SenderPusher(sender: sender) }
        let agreement = TokenAgreement(
            sender: sender, store: backend.store, clock: backend.clock, sealer: backend.sealer, logger: logger)
        return SenderPusher(sender: sender, agreement: agreement)
    }

    /// Connects the backend with the sender, and both with the metrics.
    private func connect(
        _ backend: inout Backend, to sender: APNSSender, _ meters: Meters, _ clock: any WallClock
    ) -> SenderPusher {
        let pusher = pusher(with: sender, of: backend)
        backend.pusher = pusher
        (backend.meters, backend.build) = (meters, BuildInfo.description)
        backend.sharesCounts = !configuration.isAlone
        backend.health.apple = { sender.health }
        meters.collect(from: backend, clock: clock)
        meters.collect(from: sender)
        return pusher
    }

    /// The node that pushes what the backend's store has due.
    private func node(
        of backend: Backend, on served: any ServedStore, _ pusher: SenderPusher, _ links: TraceLinks?,
        _ sealer: Sealer
    ) -> Node {
        let (store, clock, meters) = (backend.store, backend.clock, backend.meters)
        let credentials: Engine.CredentialsSource = { app, environment in
            let (key, unnamed) = try await store.read { ledger in
                let key = try ledger.apnsKeys(of: app).first { $0.environment == environment }
                return (key, meters.names.isKnown(app) ? nil : try ledger.app(app))
            }
            unnamed.map(meters.note)
            return try key.map(sealer.credentials(of:))
        }
        var engine = Engine(
            pusher: pusher, credentials: credentials, clock: clock, limits: configuration.pace.engineLimits,
            logger: logger, meters: meters)
        engine.traces = links
        let channels = ChannelKeeper(
            pusher: pusher, maker: SenderChannels(pusher: pusher), credentials: credentials, clock: clock,
            logger: logger, meters: meters)
        return Node(
            store: store, workers: [engine, channels], place: place(on: served), clock: clock,
            pushing: backend.pushing, logger: logger)
    }

    /// The node's place among others on the database. A lab moves its servers' clocks, but not the database's.
    private func place(on store: any ServedStore) -> NodePlace {
        guard !configuration.isAlone else { return .alone }
        return NodePlace(
            among: .shared, name: configuration.nodeName ?? ProcessInfo.processInfo.hostName,
            version: BuildInfo.version, storeTime: configuration.labClockLead == nil ? store.time : nil)
    }

    /// What applies the reports of phones.
    private func registrations(
        in store: any Store, by clock: any WallClock, _ pushing: PushingState
    ) -> Registrations {
        var limits = configuration.isAlone ? Registrations.Limits() : .besideOthers
        limits.quotas = configuration.quotas
        let merges: @Sendable (ActivityID) -> Bool = { pushing.serves($0) }
        return Registrations(
            store: store, clock: clock, limits: limits, merges: configuration.isAlone ? nil : merges
        ) { [logger] error in
            logger.stepFailed("Tokens could not be merged; they are tried again", error)
        }
    }

    /// The services that tend the store beside the node.
    private func workers(of backend: Backend, _ settings: RunningSettings) throws -> [any Service] {
        let (store, clock, pushing) = (backend.store, backend.clock, backend.pushing)
        return [
            Pruner(store: store, clock: clock, retention: { settings.retention }, pushing: pushing, logger: logger),
            MemberWorker(store: store, clock: clock, pushing: pushing, logger: logger),
            QuarantineProber(store: store, clock: clock, pushing: pushing, logger: logger),
            AppRemover(store: store, clock: clock, pushing: pushing, logger: logger),
            WatchService(meters: backend.meters, store: store, clock: clock, logger: logger),
            WebhookAgeService(meters: backend.meters, store: store, clock: clock, logger: logger),
        ] + (try files(by: backend.commands).map { EventFileService(files: $0, logger: logger) })
    }

    /// What writes events to files: in Eyot's form, and in those of vendors.
    private func files(by commands: Commands) throws -> [EventFiles] {
        guard let folder = configuration.eventFiles else { return [] }
        let own = EventFiles(folder: try EventFolder(folder), commands: commands)
        let vendors = configuration.eventFileVendors.sorted { $0.rawValue < $1.rawValue }
        return try [own]
            + vendors.map { vendor in
                EventFiles(
                    folder: try EventFolder("\(folder)/vendor=\(vendor.rawValue)"), commands: commands,
                    form: try EventForm(named: vendor.rawValue, of: Vendors.all))
            }
    }

    /// The services that watch settings, certificates and the server itself.
    private func watchers(
        of listeners: Listeners, _ settings: RunningSettings, _ store: any ServedStore, _ clock: any WallClock
    ) -> [any Service] {
        let certificates = CertificateWatch(certificates: listeners.certificates, clock: clock, logger: logger)
        let reload = ReloadService(
            settings: settings, certificates: certificates, supervisor: supervisor, logger: logger)
        guard let supervisor, let seconds = supervisor.watchdogSeconds, let server = listeners.servers.first?.server
        else {
            return [certificates, reload]
        }
        let watchdog = WatchdogService(supervisor: supervisor, seconds: seconds, clock: clock) {
            (try? await server.waitForLoops()) != nil && !store.health.isStuck
        }
        return [certificates, reload, watchdog]
    }

    private func warnOfExposedFiles() {
        for path in configuration.exposedFiles {
            logger.warning("Others can read a file with secrets: chmod 600", metadata: ["file": "\(path)"])
        }
    }

    /// The service that exports traces, if they are exported.
    private func exporters(of tracer: CallTracer?, _ clock: any WallClock) -> [any Service] {
        guard let queue = tracer?.queue, let endpoint = configuration.otlpEndpoint else { return [] }
        return [SpanExporter(queue: queue, endpoint: endpoint, clock: clock, logger: logger)]
    }

    /// Runs the services until a signal, or until one of them ends.
    private func run(_ services: [any Service]) async throws {
        var group = ServiceGroupConfiguration(
            services: services.map { .init(service: $0, successTerminationBehavior: .gracefullyShutdownGroup) },
            gracefulShutdownSignals: [.sigterm, .sigint], logger: logger)
        group.maximumGracefulShutdownDuration =
            Self.longestShutdown + .seconds(configuration.pace.drainSeconds)
        try await ServiceGroup(configuration: group).run()
    }
}

extension ServerConfiguration {
    /// - Parameter report: Receives each step of the schema that is taken, and each batch of a step.
    func openDatabase(report: (SchemaProgress) -> Void = { _ in }) throws -> any LedgerDatabase {
        switch database {
        case .sqlite(let path): try SQLiteDatabase(path: path, report: report)
        case .postgres(let url): try PostgresDatabase(url, report: report)
        }
    }

    /// Opens a database that is there.
    ///
    /// - Throws: ``StartFault`` with `databaseMissing`.
    func openExistingDatabase(report: (SchemaProgress) -> Void = { _ in }) throws -> any LedgerDatabase {
        try requireDatabase()
        return try openDatabase(report: report)
    }

    /// Whether no other process pushes from the same database.
    var isAlone: Bool { databasePath != nil }

    func requireDatabase() throws(StartFault) {
        guard let databasePath, !FileManager.default.fileExists(atPath: databasePath) else { return }
        throw .databaseMissing(databasePath)
    }

    /// Keeps other processes from serving with the same file. Nil for a database that several processes may share.
    func lockDatabase() throws -> ServingLock? {
        switch database {
        case .sqlite(let path): try ServingLock(database: path)
        case .postgres: nil
        }
    }

    /// Reads the master key. A missing key is created only if the database holds nothing sealed.
    func readMasterKey(of opened: any LedgerDatabase) throws -> MasterKey {
        try readMasterKey(mayMake: opened.read { try SealedKeys.isEmpty(in: $0) })
    }

    /// - Parameter mayMake: Whether a missing file beside the database is created. A file that the operator names never
    ///   is.
    func readMasterKey(mayMake: Bool) throws -> MasterKey {
        if let masterKey { return try MasterKey(text: masterKey.text) }
        guard let masterKeyPath else { throw StartFault.masterKeyMissing }
        return try MasterKeyFile.key(at: masterKeyPath, mayMake: mayMake && masterKeyFile == nil)
    }

    fileprivate func sender(logger: Logger, clock: AdjustableClock) -> APNSSenderConfiguration {
        var sender = APNSSenderConfiguration()
        sender.sandboxURL = apnsSandboxURL
        sender.productionURL = apnsProductionURL
        sender.sandboxBroadcastURL = apnsBroadcast.sandbox
        sender.productionBroadcastURL = apnsBroadcast.production
        sender.sandboxChannelsURL = apnsChannels.sandbox
        sender.productionChannelsURL = apnsChannels.production
        if let apnsCAFile { sender.trust = .authorities(pemFile: apnsCAFile) }
        sender.now = { clock.now.date }
        sender.pageTimeout = EyotServer.pageTimeout
        sender.connectionsPerKey = pace.connectionsPerKey
        sender.logger = logger
        return sender
    }
}

/// The service that keeps the sender's connections until everything else has stopped.
private struct SenderService: Service {
    let sender: APNSSender

    func run() async throws {
        try? await gracefulShutdown()
        await sender.shutdown()
    }
}

/// The service that keeps the connections to receivers of webhooks until nothing posts any more.
private struct WebhookConnections: Service {
    let client: WebhookClient

    func run() async throws {
        try? await gracefulShutdown()
        await client.close()
    }
}

/// The service that merges the log of arrivals, which holds tokens that come in floods.
private struct RegistrationService: Service {
    let registrations: Registrations

    func run() async throws { await cancelWhenGracefulShutdown { await registrations.run() } }
}
