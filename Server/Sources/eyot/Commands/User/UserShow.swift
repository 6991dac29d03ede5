import ArgumentParser
import EyotLab

struct UserShow: AsyncParsableCommand {
    static let configuration = CommandConfiguration(commandName: "show", abstract: "Show the tags of a user.")

    @Argument(help: "The user's id in your own system.")
    var id: String

    @OptionGroup var server: ServerOptions

    func run() async throws {
        Output.value(try await server.call("GET", APIClient.path("v1", "users", id)), asJSON: server.json)
    }
}
