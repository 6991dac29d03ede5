import ArgumentParser

struct AppList: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "List the apps that your key can read.")

    @OptionGroup var server: ServerOptions

    func run() async throws {
        Output.list(
            try await server.call("GET", "/v1/apps"), of: "apps",
            columns: [
                "bundleID", "name", "appKey", "sandboxPaused=pauses.sandbox.reason",
                "productionPaused=pauses.production.reason", "halted=haltedSince", "createdAt",
            ],
            asJSON: server.json)
    }
}
