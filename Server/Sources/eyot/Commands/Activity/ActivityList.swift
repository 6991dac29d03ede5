import ArgumentParser
import EyotLab

struct ActivityList: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "List the activities of the app.",
        discussion: "eyot activity list --limit 50")

    @OptionGroup var page: PageOptions
    @OptionGroup var server: ServerOptions

    func run() async throws {
        Output.list(
            try await server.call("GET", page.path("/v1/activities")), of: "activities",
            columns: [
                "name", "type", "state", "generation", "version", "phases.live", "stateAge.now.behind",
                "stateAge.caughtUp.p99",
            ], asJSON: server.json)
    }
}
