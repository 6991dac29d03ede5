import ArgumentParser
import EyotLab

struct SchemaList: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "List the builds for which a type's schema was pushed.",
        discussion:
            "The line without a build is that of every build that has none of its own. --json shows the schemas.")

    @Argument(help: "The name of the ActivityAttributes type.")
    var type: String

    @OptionGroup var server: ServerOptions

    func run() async throws {
        Output.list(
            try await server.call("GET", APIClient.path("v1", "types", type, "schemas")), of: "schemas",
            columns: ["build", "pushedAt"], asJSON: server.json)
    }
}
