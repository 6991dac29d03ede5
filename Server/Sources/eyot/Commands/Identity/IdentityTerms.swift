import ArgumentParser
import EyotContract

struct IdentityTerms: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "terms", abstract: "Set further conditions for tokens that prove a user.",
        discussion: """
            Each option that is left out returns to its default: any issuer, any audience, 366 days, and any number of \
            devices.
            """)

    @Option(help: "The required iss of the token.")
    var issuer: String?

    @Option(help: "The required aud of the token, or a member of its list.")
    var audience: String?

    @Option(help: "The most seconds that the token's exp may lie ahead.")
    var longestSeconds: Int?

    @Flag(help: "Reject a token that a second device shows.")
    var oneDevice = false

    @OptionGroup var server: ServerOptions

    func run() async throws {
        var body = JSONObject([("oneDevice", .bool(oneDevice))])
        body["issuer"] = issuer.map(JSONValue.string)
        body["audience"] = audience.map(JSONValue.string)
        body["longestSeconds"] = longestSeconds.map { .integer($0) }
        Output.value(
            try await server.call("PUT", "/v1/identity/terms", body: .object(body)), asJSON: server.json)
    }
}
