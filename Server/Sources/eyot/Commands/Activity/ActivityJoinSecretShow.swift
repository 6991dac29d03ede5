import ArgumentParser
import EyotLab

struct ActivityJoinSecretShow: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "show", abstract: "Show whether an activity has a join secret, and since when.")

    @Argument(help: "The activity's name.")
    var name: String

    @OptionGroup var server: ServerOptions

    func run() async throws {
        Output.value(
            try await server.call("GET", APIClient.path("v1", "activities", name, "join-secret")), asJSON: server.json)
    }
}
