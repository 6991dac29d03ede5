import APNSSender
import EyotCommands
import EyotContract
import EyotHTTP
import EyotPostgres
import EyotStore
import Logging

extension ServerConfiguration {
    /// Logs one line with what the server runs with. It has no secrets: a master key is named by its id.
    func announceStart(
        at addresses: ServerAddresses, masterKey: MasterKey, databaseSchema: Int, logger: Logger
    ) {
        var metadata: Logger.Metadata = [
            "version": "\(BuildInfo.version)", "commit": "\(BuildInfo.commit)",
            "schema": "\(BuildInfo.schema)", "databaseSchema": "\(databaseSchema)", "database": "\(databasePlace)",
            "masterKey": "\(masterKey.id)", "http": "\(addresses.http)",
            "apnsSandbox": "\(apnsSandboxURL)", "apnsProduction": "\(apnsProductionURL)",
            "connections": "\(connectionLimits.connections)",
            "connectionsPerAddress": "\(connectionLimits.connectionsPerAddress)",
            "keyCallsPerHour": "\(callLimits.keyCallsPerHour)", "appCallsPerHour": "\(callLimits.appCallsPerHour)",
            "deviceCallsPerHour": "\(callLimits.deviceCallsPerHour)",
            "registrationsPerMinute": "\(callLimits.registrationsPerMinute)",
            "devicesPerApp": "\(quotas.devices)", "pushesPerApp": "\(pace.pushesPerApp)",
            "apnsConnectionsPerKey": "\(pace.connectionsPerKey)", "drainSeconds": "\(Int(pace.drainSeconds))",
        ]
        metadata["control"] = addresses.control.map { "\($0)" }
        metadata["ops"] = addresses.ops.map { "\($0)" }
        metadata["panel"] = addresses.panel.map { "\($0)/panel" }
        logger.notice("Eyot serves", metadata: metadata)
        if !given.ignored.isEmpty {
            logger.notice(
                "Variables that Kubernetes makes for a service are ignored: set enableServiceLinks to false",
                metadata: ["variables": "\(given.ignored.joined(separator: ", "))"])
        }
    }
}

extension Logger {
    /// Logs a step of the schema that is taken. Batches of a step are logged as debug.
    func note(_ progress: SchemaProgress) {
        var metadata: Metadata = ["step": "\(progress.step)", "name": "\(progress.name)"]
        guard let fill = progress.fill else {
            return notice("The database has a step of its schema", metadata: metadata)
        }
        metadata["rows"] = "\(fill.place) of \(fill.end)"
        debug("The database is on the way through a step of its schema", metadata: metadata)
    }

    /// Logs that the database refuses writes, and that it takes them again.
    func note(_ news: WriteNews) {
        switch news {
        case .refused(let error):
            self.error(
                "The database refuses writes, and their callers get 503",
                metadata: ["code": "\(error.kind)", "error": "\(error)"])
        case .taken(let kind): notice("The database takes writes again that it refused", metadata: ["code": "\(kind)"])
        }
    }

    /// Logs what becomes of the database.
    func note(_ report: PostgresReport) {
        switch report {
        case .answers: notice("The database answers again")
        case .outage(let error):
            self.error(
                "The database takes no calls; they are refused and can be repeated",
                metadata: ["code": "\(error.kind)", "error": "\(error)"])
        case .succeeded(let forgot):
            notice("Another server has taken the place of the database's", metadata: ["forgot": "\(forgot)"])
        case .wakesAgain: notice("Other nodes wake this one again")
        case .writes(let news): note(news)
        case .crowded(let limit, let connections):
            warning(
                """
                The database allows fewer connections than this server may make, so some calls will be refused: lower \
                pool_max_conns, or raise the limit
                """, metadata: ["allowed": "\(limit)", "needed": "\(connections + 1)"])
        case .wakeUpsLost(let error):
            warning(
                "Other nodes cannot wake this one, so what they accept is found by polling, within a second",
                metadata: ["error": "\(error)"])
        case .pooled:
            notice(
                """
                A pooler stands before the database, so what other nodes accept is found by polling, within a second. \
                Set \(Setting.databaseDirectURL.variable) to the URL of the server itself
                """)
        case .elsewhere:
            warning(
                """
                \(Setting.databaseDirectURL.variable) leads to another database than \
                \(Setting.databaseURL.variable), so what other nodes accept is found by polling, within a second
                """)
        }
    }
}

extension APNSSender {
    /// The connections as health tells of them.
    var health: [HealthSource.Apple] {
        connections.flatMap { service, environments in
            environments.map { environment, counts in
                HealthSource.Apple(
                    environment: environment, service: service.name, ready: counts.ready, failures: counts.failures)
            }
        }
    }
}
