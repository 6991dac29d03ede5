import ArgumentParser
import EyotContract
import EyotLab

struct AppRename: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "rename", abstract: "Change the display name of an app.",
        discussion: "The bundle identifier stays.")

    @Argument(help: "The app's bundle identifier.")
    var bundleID: String

    @Argument(help: "The new display name.")
    var name: String

    @OptionGroup var server: ServerOptions

    func run() async throws {
        Output.value(
            try await server.call(
                "PATCH", APIClient.path("v1", "apps", bundleID), body: ["name": .string(name)]), asJSON: server.json)
    }
}
