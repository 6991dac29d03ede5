import ArgumentParser
import EyotContract
import EyotLab

struct TypeProfileCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "profile", abstract: "Show or change how much of a device's budgets cards of a type use.",
        discussion: """
            Without options the command shows the profile. Values without an option stay the same.

            eyot type profile MatchAttributes --update-spacing 5 --starts-per-hour 20
            """)

    @Argument(help: "The name of the ActivityAttributes type.")
    var type: String

    @Option(
        help: """
            Seconds between two updates of a card, 0 to 3600. Faster states are conflated. Alerts, ends and urgent \
            states do not wait.
            """)
    var updateSpacing: Int?

    @Option(help: "The same for devices that do not allow frequent pushes.")
    var updateSpacingWithoutFrequentPushes: Int?

    @Option(help: "The most remote starts of a device within an hour.")
    var startsPerHour: Int?

    @Option(
        help: """
            Seconds of a device's silence after which a start without a card is made again, 0 for never. The default \
            is 28800.
            """)
    var restartAfter: Int?

    @Option(help: "Seconds until a state is stale if no declaration sets a stale date.")
    var staleAfter: Int?

    @OptionGroup var server: ServerOptions

    func run() async throws {
        let path = APIClient.path("v1", "types", type, "profile")
        let profile = try await server.call("GET", path)
        let changes = [
            ("updateSpacing", updateSpacing), ("startsPerHour", startsPerHour), ("staleAfter", staleAfter),
            ("updateSpacingWithoutFrequentPushes", updateSpacingWithoutFrequentPushes), ("restartAfter", restartAfter),
        ]
        guard changes.contains(where: { $0.1 != nil }) else { return Output.value(profile, asJSON: server.json) }
        var body = JSONObject((profile.object?.members ?? []).filter { $0.name != "type" }.map { ($0.name, $0.value) })
        // A spacing that was the same for all phones stays the same for all.
        if updateSpacingWithoutFrequentPushes == nil, body["updateSpacing"] == body[changes[3].0] {
            body[changes[3].0] = nil
        }
        for (name, number) in changes { if let number { body[name] = .integer(number) } }
        Output.value(try await server.call("PUT", path, body: .object(body)), asJSON: server.json)
    }
}
