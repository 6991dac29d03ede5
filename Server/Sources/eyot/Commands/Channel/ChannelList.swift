import ArgumentParser

struct ChannelList: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "List the broadcast channels of the app, with the activity of each.")

    @OptionGroup var page: PageOptions
    @OptionGroup var server: ServerOptions

    func run() async throws {
        Output.list(
            try await server.call("GET", page.path("/v1/channels", [])), of: "channels",
            columns: ["id", "environment", "state", "channel", "activity", "generation", "acceptedVersion"],
            asJSON: server.json)
    }
}
