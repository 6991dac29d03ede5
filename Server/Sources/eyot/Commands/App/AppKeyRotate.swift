import ArgumentParser
import EyotContract
import EyotLab

struct AppKeyRotate: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "rotate", abstract: "Create a new public key for the app's next version.",
        discussion: "Installed copies of the app register with the former key until the overlap ends.")

    @Argument(help: "The app's bundle identifier.")
    var bundleID: String

    @Option(help: "Days for which the former key still works, 0 to 730. 0 ends it at once.")
    var overlapDays = 180

    @OptionGroup var server: ServerOptions

    func run() async throws {
        Output.value(
            try await server.call(
                "POST", APIClient.path("v1", "apps", bundleID, "app-key", "rotate"),
                body: ["overlapSeconds": .integer(overlapDays * 86_400)]), asJSON: server.json)
    }

    func validate() throws {
        guard (0...730).contains(overlapDays) else {
            throw ValidationError("--overlap-days must lie between 0 and 730.")
        }
    }
}
