import ArgumentParser
import EyotLab

struct DefinitionRemove: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "remove", abstract: "Remove a definition.",
        discussion: "Declarations that were made with it stay.")

    @Argument(help: "The definition's name.")
    var name: String

    @OptionGroup var server: ServerOptions

    func run() async throws {
        _ = try await server.call("DELETE", APIClient.path("v1", "definitions", name))
        Output.value(["name": .string(name), "state": "removed"], asJSON: server.json)
    }
}
