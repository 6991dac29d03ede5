import ArgumentParser
import EyotContract
import EyotLab

struct TokenRestore: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "restore", abstract: "Use dead tokens and tokens that were set aside again.",
        discussion: """
            Cards get their newest state at once. A token that Apple refuses again is dead again.

            eyot token restore --activity final --reason Unregistered
            """)

    @Flag(help: "All tokens of the app.")
    var all = false

    @Option(help: "The tokens of the device with this id.")
    var device: String?

    @Option(help: "The update tokens of the cards of this activity.")
    var activity: String?

    @Option(help: "With --activity: only the token of the card with this ordinal.")
    var ordinal: Int?

    @Option(help: "Only tokens that Apple refused for this reason, for example Unregistered.")
    var reason: String?

    @OptionGroup var server: ServerOptions

    func validate() throws {
        guard [all, device != nil, activity != nil].count(where: \.self) == 1 else {
            throw ValidationError("Say which tokens are meant: --all, --device or --activity.")
        }
        guard ordinal == nil || activity != nil else { throw ValidationError("--ordinal needs --activity.") }
    }

    func run() async throws {
        var (updates, starts) = (0, 0)
        var next: JSONValue?
        repeat {
            let answer = try await server.call("POST", "/v1/tokens/restore", body: body(after: next))
            updates += answer.object?["updateTokens"]?.integer ?? 0
            starts += answer.object?["startTokens"]?.integer ?? 0
            next = answer.object?["next"]
        } while next != nil
        Output.value(["updateTokens": .integer(updates), "startTokens": .integer(starts)], asJSON: server.json)
    }

    private func body(after next: JSONValue?) -> JSONValue {
        var object = JSONObject([])
        if all { object["all"] = true }
        object["device"] = device.map(JSONValue.string)
        object["activity"] = activity.map(JSONValue.string)
        object["ordinal"] = ordinal.map(JSONValue.integer)
        object["reason"] = reason.map(JSONValue.string)
        object["after"] = next
        return .object(object)
    }
}
