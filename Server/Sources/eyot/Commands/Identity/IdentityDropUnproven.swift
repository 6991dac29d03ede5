import ArgumentParser
import EyotContract
import EyotLab

struct IdentityDropUnproven: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "drop-unproven", abstract: "Take the users of phones away that did not prove them.",
        discussion: """
            Their private cards end. A phone gets its user back as soon as its app names and proves it. Use it after the mode \
            was turned to require, or after a key was removed.
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
