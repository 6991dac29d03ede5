import ArgumentParser
import EyotContract
import EyotLab

struct UserSet: AsyncParsableCommand {
    static let configuration = CommandConfiguration(commandName: "set", abstract: "Set a person's tags.")

    @Argument(help: "The person's id in your own system.")
    var id: String

    @Option(help: "A tag; several times for several. Those that are not named are removed.")
    var tag: [String] = []

    @OptionGroup var server: ServerOptions

    func run() async throws {
        let user = try await server.call(
            "PUT", APIClient.path("v1", "users", id), body: ["tags": .array(tag.map(JSONValue.string))])
        Output.value(user, asJSON: server.json)
    }
}
