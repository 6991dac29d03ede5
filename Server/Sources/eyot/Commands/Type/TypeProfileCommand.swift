import ArgumentParser
import EyotContract
import EyotLab

struct TypeProfileCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "profile", abstract: "Show or change what cards of a type may spend of a phone's budgets.",
        discussion: "Without options it shows the profile; what is not named stays as it is.")

    @Argument(help: "The name of the ActivityAttributes type.")
    var type: String

    @Option(
        help: "Seconds between two updates of one card; faster ones are conflated. Alerts, ends and urgent ones go.")
    var updateSpacing: Int?

    @Option(help: "The same on phones that allow no frequent pushes.")
    var updateSpacingWithoutFrequentPushes: Int?

    @Option(help: "Remote starts that one phone may get within an hour.")
    var startsPerHour: Int?

    @Option(help: "Seconds that a state stays fresh when no declaration says it.")
    var staleAfter: Int?

    @OptionGroup var server: ServerOptions

    func run() async throws {
        let path = APIClient.path("v1", "types", type, "profile")
        let profile = try await server.call("GET", path)
        let changes = [
            ("updateSpacing", updateSpacing), ("startsPerHour", startsPerHour), ("staleAfter", staleAfter),
            ("updateSpacingWithoutFrequentPushes", updateSpacingWithoutFrequentPushes),
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
