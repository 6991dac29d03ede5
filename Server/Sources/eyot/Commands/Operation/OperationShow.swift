import ArgumentParser
import EyotLab

struct OperationShow: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "show", abstract: "Show an operation: whether it is done, or superseded by a later one.")

    @Argument(help: "The id that the call answered.")
    var id: String

    @OptionGroup var server: ServerOptions

    func run() async throws {
        Output.value(try await server.call("GET", APIClient.path("v1", "operations", id)), asJSON: server.json)
    }
}
