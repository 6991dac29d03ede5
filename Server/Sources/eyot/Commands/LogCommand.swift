import ArgumentParser
import EyotContract
import EyotLab

struct LogCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "log", abstract: "Show what happened to activities, cards and devices, newest first.",
        discussion: """
            With --follow it prints each event as it happens, until Ctrl-C ends it. With --json too, each line is an \
            event.

            eyot log --errors --activity final
            eyot log --user user-1 --type 'card.*'
            eyot log --follow --errors
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

    @Flag(help: "Print events as they happen, from now on.")
    var follow = false

    @OptionGroup var page: NewestFirstOptions
    @OptionGroup var server: ServerOptions

    func validate() throws {
        if follow, since != nil || page.limit != nil || page.before != nil {
            throw ValidationError("--follow prints events from now on. Leave out --since, --limit and --before.")
        }
    }

    func run() async throws {
        let conditions = [
            ("activity", activity), ("user", user), ("device", device), ("types", types), ("since", since),
            ("errors", errors ? "true" : nil),
        ]
        guard !follow else {
            return try await LogFollower(server: server, path: page.path("/v1/events", conditions)).run()
        }
        Output.list(
            try await server.call("GET", page.path("/v1/log", conditions)), of: "entries",
            columns: ["id", "at", "type", "activity", "ordinal", "device", "user", "version", "reason"],
            asJSON: server.json, goingOnBy: NewestFirstOptions.goOn)
    }
}
