import ArgumentParser
import EyotLab

struct IdentityKeyRemove: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "key-remove", abstract: "Remove a public key: what it signs proves nothing any more.",
        discussion: "Phones whose user was proven before stay that user's until they name another one.")

    @Argument(help: "Its name.")
    var id: String

    @OptionGroup var server: ServerOptions

    func run() async throws {
        _ = try await server.call("DELETE", APIClient.path("v1", "identity", "keys", id))
        Output.value(["id": .string(id), "state": "removed"], asJSON: server.json)
    }
}
