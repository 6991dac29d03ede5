import ArgumentParser
import EyotLab

struct SchemaRemove: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "remove", abstract: "Take back the schema that a build has; the type itself is not concerned.")

    @Argument(help: "The name of the ActivityAttributes type.")
    var type: String

    @Option(help: "The version of the app; without it the schema of every build that has none of its own.")
    var build: String?

    @OptionGroup var server: ServerOptions

    func run() async throws {
        let path = APIClient.path("v1", "types", type, "schemas")
        _ = try await server.call("DELETE", build.map { APIClient.path("v1", "types", type, "schemas", $0) } ?? path)
        Output.value(["type": .string(type), "state": "removed"], asJSON: server.json)
    }
}
