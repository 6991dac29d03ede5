import ArgumentParser
import EyotContract
import EyotDomain

struct WebhookCreate: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "create", abstract: "Create a webhook and show its secret once.",
        discussion: """
            eyot webhook create https://hooks.example.org/eyot --type 'activity.*' --type card.dismissed
            """)

    @Argument(help: "The URL that events are posted to.")
    var url: String

    @Option(help: "A name for people. (default: the host of the URL)")
    var name: String?

    @Option(
        help: """
            A kind of event, such as card.dismissed or card.*. Repeat it to add kinds. (default: \
            \(Webhook.usualTypes.joined(separator: ", ")))
            """)
    var type: [String] = []

    @Option(help: "The vendor in whose form events are sent, such as braze. (default: Eyot's own form)")
    var vendor: String?

    @Flag(help: "Sign with a key of which the receiver has only the public part (v1a).")
    var asymmetric = false

    @OptionGroup var server: ServerOptions

    func run() async throws {
        var body = JSONObject([("url", .string(url))])
        body["name"] = name.map(JSONValue.string)
        if !type.isEmpty { body["types"] = .array(type.map(JSONValue.string)) }
        body["vendor"] = vendor.map(JSONValue.string)
        if asymmetric { body["signature"] = "v1a" }
        Output.value(try await server.call("POST", "/v1/webhooks", body: .object(body)), asJSON: server.json)
    }
}
