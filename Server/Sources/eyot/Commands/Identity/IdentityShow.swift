import ArgumentParser

struct IdentityShow: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "show", abstract: "Show what is asked of phones that name a user, and the keys that prove it.")

    @OptionGroup var server: ServerOptions

    func run() async throws { Output.value(try await server.call("GET", "/v1/identity"), asJSON: server.json) }
}
