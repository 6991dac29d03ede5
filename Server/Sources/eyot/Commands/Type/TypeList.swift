import ArgumentParser
import EyotLab

struct TypeList: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "List the app's types, and since when they are halted.")

    @OptionGroup var page: PageOptions
    @OptionGroup var server: ServerOptions

    func run() async throws {
        Output.list(
            try await server.call("GET", page.path("/v1/types", [])), of: "types",
            columns: ["type", "schemas", "hasProfile", "isCounted", "haltedSince"], asJSON: server.json)
    }
}
