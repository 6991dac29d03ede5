import ArgumentParser
import EyotLab

struct IdentityKeyRemove: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "key-remove", abstract: "Remove a public key, so that its signatures prove nothing.",
        discussion: "Users that the key has proven become unproven until their devices prove them again.")

    @Argument(help: "The key's name.")
    var id: String

    @OptionGroup var server: ServerOptions

    func run() async throws {
        _ = try await server.call("DELETE", APIClient.path("v1", "identity", "keys", id))
        Output.value(["id": .string(id), "state": "removed"], asJSON: server.json)
    }
}
