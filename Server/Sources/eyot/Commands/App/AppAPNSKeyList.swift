import ArgumentParser
import EyotLab

struct AppAPNSKeyList: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "List the APNs keys of an app, without their private parts.")

    @Argument(help: "The app's bundle identifier.")
    var bundleID: String

    @OptionGroup var server: ServerOptions

    func run() async throws {
        Output.list(
            try await server.call("GET", APIClient.path("v1", "apps", bundleID, "apns-keys")), of: "apnsKeys",
            columns: ["environment", "teamID", "keyID", "addedAt"], asJSON: server.json)
    }
}
