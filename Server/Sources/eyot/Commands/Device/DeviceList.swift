import ArgumentParser

struct DeviceList: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "List the devices of the app; tokens are shown shortened.")

    @Option(help: "Only those of this person.")
    var user: String?

    @Option(help: "Only those of people with this tag.")
    var tag: String?

    @OptionGroup var page: PageOptions
    @OptionGroup var server: ServerOptions

    func run() async throws {
        Output.list(
            try await server.call("GET", page.path("/v1/devices", [("user", user), ("tag", tag)])), of: "devices",
            columns: ["id", "user", "environment", "osVersion", "appVersion", "seenAt"], asJSON: server.json)
    }
}
