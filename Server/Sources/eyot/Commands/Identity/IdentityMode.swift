import ArgumentParser

struct IdentityMode: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "mode", abstract: "Set the treatment of devices that name a user without a proof.",
        discussion: """
            off believes them. report believes them and lists them. require registers them without a user and lists \
            them.

            eyot identity mode report
            """)

    @Argument(help: "The mode: off, report or require.")
    var mode: String

    @OptionGroup var server: ServerOptions

    func validate() throws {
        guard ["off", "report", "require"].contains(mode) else {
            throw ValidationError("\"\(mode)\" is not off, report or require")
        }
    }

    func run() async throws {
        Output.value(
            try await server.call("PUT", "/v1/identity/mode", body: ["mode": .string(mode)]), asJSON: server.json)
    }
}
