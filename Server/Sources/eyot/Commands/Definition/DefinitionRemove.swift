import ArgumentParser
import EyotLab

struct DefinitionRemove: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "remove", abstract: "Remove a definition; what was declared with it stays.")

    @Argument(help: "The definition's name.")
    var name: String

    @OptionGroup var server: ServerOptions

    func run() async throws {
        _ = try await server.call("DELETE", APIClient.path("v1", "definitions", name))
        Output.value(["name": .string(name), "state": "removed"], asJSON: server.json)
    }
}
