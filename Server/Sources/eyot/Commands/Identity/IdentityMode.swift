import ArgumentParser

struct IdentityMode: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "mode", abstract: "Say what becomes of phones that name a user and do not prove it.",
        discussion: "off takes their word, report takes it and lists them, require takes such a phone for nobody's.")

    @Argument(help: "off, report or require.")
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
