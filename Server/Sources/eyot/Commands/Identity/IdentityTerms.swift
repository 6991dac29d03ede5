import ArgumentParser
import EyotContract

struct IdentityTerms: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "terms", abstract: "Say what else a token has to be that proves a user.",
        discussion: "What is left out is as at first: any issuer, any audience, 366 days, and any number of phones.")

    @Option(help: "The token's iss.")
    var issuer: String?

    @Option(help: "The token's aud, or one of them.")
    var audience: String?

    @Option(help: "Seconds that a token's exp may lie ahead at most.")
    var longestSeconds: Int?

    @Flag(help: "A token proves nothing on a second phone.")
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
