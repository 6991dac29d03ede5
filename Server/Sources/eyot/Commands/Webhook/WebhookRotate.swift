import ArgumentParser
import EyotContract

struct WebhookRotate: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "rotate", abstract: "Give a webhook another secret and show it once.",
        discussion: """
            Messages carry the signatures of both secrets until the overlap ends.

            eyot webhook rotate 4 --overlap 3600
            """)

    @OptionGroup var webhook: WebhookOptions

    @Option(help: "Seconds for which the old secret still signs, 0 to 2592000 (30 days). (default: 86400, a day)")
    var overlap: Int?

    func run() async throws {
        try await webhook.call(
            "POST", "/rotate", body: .object(JSONObject(overlap.map { [("overlapSeconds", .integer($0))] } ?? [])))
    }
}
