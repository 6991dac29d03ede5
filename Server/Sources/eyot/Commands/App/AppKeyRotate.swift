import ArgumentParser
import EyotContract
import EyotLab

struct AppKeyRotate: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "rotate", abstract: "Make a new public key for the app's next version.",
        discussion: "Copies of the app that are in use register with the former key for as long as you say.")

    @Argument(help: "The app's bundle identifier.")
    var bundleID: String

    @Option(help: "Days for which the former key works on, at most 730; 0 ends it at once.")
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
