import ArgumentParser
import EyotLab

struct AppRemove: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "remove", abstract: "Remove an app with everything that belongs to it, for good.",
        discussion: """
            Needs the operator's key in EYOT_API_KEY. Its keys open nothing from that moment on; its devices, users and \
            activities are gone within minutes.
            """)

    @Argument(help: "The app's bundle identifier.")
    var bundleID: String

    @Flag(help: "Remove it although activities run. Their cards stay on the phones until iOS ends them, after hours.")
    var leaveCards = false

    @OptionGroup var server: ServerOptions

    func run() async throws {
        let query = leaveCards ? "?leaveCards=true" : ""
        _ = try await server.call("DELETE", APIClient.path("v1", "apps", bundleID) + query)
    }
}
