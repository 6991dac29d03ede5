import ArgumentParser
import EyotLab

struct ActivityJoinSecretCreate: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "create", abstract: "Create the join secret of an activity and show it once.",
        discussion: """
            Your backend gives the secret to the app. The app passes it to the SDK: eyot.join(name, secret:). A former \
            secret stops working, but devices that have joined stay.
            """)

    @Argument(help: "The activity's name.")
    var name: String

    @OptionGroup var server: ServerOptions

    func run() async throws {
        Output.value(
            try await server.call("POST", APIClient.path("v1", "activities", name, "join-secret")), asJSON: server.json)
    }
}
