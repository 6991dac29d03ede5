import ArgumentParser
import EyotLab

struct SegmentList: AsyncParsableCommand {
    static let configuration = CommandConfiguration(commandName: "list", abstract: "List the app's segments.")

    @OptionGroup var page: PageOptions
    @OptionGroup var server: ServerOptions

    func run() async throws {
        Output.list(
            try await server.call("GET", page.path("/v1/segments", [])), of: "segments",
            columns: ["name", "updatedAt"],
            asJSON: server.json)
    }
}
