import ArgumentParser
import EyotLab

struct ActivityJoinSecretCreate: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "create", abstract: "Make an activity's join secret, which is shown once.",
        discussion: """
            Your backend gives it to the app, which hands it to the SDK: eyot.join(name, secret:). The one before opens nothing any \
            more; who has joined stays.
            """)

    @Argument(help: "The activity's name.")
    var name: String

    @OptionGroup var server: ServerOptions

    func run() async throws {
        Output.value(
            try await server.call("POST", APIClient.path("v1", "activities", name, "join-secret")), asJSON: server.json)
    }
}
