import ArgumentParser

struct AppCreate: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "create", abstract: "Declare an app. Prints its two keys; the secret one is shown this once.",
        discussion: "Needs the operator's key in EYOT_API_KEY.")

    @Argument(help: "The app's bundle identifier.")
    var bundleID: String

    @Option(help: "A name for people. (default: the bundle identifier)")
    var name: String?

    @Flag(help: "Let any phone of the app join an activity of which nobody says whether it is public.")
    var publicActivities = false

    @OptionGroup var server: ServerOptions

    func run() async throws {
        let app = try await server.call(
            "POST", "/v1/apps",
            body: [
                "bundleID": .string(bundleID), "name": .string(name ?? bundleID),
                "activities": publicActivities ? "public" : "private",
            ])
        Output.value(app, asJSON: server.json)
    }
}
