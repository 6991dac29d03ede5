import ArgumentParser
import EyotLab

struct ActivityReplicas: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "replicas", abstract: "List the cards of an activity, with the phase and versions of each.")

    @Argument(help: "The activity's name.")
    var name: String

    @OptionGroup var page: PageOptions
    @OptionGroup var server: ServerOptions

    func run() async throws {
        Output.list(
            try await server.call("GET", page.path(APIClient.path("v1", "activities", name, "replicas"))),
            of: "replicas",
            columns: [
                "ordinal", "device", "user", "phase", "reason", "desired", "accepted", "isBehind", "locallyChanged",
                "death=death.reason", "blocked=blocked.reason",
            ],
            asJSON: server.json)
    }
}
