import ArgumentParser
import EyotContract
import EyotLab

struct IdentityDropUnproven: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "drop-unproven", abstract: "Remove unproven users from their devices.",
        discussion: """
            Private cards of these devices end. A device gets its user back when its app names and proves the user. \
            Use the command after a change to mode require, or after the removal of a key.
            """)

    @OptionGroup var server: ServerOptions

    func run() async throws {
        var dropped = 0
        var next: JSONValue?
        repeat {
            var body = JSONObject([])
            body["after"] = next
            let answer = try await server.call("POST", "/v1/identity/drop-unproven", body: .object(body))
            dropped += answer.object?["dropped"]?.integer ?? 0
            next = answer.object?["next"]
        } while next != nil
        Output.value(["dropped": .integer(dropped)], asJSON: server.json)
    }
}
