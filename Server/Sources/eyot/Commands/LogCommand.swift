import ArgumentParser
import EyotLab

struct LogCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "log", abstract: "Show what happened to activities, cards and devices, newest first.",
        discussion: """
            eyot log --errors --activity final
            eyot log --user user-1 --type 'card.*'
            """)

    @Option(help: "Only events of this activity, in all of its generations.")
    var activity: String?

    @Option(help: "Only events of the devices of this user.")
    var user: String?

    @Option(help: "Only events of the device with this id.")
    var device: String?

    @Option(
        name: .customLong("type"),
        help:
            "Only these events, separated by commas, such as card.dismissed or card.*. docs/reference/api/events.md lists them."
    )
    var types: String?

    @Option(help: "Only events since this time, such as 2026-11-26T18:00:00Z.")
    var since: String?

    @Flag(help: "Only events in which something did not work.")
    var errors = false

    @OptionGroup var page: NewestFirstOptions
    @OptionGroup var server: ServerOptions

    func run() async throws {
        let conditions = [
            ("activity", activity), ("user", user), ("device", device), ("types", types), ("since", since),
            ("errors", errors ? "true" : nil),
        ]
        Output.list(
            try await server.call("GET", page.path("/v1/log", conditions)), of: "entries",
            columns: ["id", "at", "type", "activity", "ordinal", "device", "user", "version", "reason"],
            asJSON: server.json, goingOnBy: NewestFirstOptions.goOn)
    }
}
