import ArgumentParser
import EyotLab

struct AppRemove: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "remove", abstract: "Remove an app and all its data for good.",
        discussion: """
            Needs the operator's key in EYOT_API_KEY. The app's keys stop working at once. Its devices, users and \
            activities are removed within minutes.
            """)

    @Argument(help: "The app's bundle identifier.")
    var bundleID: String

    @Flag(help: "Remove the app even if activities run. iOS ends their cards after some hours.")
    var leaveCards = false

    @OptionGroup var server: ServerOptions

    func run() async throws {
        let query = leaveCards ? "?leaveCards=true" : ""
        _ = try await server.call("DELETE", APIClient.path("v1", "apps", bundleID) + query)
    }
}
