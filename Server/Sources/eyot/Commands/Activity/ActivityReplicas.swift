import ArgumentParser
import EyotLab

struct ActivityReplicas: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "replicas", abstract: "List the cards of an activity, with the phase and versions of each.",
        discussion: """
            eyot activity replicas final --behind
            eyot activity replicas final --phase dead --reason Unregistered
            """)

    @Argument(help: "The activity's name.")
    var name: String

    @Option(help: "Only cards on phones of this user.")
    var user: String?

    @Option(help: "Only cards in this phase, such as live or dismissed.")
    var phase: String?

    @Flag(help: "Only cards that are behind and can be pushed to.")
    var behind = false

    @Option(help: "Only cards that were not started, or are refused by Apple, for this reason.")
    var reason: String?

    @Option(help: "Only cards on phones with this version of the app, such as \"1.4 (27)\".")
    var build: String?

    @Option(help: "Only cards on phones that reported this: the newest state, an older one, or unknown for no report.")
    var shown: String?

    @OptionGroup var page: PageOptions
    @OptionGroup var server: ServerOptions

    /// The conditions as a query.
    private var conditions: String {
        let chosen = [("user", user), ("phase", phase), ("reason", reason), ("build", build), ("shown", shown)]
        let texts = chosen.compactMap { name, value in value.map { "\(name)=\(APIClient.path($0).dropFirst())" } }
        return (texts + (behind ? ["behind=true"] : [])).joined(separator: "&")
    }

    func run() async throws {
        let path = page.path(APIClient.path("v1", "activities", name, "replicas"))
        let question = conditions.isEmpty ? "" : (path.contains("?") ? "&" : "?") + conditions
        Output.list(
            try await server.call("GET", path + question),
            of: "replicas",
            columns: [
                "ordinal", "device", "user", "phase", "reason", "desired", "accepted", "isBehind", "locallyChanged",
                "death=death.reason", "blocked=blocked.reason",
            ],
            asJSON: server.json)
    }
}
