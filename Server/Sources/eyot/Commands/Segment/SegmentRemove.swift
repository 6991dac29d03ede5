import ArgumentParser
import EyotLab

struct SegmentRemove: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "remove", abstract: "Remove a segment.",
        discussion: "Starts and updates that were accepted for the segment stay.")

    @Argument(help: "The segment's name.")
    var name: String

    @OptionGroup var server: ServerOptions

    func run() async throws {
        _ = try await server.call("DELETE", APIClient.path("v1", "segments", name))
        Output.value(["name": .string(name), "state": "removed"], asJSON: server.json)
    }
}
