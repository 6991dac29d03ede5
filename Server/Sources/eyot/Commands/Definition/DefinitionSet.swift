import ArgumentParser
import EyotLab

struct DefinitionSet: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "set", abstract: "Keep a definition under a name, in place of the one that had it.")

    @Argument(help: "The definition's name.")
    var name: String

    @Argument(
        help: "The definition as JSON, with parameters and declaration; @file reads a file, - standard input.",
        transform: JSONArgument.init(parsing:))
    var definition: JSONArgument

    @OptionGroup var server: ServerOptions

    func run() async throws {
        let path = APIClient.path("v1", "definitions", name)
        Output.value(try await server.call("PUT", path, body: definition.value), asJSON: server.json)
    }
}
