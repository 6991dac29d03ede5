import ArgumentParser
import EyotLab

struct KeyRevoke: AsyncParsableCommand {
    static let configuration = CommandConfiguration(commandName: "revoke", abstract: "Revoke a key at once.")

    @Argument(help: "The key's id, as `eyot key list` shows it.")
    var id: String

    @OptionGroup var server: ServerOptions

    func run() async throws {
        _ = try await server.call("DELETE", APIClient.path("v1", "keys", id))
        Output.value(["id": .string(id), "state": "revoked"], asJSON: server.json)
    }
}
