import ArgumentParser
import EyotLab

struct IdentityKeyRemove: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "key-remove", abstract: "Remove a public key: what it signs proves nothing any more.",
        discussion: "Users that it has proven are unproven until their phones prove them anew.")

    @Argument(help: "Its name.")
    var id: String

    @OptionGroup var server: ServerOptions

    func run() async throws {
        _ = try await server.call("DELETE", APIClient.path("v1", "identity", "keys", id))
        Output.value(["id": .string(id), "state": "removed"], asJSON: server.json)
    }
}
