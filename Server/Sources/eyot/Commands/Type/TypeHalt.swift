import ArgumentParser
import EyotLab

struct TypeHalt: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "halt", abstract: "Send nothing any more for activities of a type, until it is resumed.",
        discussion: "Declarations are taken meanwhile. What is on its way to Apple arrives.")

    @Argument(help: "The name of the ActivityAttributes type.")
    var type: String

    @OptionGroup var server: ServerOptions

    func run() async throws {
        Output.value(
            try await server.call("POST", APIClient.path("v1", "types", type, "halt")), asJSON: server.json)
    }
}
