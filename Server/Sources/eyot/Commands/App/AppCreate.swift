import ArgumentParser

struct AppCreate: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "create", abstract: "Create an app, and show its public key and its secret key.",
        discussion: """
            Needs the operator's key in EYOT_API_KEY. The secret key is shown only once.

            eyot app create org.example.worldcup --name 'World Cup'
            """)

    @Argument(help: "The app's bundle identifier.")
    var bundleID: String

    @Option(help: "A display name. (default: the bundle identifier)")
    var name: String?

    @Flag(help: "Let any device of the app join activities that were declared neither public nor private.")
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
