import ArgumentParser
import EyotContract

struct WebhookChange: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "change", abstract: "Change the name, the URL or the kinds of events of a webhook.",
        discussion: "eyot webhook change 4 --type 'card.*'")

    @OptionGroup var webhook: WebhookOptions

    @Option(help: "A name for people.")
    var name: String?

    @Option(name: .customLong("receiver"), help: "The URL that events are posted to.")
    var url: String?

    @Option(help: "A kind of event, such as card.dismissed or card.*. Repeat it to add kinds. They replace all kinds.")
    var type: [String] = []

    func run() async throws {
        var body = JSONObject()
        body["name"] = name.map(JSONValue.string)
        body["url"] = url.map(JSONValue.string)
        if !type.isEmpty { body["types"] = .array(type.map(JSONValue.string)) }
        try await webhook.call("PATCH", body: .object(body))
    }
}
