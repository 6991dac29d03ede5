import ArgumentParser
import EyotLab

struct InsightsPeople: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "people", abstract: "List the devices and users that an event happened to.",
        discussion: """
            The range is the last day unless it is given.

            eyot insights people card.dismissed
            eyot insights people push.refused --code BadDeviceToken
            """)

    @Argument(help: "The kind of the event, such as card.dismissed.")
    var type: String

    @Option(help: "Only events with this reason.")
    var code: String?

    @OptionGroup var range: RangeOptions
    @OptionGroup var page: PageOptions
    @OptionGroup var server: ServerOptions

    func run() async throws {
        let path = APIClient.path("v1", "insights", "events", type, "people")
        Output.list(
            try await server.call("GET", page.path(path, [("code", code)] + range.conditions)), of: "people",
            columns: ["device", "user", "count", "firstAt", "lastAt"], asJSON: server.json)
    }
}
