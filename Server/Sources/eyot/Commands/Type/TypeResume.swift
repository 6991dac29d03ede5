import ArgumentParser
import EyotLab

struct TypeResume: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "resume", abstract: "Send again for activities of a type that was halted.")

    @Argument(help: "The name of the ActivityAttributes type.")
    var type: String

    @OptionGroup var server: ServerOptions

    func run() async throws {
        Output.value(
            try await server.call("POST", APIClient.path("v1", "types", type, "resume")), asJSON: server.json)
    }
}
