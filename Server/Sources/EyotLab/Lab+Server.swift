import EyotContract
import EyotKit
import Foundation

extension Lab {
    /// Starts the first server again after ``stopServer()`` or ``killServer()``, at the same address.
    public func startServer() async throws { try await servers.first.start() }

    /// Stops the first server with SIGTERM, like an operator, and waits for its end.
    public func stopServer() async { await servers.first.stop() }

    /// Ends the first server with SIGKILL, like a crash.
    public func killServer() async { await servers.first.kill() }

    /// Changes a setting of the server, by its variable, from the next start or command on.
    package func change(_ variable: String, to value: String) async { await servers.first.change(variable, to: value) }

    /// Runs another command of the server's executable with the server's settings, and returns the JSON that it prints.
    ///
    /// - Throws: ``LabError/server(_:)`` if it fails.
    package func command(_ arguments: [String]) async throws -> JSONValue { try await servers.first.run(arguments) }

    /// The first server's process; nil if none runs.
    public var serverPID: Int32? { get async { await servers.first.pid } }

    // MARK: Nodes

    /// The servers as they are now, in the order of their numbers.
    public var nodes: [LabNode] { get async { await servers.all } }

    /// Does something to the process of a node.
    ///
    /// - Parameter node: the node's name, or its number from 1.
    /// - Returns: the node after it.
    /// - Throws: ``LabError/noSuchNode(_:)``, and ``LabError/nodeRuns(_:)``, ``LabError/nodePaused(_:)`` or
    ///   ``LabError/nodeStopped(_:)`` if its state does not allow the action.
    @discardableResult
    public func perform(_ action: LabNode.Action, on node: String) async throws -> LabNode {
        try await servers.child(node).perform(action)
    }

    /// The database for people: a file's URL, or hosts and name without user and password.
    var databasePlace: String { configuration.databasePlace(in: folder, postgres) }

    /// The addresses, paths and keys of the lab.
    public var description: LabDescription {
        get async {
            let nodes = await nodes
            return inner.withLock { inner in
                LabDescription(
                    wall: "\(inner.control)/phones?pass=\(Self.wallPass(of: inner.secrets.controlSecret))",
                    panel: "\(nodes[0].ops)/panel", http: nodes[0].http, ops: nodes[0].ops, apns: simulator.sandboxURL,
                    apnsProduction: simulator.productionURL,
                    apnsBroadcast: simulator.broadcastURL, apnsChannels: simulator.channelsURL,
                    apnsCA: folder.certificateAuthority.path, control: inner.control,
                    controlSecret: inner.secrets.controlSecret, serverPID: nodes[0].pid ?? 0, nodes: nodes,
                    bundleID: LabConfiguration.bundleID, teamID: LabConfiguration.teamID,
                    keyID: LabConfiguration.keyID, p8: folder.keyFile.path, apiKey: inner.secrets.apiKey ?? "",
                    appKey: inner.secrets.appKey ?? "", vendorKeys: inner.secrets.vendorKeys,
                    operatorKey: inner.secrets.operatorKey ?? "",
                    database: databasePlace)
            }
        }
    }

    /// A client of the servers with the app's secret key. It goes to a node that runs.
    public var api: APIClient { get throws { try client(inner.withLock { $0.secrets.apiKey ?? "" }) } }

    private func client(_ key: String) throws(LabError) -> APIClient {
        guard let server = servers.round.server else { throw .server("no server of the lab has started yet") }
        return APIClient(servers.round, at: server, key: key)
    }

    var controlSecret: String { inner.withLock { $0.secrets.controlSecret } }

    /// Makes a link that signs the lab's owner in to the panel. It works once, within a day. The former one ends.
    ///
    /// - Throws: ``LabError/server(_:)``.
    public func makePanelLink() async throws -> String {
        // The member may exist already, and nothing changes then.
        _ = try await command(["member", "add", Self.owner, "--owner", "--json"])
        let answer = try await command(["member", "link", Self.owner, "--sign-in", "--json"])
        guard let link = answer.object?["link"]?.string.flatMap(URL.init(string:)) else {
            throw LabError.server("`eyot member link` printed no link")
        }
        // The command does not know which port the server took.
        return await servers.first.node.ops + link.path
    }

    /// The name of the member who owns the lab's server.
    private static let owner = "lab"

    func makeOperatorKey() async throws {
        let answer = try await command(["key", "create", "--operator", "--json"])
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
        let secrets = inner.withLock { $0.secrets }
        if secrets.apiKey == nil {
            let client = try client(secrets.operatorKey ?? "")
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
            try await self.client(apiKey).demand(
                "PUT", APIClient.path("v1", "types", "*", "profile"), body: ["startsPerHour": 1_000])
            try changeSecrets { ($0.apiKey, $0.appKey) = (apiKey, appKey) }
        }
        try await makeVendorKeys()
        // A receiver that replaces the lab's phones decodes by its own rules.
        if configuration.givesSchemas, configuration.receiver == nil { try await giveSchemas() }
        let build = AppBuild(
            bundleID: LabConfiguration.bundleID, appKey: inner.withLock { $0.secrets.appKey ?? "" },
            server: try api.server,
            types: Dictionary(configuration.types.map { ($0.name, $0) }, uniquingKeysWith: { $1 }),
            launch: configuration.appLaunch, folder: folder.apps, clock: clock,
            network: BalancedTransport(network: NarrowTransport.ofPhones, round: servers.round),
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
