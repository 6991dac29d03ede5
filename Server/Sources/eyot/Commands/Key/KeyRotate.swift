import ArgumentParser
import EyotContract
import EyotLab

struct KeyRotate: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "rotate", abstract: "Make a key in the place of another one. It is shown this once.",
        discussion: "The old key opens what it did until the overlap is over.")

    @Argument(help: "The old key's id, as `eyot key list` shows it.")
    var id: String

    @Option(help: "Seconds for which both keys work, up to 30 days. (default: a day)")
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
