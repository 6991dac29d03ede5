import ArgumentParser
import EyotLab

struct AuditAccess: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "access", abstract: "List reads of users' and devices' data, and refused calls, newest first.")

    @OptionGroup var page: NewestFirstOptions
    @OptionGroup var server: ServerOptions

    func run() async throws {
        Output.list(
            try await server.call("GET", page.path("/v1/audit/access")), of: "entries",
            columns: [
                "number", "at", "kind", "key", "hint", "method", "route", "subject", "status", "repeated", "address",
            ],
            asJSON: server.json, goingOnBy: NewestFirstOptions.goOn)
    }
}
