import ArgumentParser
import EyotLab

struct AuditList: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "List changes, newest first.",
        discussion: """
            Starts, updates and ends are not among them: their operations say which key made them. With the operator's \
            key and without --app it lists the operator's own.
            """)

    @OptionGroup var page: NewestFirstOptions
    @OptionGroup var server: ServerOptions

    func run() async throws {
        Output.list(
            try await server.call("GET", page.path("/v1/audit")), of: "changes",
            columns: ["number", "at", "key", "hint", "method", "route", "subject", "status", "address"],
            asJSON: server.json, goingOnBy: NewestFirstOptions.goOn)
    }
}
