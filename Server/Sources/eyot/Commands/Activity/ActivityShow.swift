import ArgumentParser
import EyotLab

struct ActivityShow: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "show", abstract: "Show an activity: its state, its cards by phase, and how far they are behind.",
        discussion: "eyot activity show final")

    @Argument(help: "The activity's name.")
    var name: String

    @OptionGroup var server: ServerOptions

    func run() async throws {
        Output.value(try await server.call("GET", APIClient.path("v1", "activities", name)), asJSON: server.json)
    }
}
