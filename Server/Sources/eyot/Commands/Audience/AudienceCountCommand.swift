import ArgumentParser
import EyotContract
import EyotLab

struct AudienceCountCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "count", abstract: "Count an audience, and whom of it a start would give a card.",
        discussion: "Nothing is sent. Those who would get none are counted by the reason.")

    @OptionGroup var audience: AudienceOptions

    @Option(help: "The name of the ActivityAttributes type that would be started.")
    var type: String?

    @Option(help: "The activity that would be started: who has its card already gets no second one.")
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
