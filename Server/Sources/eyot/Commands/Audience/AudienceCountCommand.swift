import ArgumentParser
import EyotContract
import EyotLab

struct AudienceCountCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "count", abstract: "Count the devices of an audience, and the cards that a start would give.",
        discussion: """
            Sends nothing. Devices that would get no card are counted by reason.

            eyot audience count --tag fans --type MatchAttributes
            """)

    @OptionGroup var audience: AudienceOptions

    @Option(help: "The name of the ActivityAttributes type to start.")
    var type: String?

    @Option(help: "The activity to start. Devices that already show its card get no second card.")
    var activity: String?

    @OptionGroup var server: ServerOptions

    func validate() throws {
        guard audience.value != nil else {
            throw ValidationError("Say the audience: --all, --tag, --user or --audience.")
        }
    }

    func run() async throws {
        var body = JSONObject([("audience", audience.value ?? .null)])
        body["type"] = type.map(JSONValue.string)
        body["activity"] = activity.map(JSONValue.string)
        Output.value(try await server.call("POST", "/v1/audiences/count", body: .object(body)), asJSON: server.json)
    }
}
