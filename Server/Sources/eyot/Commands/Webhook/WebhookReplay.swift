import ArgumentParser
import EyotContract

struct WebhookReplay: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "replay", abstract: "Deliver the events of a range again.",
        discussion: """
            An event that was delivered before has the same message id, by which a receiver can tell.

            eyot webhook replay 4 --since 2026-11-26T18:00:00Z --until 2026-11-26T19:00:00Z
            """)

    @OptionGroup var webhook: WebhookOptions

    @Option(help: "Begin after the event with this id. This or --since is needed.")
    var after: String?

    @Option(help: "End before the event with this id.")
    var before: String?

    @Option(help: "Begin with this time.")
    var since: String?

    @Option(help: "End before this time.")
    var until: String?

    func run() async throws {
        var body = JSONObject()
        let range = [("after", after), ("before", before), ("since", since), ("until", until)]
        for (name, value) in range { body[name] = value.map(JSONValue.string) }
        try await webhook.call("POST", "/replay", body: .object(body))
    }
}
