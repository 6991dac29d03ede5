import ArgumentParser
import EyotLab

struct DefinitionSet: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "set", abstract: "Save a definition under a name, and replace a definition of the same name.",
        discussion: "eyot definition set goal @goal.json")

    @Argument(help: "The definition's name.")
    var name: String

    @Argument(
        help: "The definition as JSON, with parameters and declaration. @file reads a file, - reads standard input.",
        transform: JSONArgument.init(parsing:))
    var definition: JSONArgument

    @OptionGroup var server: ServerOptions

    func run() async throws {
        let path = APIClient.path("v1", "definitions", name)
        Output.value(try await server.call("PUT", path, body: definition.value), asJSON: server.json)
    }
}
