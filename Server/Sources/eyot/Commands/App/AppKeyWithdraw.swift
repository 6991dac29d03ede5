import ArgumentParser
import EyotLab

struct AppKeyWithdraw: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "withdraw", abstract: "End all former public keys of the app at once.",
        discussion: "Registered devices keep working, because they have secrets of their own.")

    @Argument(help: "The app's bundle identifier.")
    var bundleID: String

    @OptionGroup var server: ServerOptions

    func run() async throws {
        _ = try await server.call("DELETE", APIClient.path("v1", "apps", bundleID, "app-key", "former"))
    }
}
