import ArgumentParser

struct IdentityShow: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "show", abstract: "Show the mode, the keys and the terms for proofs of users.")

    @OptionGroup var server: ServerOptions

    func run() async throws { Output.value(try await server.call("GET", "/v1/identity"), asJSON: server.json) }
}
