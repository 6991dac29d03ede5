import APNSSender
import EyotContract
import EyotServer
import Foundation

/// The checks of `eyot doctor`.
enum Doctor {
    // MARK: Key

    static func key(at path: String) -> Finding {
        guard let bytes = FileManager.default.contents(atPath: path) else {
            return Finding("key", .bad, "\(path) cannot be read: check the path and its permissions")
        }
        do {
            // The ids are not known here, and the check of the file does not need them.
            _ = try ProviderKey(teamID: "AAAAAAAAAA", keyID: "AAAAAAAAAA", p8: bytes)
        } catch {
            return Finding("key", .bad, "\(path): \(error)")
        }
        guard ServerConfiguration.isPrivate(path) else {
            return Finding("key", .bad, "\(path) can be read by others: chmod 600 \(path)")
        }
        return Finding("key", .good, "\(path) is an APNs authentication key")
    }

    // MARK: Clock

    /// Checks the clock. Apple refuses provider tokens that are more than an hour off. Without a network only an absurd
    /// time is noticed.
    static func clock(_ now: Date) -> Finding {
        if let fault = StartFault.clock(now) { return Finding("clock", fault) }
        return Finding("clock", .good, "\(RFC3339.text(of: now)); Apple refuses tokens that are an hour off")
    }

    // MARK: Database

    /// Checks the database as the start of a server does, and changes nothing.
    static func database(_ database: ServerConfiguration.Database) -> Finding {
        if case .sqlite(let path) = database {
            if let fault = StartFault.database(at: path) { return Finding("database", fault) }
            guard FileManager.default.fileExists(atPath: path) else {
                return Finding("database", .good, "\(path) will be made at the first start")
            }
            let head = FileHandle(forReadingAtPath: path)?.readData(ofLength: 16) ?? Data()
            guard head.isEmpty || head == Data("SQLite format 3\0".utf8) else {
                return Finding("database", .bad, "\(path) is not an SQLite database")
            }
        }
        do {
            let plan = try Migration.plan(database)
            guard try !Migration.isUnadoptedCopy(database) else {
                return Finding(
                    "database", .bad,
                    "\(database.place) was copied or restored by other programs, so a server pushes nothing. Stop all "
                        + "servers, and run `eyot database adopt`", code: "notAdopted")
            }
            let state = plan.pending.isEmpty ? "has today's tables" : "gets its tables at the next start"
            return Finding("database", .good, "\(database.place) can be used, and \(state)")
        } catch {
            return Finding("database", .bad, "\(database.place): \(error)", code: Migration.code(of: error))
        }
    }

    /// Checks that only the server's user can read the files with secrets.
    static func files(_ settings: ServerConfiguration) -> Finding {
        let exposed = settings.exposedFiles
        guard exposed.isEmpty else {
            return Finding("files", .bad, "others can read secrets: chmod 600 \(exposed.joined(separator: " "))")
        }
        return Finding("files", .good, "nobody else can read the database and the master key")
    }

    /// Checks that the master key opens what the database holds.
    static func masterKey(_ settings: ServerConfiguration) -> Finding {
        if let fault = MasterKeys.fault(settings) { return Finding("master key", .bad, fault) }
        return Finding("master key", .good, "it opens what the database holds")
    }

    // MARK: The running server

    /// The findings in a server's answer.
    static func findings(_ answer: JSONValue) -> [Finding] {
        let found = (answer.object?["findings"]?.array ?? []).compactMap(\.object)
        guard !found.isEmpty else { return [Finding("server", .good, "nothing keeps it from pushing to the app")] }
        return found.map { member in
            var finding = Finding("server", .bad, member["sentence"]?.string ?? "")
            (finding.code, finding.remedy) = (member["code"]?.string, member["remedy"]?.string)
            return finding
        }
    }

    /// The findings of a server's readiness: the checks of its store and its pushing that fail.
    static func checks(_ answer: JSONValue) -> [Finding] {
        (answer.object?["checks"]?.array ?? []).compactMap(\.object).filter { $0["ok"] == .bool(false) }.compactMap {
            check in
            guard let code = check["code"]?.string, ["store", "disk", "pushing", "clock"].contains(code) else {
                return nil
            }
            return Finding("server \(code)", .bad, check["sentence"]?.string ?? "")
        }
    }

    /// The finding that the server refused the question. An operator's key without an app is no fault of the server.
    static func finding(of failure: CommandFailure) -> Finding {
        guard failure.problem?["field"]?.string == ServerOptions.appHeader else {
            return Finding("server", .bad, failure.description)
        }
        return Finding("server", .warning, "answers, and was asked about no app: name one with --app")
    }

    // MARK: The way to Apple

    static func apns(_ settings: ServerConfiguration) async -> [Finding] {
        var configuration = APNSSenderConfiguration()
        configuration.sandboxURL = settings.apnsSandboxURL
        configuration.productionURL = settings.apnsProductionURL
        configuration.sandboxBroadcastURL = settings.apnsBroadcast.sandbox
        configuration.productionBroadcastURL = settings.apnsBroadcast.production
        configuration.sandboxChannelsURL = settings.apnsChannels.sandbox
        configuration.productionChannelsURL = settings.apnsChannels.production
        if let file = settings.apnsCAFile { configuration.trust = .authorities(pemFile: file) }
        configuration.logger.logLevel = .critical
        do {
            let sender = try APNSSender(configuration)
            var findings: [Finding] = []
            for service in APNSService.allCases {
                for environment in PushEnvironment.allCases {
                    let probe = await sender.probe(environment, service)
                    findings.append(
                        finding(probe, service, environment, configuration.url(of: service, in: environment)))
                }
            }
            await sender.shutdown()
            return findings
        } catch {
            return [Finding("apns", .bad, "\(error)")]
        }
    }

    /// A missing connection for broadcast channels is only a warning, because pushes to tokens work without it.
    private static func finding(
        _ probe: APNSProbe, _ service: APNSService, _ environment: PushEnvironment, _ url: String
    ) -> Finding {
        let check = "apns \(environment.rawValue)" + (service == .pushes ? "" : " \(service)")
        switch (probe, service) {
        case (.reachable, _): return Finding(check, .good, "\(url) answers in HTTP/2")
        case (.unreachable(let reason), .pushes):
            return Finding(
                check, .bad,
                "\(url) cannot be reached: \(reason). Open port 443 to Apple, or 2197, without a proxy between.")
        case (.unreachable(let reason), .broadcasts), (.unreachable(let reason), .channels):
            return Finding(
                check, .warning,
                "\(url) cannot be reached: \(reason). Only broadcast channels need it; open its port to Apple for those."
            )
        }
    }
}
