import ArgumentParser
import EyotLab

struct SegmentShow: AsyncParsableCommand {
    static let configuration = CommandConfiguration(commandName: "show", abstract: "Show a segment's audience.")

    @Argument(help: "The segment's name.")
    var name: String

    @OptionGroup var server: ServerOptions

    func run() async throws {
        Output.value(try await server.call("GET", APIClient.path("v1", "segments", name)), asJSON: server.json)
    }
}
