import ArgumentParser
import EyotLab

struct DefinitionShow: AsyncParsableCommand {
    static let configuration = CommandConfiguration(commandName: "show", abstract: "Show a definition.")

    @Argument(help: "The definition's name.")
    var name: String

    @OptionGroup var server: ServerOptions

    func run() async throws {
        Output.value(try await server.call("GET", APIClient.path("v1", "definitions", name)), asJSON: server.json)
    }
}
