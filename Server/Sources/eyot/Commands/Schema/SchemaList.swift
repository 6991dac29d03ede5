import ArgumentParser
import EyotLab

struct SchemaList: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "List the builds that have a schema of a type.",
        discussion: """
            The line without a build is the schema of all builds without a schema of their own. --json shows the \
            schemas.
            """)

    @Argument(help: "The name of the ActivityAttributes type.")
    var type: String

    @OptionGroup var server: ServerOptions

    func run() async throws {
        Output.list(
            try await server.call("GET", APIClient.path("v1", "types", type, "schemas")), of: "schemas",
            columns: ["build", "pushedAt"], asJSON: server.json)
    }
}
