import ArgumentParser
import EyotLab

struct IdentityFailures: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "failures", abstract: "List phones that named a user and did not prove it, newest first.")

    @Option(help: "How many to list at most.")
    var limit: Int?

    @Option(help: "Go on before this one, as the list before said.")
    var before: String?

    @OptionGroup var server: ServerOptions

    func run() async throws {
        let query = [limit.map { "limit=\($0)" }, before.map { "before=\(APIClient.path($0).dropFirst())" }]
            .compactMap(\.self).joined(separator: "&")
        Output.list(
            try await server.call("GET", "/v1/identity/failures" + (query.isEmpty ? "" : "?\(query)")), of: "failures",
            columns: ["number", "at", "device", "user", "reason", "isRefused"], asJSON: server.json)
    }
}
