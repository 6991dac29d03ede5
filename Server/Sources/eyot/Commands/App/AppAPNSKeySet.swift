import APNSSender
import ArgumentParser
import EyotContract
import EyotLab

struct AppAPNSKeySet: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "set", abstract: "Set the APNs key of an app for one environment or both.",
        discussion: "The command checks the key before it sends it. The server stores it encrypted.")

    @Argument(help: "The app's bundle identifier.")
    var bundleID: String

    @OptionGroup var key: KeyFileOptions

    @Option(help: "sandbox or production. (default: both)")
    var environment: EnvironmentOption?

    @OptionGroup var server: ServerOptions

    func run() async throws {
        let file = try key.read()
        // Checked here first, because the local error describes the file better than the server's.
        _ = try file.providerKey()
        for environment in environment.map({ [$0.environment] }) ?? PushEnvironment.allCases {
            let stored = try await server.call(
                "PUT", APIClient.path("v1", "apps", bundleID, "apns-keys", environment.rawValue),
                body: [
                    "teamID": .string(file.teamID), "keyID": .string(file.keyID),
                    "privateKey": .string(String(decoding: file.bytes, as: UTF8.self)),
                ])
            Output.value(stored, asJSON: server.json)
        }
    }
}
