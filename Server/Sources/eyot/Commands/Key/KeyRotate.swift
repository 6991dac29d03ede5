import ArgumentParser
import EyotContract
import EyotLab

struct KeyRotate: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "rotate", abstract: "Create a key that replaces another key, and show it once.",
        discussion: """
            The old key works until the overlap ends.

            eyot key rotate 4 --overlap 3600
            """)

    @Argument(help: "The old key's id, as `eyot key list` shows it.")
    var id: String

    @Option(help: "Seconds for which both keys work, 0 to 2592000 (30 days). (default: 86400, a day)")
    var overlap: Int?

    @OptionGroup var server: ServerOptions

    func run() async throws {
        Output.value(
            try await server.call(
                "POST", APIClient.path("v1", "keys", id) + "/rotate",
                body: .object(JSONObject(overlap.map { [("overlapSeconds", .integer($0))] } ?? []))),
            asJSON: server.json)
    }
}
