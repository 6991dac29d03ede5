import EyotContract
import EyotDomain
import EyotHTTP

/// The page of the server: whether it pushes, its store, its connections to Apple, and what it refused.
struct ServerPage {
    static let path = "/panel/server"
    static let topic = "server"

    let panel: Panel

    var routes: [Route] {
        [
            panel.page(Self.path) { visit in
                visit.show("Server", "server", try await ServerView(visit), live: Self.topic)
            }
        ]
    }

    /// Reads the fragments of the open pages.
    func look(for visit: Visit) -> LiveHub.Look {
        { [LiveFragment(id: "server", html: Templates.render(try await ServerView(visit), "server.state"))] }
    }
}

/// What the page of the server shows.
struct ServerView {
    struct Check {
        var sentence: String
        var isGood: Bool
    }

    struct Service {
        var name: String
        var environment: String
        var connections: Int
        var failures: Int
        var isGood: Bool
    }

    struct Node {
        var name: String
        var state: String
        var shards: Int
        var version: String
        var started: Moment?
        var seen: Moment?
        var isGood: Bool
    }

    struct Figure {
        var name: String
        var value: String
        var unit: String
    }

    let checks: [Check]
    /// The servers on the database; empty with SQLite.
    let nodes: [Node]
    let hasNodes: Bool
    let services: [Service]
    let figures: [Figure]
    let refused: [Figure]

    init(_ visit: Visit) async throws {
        let status = try await visit.read("/v1/status")
        checks = status.list("checks").map {
            Check(sentence: $0.text("sentence"), isGood: $0["ok"]?.bool ?? false)
        }
        services = status.list("apple").map { service in
            let (ready, failures) = (service["connections"]?.integer ?? 0, service["failures"]?.integer ?? 0)
            return Service(
                name: service.text("service"), environment: service.text("environment"), connections: ready,
                failures: failures, isGood: ready > 0 || failures == 0)
        }
        nodes = status.list("nodes").map(Self.node)
        hasNodes = !nodes.isEmpty
        let store = status["store"] ?? .null
        figures = [
            Figure(name: "Writes that wait", value: Figures.count(store["waitingWrites"]?.integer ?? 0), unit: ""),
            Self.bytes("Free space", store["freeBytes"]?.integer),
            Self.bytes("Log of the store", store["walBytes"]?.integer),
            Figure(name: "Schema", value: store["schema"]?.integer.map(String.init) ?? "–", unit: ""),
        ]
        refused = (status["refused"]?.object?.members ?? []).map {
            Figure(name: $0.name, value: Figures.count($0.value.integer ?? 0), unit: "")
        }
    }

    private static func node(_ node: JSONValue) -> Node {
        Node(
            name: node.shown("name"), state: node.text("state"), shards: node["shards"]?.integer ?? 0,
            version: node.text("version"), started: node.moment("startedAt"), seen: node.moment("seenAt"),
            isGood: ![NodeStanding.State.silent, .clockApart].map(\.rawValue).contains(node.text("state")))
    }

    private static func bytes(_ name: String, _ bytes: Int?) -> Figure {
        guard let bytes else { return Figure(name: name, value: "–", unit: "") }
        let units = ["B", "KB", "MB", "GB", "TB"]
        var (number, unit) = (Double(bytes), 0)
        while number >= 1_000, unit < units.count - 1 { (number, unit) = (number / 1_000, unit + 1) }
        return Figure(name: name, value: Figures.decimal(number, digits: number < 10 ? 1 : 0), unit: units[unit])
    }
}

extension Templates {
    /// The templates of the page of the server.
    static let server = [
        "server": """
        <h1>Server</h1><div id="server" class="stack">{{>server.state}}</div>
        """,
        "server.state": """
        <section class="card stack"><h2>Checks</h2>{{#checks}}<p><i class="dot {{#isGood}}good{{/isGood}}{{^isGood}}bad{{/isGood}}"></i>{{sentence}}</p>{{/checks}}</section>
        <section class="cards">{{#figures}}<div class="card"><div class="k">{{name}}</div><div class="v">{{value}} <small>{{unit}}</small></div></div>{{/figures}}</section>
        {{#hasNodes}}<section class="stack"><h2>Nodes</h2><p class="sub">Each node answers all calls, and pushes for its shards. <code>eyot node drain</code> and <code>eyot node take</code> choose which of them push.</p>
        <div class="scroll" tabindex="0"><table><thead><tr><th scope="col">Node</th><th scope="col" class="t">State</th><th scope="col">Shards</th><th scope="col" class="t wide">Version</th><th scope="col" class="wide">Started</th><th scope="col">Last seen</th></tr></thead><tbody>{{#nodes}}<tr><td><i class="dot {{#isGood}}good{{/isGood}}{{^isGood}}bad{{/isGood}}"></i>{{name}}</td><td class="t">{{state}}</td><td>{{shards}}</td><td class="t wide">{{version}}</td><td class="wide">{{#started}}{{>moment}}{{/started}}</td><td>{{#seen}}{{>moment}}{{/seen}}</td></tr>{{/nodes}}</tbody></table></div></section>{{/hasNodes}}
        <section class="stack"><h2>Connections to Apple</h2>{{^services}}<p class="empty">None yet. The first push opens them.</p>{{/services}}
        <div class="scroll" tabindex="0"><table><thead><tr><th scope="col">Service</th><th scope="col" class="t">Environment</th><th scope="col">Open</th><th scope="col">Failures in a row</th></tr></thead><tbody>{{#services}}<tr><td><i class="dot {{#isGood}}good{{/isGood}}{{^isGood}}bad{{/isGood}}"></i>{{name}}</td><td class="t">{{environment}}</td><td>{{connections}}</td><td>{{failures}}</td></tr>{{/services}}</tbody></table></div></section>
        <section class="card stack"><h2>Refused since the start</h2><dl class="facts">{{#refused}}<dt>{{name}}</dt><dd>{{value}}</dd>{{/refused}}</dl></section>
        """,
    ]
}
