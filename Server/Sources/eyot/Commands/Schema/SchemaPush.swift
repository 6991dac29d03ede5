import ArgumentParser
import EyotContract
import EyotLab

struct SchemaPush: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "push", abstract: "Give the server the schema of a type: it refuses what phones could not decode.",
        discussion: "It says what the schema means beside the one that was pushed last.")

    @Argument(help: "The schema's file, as an app's unit test writes it.")
    var file: String

    @Option(help: "The name of the type, where it is another than the file's title.")
    var type: String?

    @Option(
        name: .customLong("build"),
        help: """
            A version of the app that has it, as its phones say it: "1.4 (27)". Several times for several; without it every build that \
            has none of its own.
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
