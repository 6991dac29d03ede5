import ArgumentParser
import EyotLab

struct SchemaRemove: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "remove", abstract: "Remove a schema from the server. The type stays.")

    @Argument(help: "The name of the ActivityAttributes type.")
    var type: String

    @Option(help: "The build of the app. (default: the schema of all builds without a schema of their own)")
    var build: String?

    @OptionGroup var server: ServerOptions

    func run() async throws {
        let path = APIClient.path("v1", "types", type, "schemas")
        _ = try await server.call("DELETE", build.map { APIClient.path("v1", "types", type, "schemas", $0) } ?? path)
        Output.value(["type": .string(type), "state": "removed"], asJSON: server.json)
    }
}
