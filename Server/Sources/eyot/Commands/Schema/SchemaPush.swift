import ArgumentParser
import EyotContract
import EyotLab

struct SchemaPush: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "push", abstract: "Store the schema of a type on the server.",
        discussion: """
            The server then refuses states that phones could not decode. The answer compares the schema with the \
            schema that was stored last.

            eyot schema push MatchAttributes.json --build '1.4 (27)'
            """)

    @Argument(help: "The schema file, as the app's unit test writes it.")
    var file: String

    @Option(help: "The name of the type. (default: the title in the file)")
    var type: String?

    @Option(
        name: .customLong("build"),
        help: """
            A build of the app that has the schema, for example "1.4 (27)". Repeat it to add builds. (default: all \
            builds without a schema of their own)
            """)
    var builds: [String] = []

    @OptionGroup var server: ServerOptions

    func run() async throws {
        let schema = try ActivitySchema(file: file, type: type)
        let answer = try await server.call(
            "PUT", APIClient.path("v1", "types", schema.type, "schemas"),
            body: ["schema": schema.json, "builds": .array(builds.map(JSONValue.string))])
        Output.value(answer, asJSON: server.json)
    }
}
