import ArgumentParser

struct DefinitionList: AsyncParsableCommand {
    static let configuration = CommandConfiguration(commandName: "list", abstract: "List the app's definitions.")

    @OptionGroup var page: PageOptions
    @OptionGroup var server: ServerOptions

    func run() async throws {
        Output.list(
            try await server.call("GET", page.path("/v1/definitions")), of: "definitions",
            columns: ["name", "changedAt"], asJSON: server.json)
    }
}
