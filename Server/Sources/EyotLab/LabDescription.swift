import EyotContract

/// The addresses, paths and keys of a lab, for its users.
public struct LabDescription: Sendable {
    /// The wall of phones, with the pass that opens it in a browser.
    public var wall: String
    /// The panel.
    public var panel: String
    /// A link that signs the lab's owner in to the panel, once; nil if none was made. See ``Lab/makePanelLink()``.
    public var panelLink: String?
    /// The server's base URL.
    public var http: String
    /// The base URL of the server's listener for health and metrics.
    public var ops: String
    /// The push service for sandbox tokens, which the lab's phones have by default.
    public var apns: String
    /// The push service for production tokens.
    public var apnsProduction: String
    /// Broadcasts in the sandbox.
    public var apnsBroadcast: String
    /// The management of channels in the sandbox.
    public var apnsChannels: String
    /// The path of the PEM file with the authority that signed the push service's certificate.
    public var apnsCA: String
    /// The control API's base URL.
    public var control: String
    /// The secret for the control API, sent as `Authorization: Bearer …`.
    public var controlSecret: String
    /// The process id of the server; of several nodes, that of the first one.
    public var serverPID: Int32
    /// The servers. The first one is also that of ``http``, ``ops`` and ``serverPID``.
    public var nodes: [LabNode]
    /// The app's bundle identifier.
    public var bundleID: String
    /// The app's team.
    public var teamID: String
    /// The id of the app's APNs key.
    public var keyID: String
    /// The path of the APNs key.
    public var p8: String
    /// The app's secret key for the server's control plane.
    public var apiKey: String
    /// The app's public key for the server's device plane.
    public var appKey: String
    /// The app's keys for other vendors' APIs: `netmeraKey`, `airshipAppKey`, `airshipMasterSecret`, `brazeAppID`,
    /// `brazeKey` and `insiderKey`.
    public var vendorKeys: [String: String]
    /// The operator's key, which declares apps.
    public var operatorKey: String
    /// The database's URL, for PostgreSQL without user and password.
    public var database: String

    /// The description as one object.
    public var json: JSONValue {
        var object = ours
        for name in LabVendorKey.names { object[name] = vendorKeys[name].map(JSONValue.string) }
        return .object(object)
    }

    /// Shell lines that set up the other commands and calls of the control API.
    public var exports: [String] {
        [
            "", "For the other commands, in another terminal:", "export EYOT_URL=\(http) EYOT_API_KEY=\(apiKey)",
            "eyot lab phone list", "",
            "For the control API:", "export control=\(control) auth='Authorization: Bearer \(controlSecret)'",
            "curl -s -H \"$auth\" $control/phones",
        ]
    }

    private var ours: JSONObject {
        JSONObject(
            [("wall", JSONValue.string(wall)), ("panel", .string(panel))]
                + [panelLink.map { ("panelLink", .string($0)) }].compactMap(\.self) + others)
    }

    private var others: [(String, JSONValue)] {
        [
            ("http", .string(http)), ("ops", .string(ops)), ("apns", .string(apns)),
            ("apnsProduction", .string(apnsProduction)),
            ("apnsBroadcast", .string(apnsBroadcast)), ("apnsChannels", .string(apnsChannels)),
            ("apnsCA", .string(apnsCA)), ("control", .string(control)), ("controlSecret", .string(controlSecret)),
            ("serverPID", .integer(serverPID)), ("nodes", .array(nodes.map(\.json))), ("bundleID", .string(bundleID)),
            ("teamID", .string(teamID)),
            ("keyID", .string(keyID)), ("p8", .string(p8)), ("apiKey", .string(apiKey)), ("appKey", .string(appKey)),
            ("operatorKey", .string(operatorKey)), ("database", .string(database)),
        ]
    }
}
