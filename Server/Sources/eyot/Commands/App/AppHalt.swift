import ArgumentParser
import EyotLab

struct AppHalt: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "halt", abstract: "Send nothing any more for an app, until it is resumed.",
        discussion: "Declarations are taken meanwhile. What is on its way to Apple arrives.")

    @Argument(help: "The app's bundle identifier.")
    var bundleID: String

    @OptionGroup var server: ServerOptions

    func run() async throws {
        Output.value(
            try await server.call("POST", APIClient.path("v1", "apps", bundleID, "halt")), asJSON: server.json)
    }
}
