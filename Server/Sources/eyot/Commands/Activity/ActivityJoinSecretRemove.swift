import ArgumentParser
import EyotLab

struct ActivityJoinSecretRemove: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "remove", abstract: "Remove the join secret of an activity.",
        discussion: "Devices that have joined stay.")

    @Argument(help: "The activity's name.")
    var name: String

    @OptionGroup var server: ServerOptions

    func run() async throws {
        _ = try await server.call("DELETE", APIClient.path("v1", "activities", name, "join-secret"))
        Output.value(["name": .string(name), "state": "removed"], asJSON: server.json)
    }
}
