import ArgumentParser
import EyotLab

struct IdentityFailures: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "failures", abstract: "List devices that named a user without a valid proof, newest first.")

    @OptionGroup var page: NewestFirstOptions
    @OptionGroup var server: ServerOptions

    func run() async throws {
        Output.list(
            try await server.call("GET", page.path("/v1/identity/failures")), of: "failures",
            columns: ["number", "at", "device", "user", "reason", "isRefused"], asJSON: server.json,
            goingOnBy: NewestFirstOptions.goOn)
    }
}
