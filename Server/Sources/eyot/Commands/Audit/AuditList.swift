import ArgumentParser
import EyotLab

struct AuditList: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "List changes, newest first.",
        discussion: """
            Starts, updates and ends are not listed, except starts for all devices and calls that make an activity \
            public. Each operation names its key. With the operator's key and without --app it lists the operator's \
            own changes.
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
