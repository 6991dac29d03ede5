import ArgumentParser
import EyotLab

struct ActivityResume: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "resume", abstract: "Send again for an activity that was halted: its newest state.")

    @Argument(help: "The activity's name.")
    var name: String

    @OptionGroup var server: ServerOptions

    func run() async throws {
        Output.value(
            try await server.call("POST", APIClient.path("v1", "activities", name, "resume")), asJSON: server.json)
    }
}
