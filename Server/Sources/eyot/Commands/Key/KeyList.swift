import ArgumentParser

struct KeyList: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "List the app's keys, each by its first characters.")

    @OptionGroup var server: ServerOptions

    func run() async throws {
        Output.list(
            try await server.call("GET", "/v1/keys"), of: "keys",
            columns: [
                "id", "name", "hint", "app", "plane", "identifier", "scopes", "createdAt", "expiresAt", "lastUsedAt",
                "revokedAt",
            ], asJSON: server.json)
    }
}
