import EyotContract
import EyotKit
import Foundation

extension Lab {
    /// Starts the server again after ``stopServer()`` or ``killServer()``, at the same address.
    public func startServer() async throws {
        if inner.withLock({ $0.secrets.operatorKey }) == nil { try await makeOperatorKey() }
        let addresses = try await child.start()
        inner.withLock { ($0.http, $0.ops) = (addresses.http, addresses.ops) }
    }

    /// Stops the server with SIGTERM, like an operator, and waits for its end.
    public func stopServer() async { await child.stop() }

    /// Ends the server with SIGKILL, like a crash.
    public func killServer() async { await child.kill() }

    /// Runs another command of the server's executable with the server's settings, and returns the JSON that it prints.
    ///
    /// - Throws: ``LabError/server(_:)`` if it fails.
    package func command(_ arguments: [String]) async throws -> JSONValue { try await child.run(arguments) }

    /// The server's process; nil if none runs.
    public var serverPID: Int32? { get async { await child.pid } }

    /// The addresses, paths and keys of the lab.
    public var description: LabDescription {
        get async {
            let pid = await child.pid
            return inner.withLock { inner in
                LabDescription(
                    wall: "\(inner.control)/phones?pass=\(Self.wallPass(of: inner.secrets.controlSecret))",
                    panel: "\(inner.ops)/panel", http: inner.http, ops: inner.ops, apns: simulator.sandboxURL,
                    apnsProduction: simulator.productionURL,
                    apnsBroadcast: simulator.broadcastURL, apnsChannels: simulator.channelsURL,
                    apnsCA: folder.certificateAuthority.path, control: inner.control,
                    controlSecret: inner.secrets.controlSecret, serverPID: pid ?? 0,
                    bundleID: LabConfiguration.bundleID, teamID: LabConfiguration.teamID,
                    keyID: LabConfiguration.keyID, p8: folder.keyFile.path, apiKey: inner.secrets.apiKey ?? "",
                    appKey: inner.secrets.appKey ?? "", vendorKeys: inner.secrets.vendorKeys,
                    operatorKey: inner.secrets.operatorKey ?? "",
                    database: folder.database)
            }
        }
    }

    /// A client of the server with the app's secret key.
    public var api: APIClient {
        get throws {
            let (http, key) = inner.withLock { ($0.http, $0.secrets.apiKey ?? "") }
            return APIClient(server: try Self.url(http), key: key)
        }
    }

    var controlSecret: String { inner.withLock { $0.secrets.controlSecret } }

    private static func url(_ text: String) throws(LabError) -> URL {
        guard let url = URL(string: text), url.host != nil else {
            throw .server("the server names \"\(text)\" as its address")
        }
        return url
    }

    /// Makes a link that signs the lab's owner in to the panel. It works once, within a day. The former one ends.
    ///
    /// - Throws: ``LabError/server(_:)``.
    public func makePanelLink() async throws -> String {
        // The member may exist already, and nothing changes then.
        _ = try await child.run(["member", "add", Self.owner, "--owner", "--json"])
        let answer = try await child.run(["member", "link", Self.owner, "--sign-in", "--json"])
        guard let link = answer.object?["link"]?.string.flatMap(URL.init(string:)) else {
            throw LabError.server("`eyot member link` printed no link")
        }
        // The command does not know which port the server took.
        return inner.withLock { "\($0.ops)\(link.path)" }
    }

    /// The name of the member who owns the lab's server.
    private static let owner = "lab"

    private func makeOperatorKey() async throws {
        let answer = try await child.run(["key", "create", "--operator", "--json"])
        guard let key = answer.object?["key"]?.string else {
            throw LabError.server("`eyot key create --operator --json` printed no key")
        }
        try changeSecrets { $0.operatorKey = key }
    }

    private func changeSecrets(_ body: (inout LabSecrets) -> Void) throws(LabError) {
        try inner.withLock { inner throws(LabError) in
            body(&inner.secrets)
            try folder.save(inner.secrets)
        }
    }

    // MARK: The app

    /// Declares the lab's app with its APNs keys, unless an earlier lab has done so. Then makes the app's build for the
    /// phones.
    func declareApp() async throws {
        let (http, secrets) = inner.withLock { ($0.http, $0.secrets) }
        let server = try Self.url(http)
        if secrets.apiKey == nil {
            let client = APIClient(server: server, key: secrets.operatorKey ?? "")
            let app = try await client.demand(
                "POST", "/v1/apps",
                body: [
                    "bundleID": .string(LabConfiguration.bundleID), "name": "Eyot Lab",
                    // Phones in a lab start cards freely.
                    "activities": "public",
                ])
            let pem = try String(contentsOf: folder.keyFile, encoding: .utf8)
            for environment in PushEnvironment.allCases {
                try await client.demand(
                    "PUT",
                    APIClient.path("v1", "apps", LabConfiguration.bundleID, "apns-keys", environment.rawValue),
                    body: [
                        "teamID": .string(LabConfiguration.teamID), "keyID": .string(LabConfiguration.keyID),
                        "privateKey": .string(pem),
                    ])
            }
            guard let apiKey = app.object?["apiKey"]?.string, let appKey = app.object?["appKey"]?.string else {
                throw LabError.server("POST /v1/apps answered no keys")
            }
            // Trials start more cards in an hour than phones in the field accept.
            let own = APIClient(server: server, key: apiKey)
            try await own.demand(
                "PUT", APIClient.path("v1", "types", "*", "profile"), body: ["startsPerHour": 1_000])
            try changeSecrets { ($0.apiKey, $0.appKey) = (apiKey, appKey) }
        }
        try await makeVendorKeys()
        // A receiver that replaces the lab's phones decodes by its own rules.
        if configuration.givesSchemas, configuration.receiver == nil { try await giveSchemas() }
        let build = AppBuild(
            bundleID: LabConfiguration.bundleID, appKey: inner.withLock { $0.secrets.appKey ?? "" }, server: server,
            types: Dictionary(configuration.types.map { ($0.name, $0) }, uniquingKeysWith: { $1 }),
            launch: configuration.appLaunch, folder: folder.apps, clock: clock, network: URLSessionTransport(),
            report: configuration.report)
        inner.withLock { $0.app = build }
    }
}

extension Lab {
    /// Pushes the schemas of the app's types to the server, for all builds without a schema of their own.
    private func giveSchemas() async throws {
        for type in configuration.types {
            guard let schema = type.schemaForServer else { continue }
            if schema != type.schema {
                configuration.report(
                    """
                    \(type.name) has no member for a card's name, so the lab's app takes \(AttributesMember.activityName). Add \
                    it to the type and its schema.
                    """)
            }
            try await api.demand(
                "PUT", APIClient.path("v1", "types", type.name, "schemas"),
                body: ["schema": schema.json, "builds": []])
        }
    }

    /// Makes the keys for other vendors' APIs that do not exist yet.
    private func makeVendorKeys() async throws {
        let known = inner.withLock { $0.secrets.vendorKeys }
        for key in LabVendorKey.all where known[key.names.key] == nil {
            let parts = try await key.make(by: api)
            try changeSecrets { $0.vendorKeys.merge(parts) { $1 } }
        }
    }
}

extension APIClient {
    /// Makes a call that must succeed.
    @discardableResult
    func demand(_ method: String, _ path: String, body: JSONValue? = nil) async throws -> JSONValue {
        let answer = try await call(method, path, body: body)
        guard answer.isSuccess else {
            throw LabError.refused(call: "\(method) \(path)", status: answer.status, reason: answer.problem)
        }
        return answer.body
    }
}
