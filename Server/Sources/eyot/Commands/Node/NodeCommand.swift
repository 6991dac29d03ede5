import ArgumentParser
import EyotContract
import EyotHTTP
import EyotServer

struct NodeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "node", abstract: "See which nodes push, and choose them.",
        discussion: """
            Several servers may share a database of PostgreSQL. Each answers all calls, and each pushes for a share of \
            the activities. The commands work on the database, which EYOT_DATABASE_URL names.
            """,
        subcommands: [NodeList.self, NodeDrain.self, NodeTake.self])
}

struct NodeList: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "List the nodes with their shards.")

    @OptionGroup(visibility: .hidden) var settings: SettingOptions

    @Flag(help: "Print the result as a JSON object.")
    var json = false

    func run() async throws {
        let nodes = try NodeTool(settings.configuration()).list().map(\.json)
        Output.list(
            .object(JSONObject([("nodes", .array(nodes))])), of: "nodes",
            columns: ["name", "state", "shards", "version", "startedAt", "seenAt", "id"], asJSON: json)
    }
}

struct NodeDrain: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "drain", abstract: "Make a node push nothing and go on answering calls.",
        discussion: """
            Its shards go to the other nodes within seconds. That holds until `eyot node take`, or until the node starts \
            again.
            """)

    @OptionGroup(visibility: .hidden) var settings: SettingOptions

    @Argument(help: "The node's name or id.")
    var name: String

    func run() async throws { try NodeTool(settings.configuration()).setDrained(true, name) }
}

struct NodeTake: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "take", abstract: "Make a drained node take its share again.")

    @OptionGroup(visibility: .hidden) var settings: SettingOptions

    @Argument(help: "The node's name or id.")
    var name: String

    func run() async throws { try NodeTool(settings.configuration()).setDrained(false, name) }
}
