import ArgumentParser
import EyotLab

struct ActivityHalt: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "halt", abstract: "Send nothing any more for an activity, until it is resumed.",
        discussion: "Declarations are taken meanwhile. What is on its way to Apple arrives.")

    @Argument(help: "The activity's name.")
    var name: String

    @OptionGroup var server: ServerOptions

    func run() async throws {
        Output.value(
            try await server.call("POST", APIClient.path("v1", "activities", name, "halt")), asJSON: server.json)
    }
}
