import ArgumentParser
import EyotContract
import EyotLab

struct UserSet: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "set", abstract: "Set the tags of a user.",
        discussion: """
            The tags replace all former tags. Without an option nothing changes.

            eyot user set user-1 --tag fans --tag vip
            """)

    @Argument(help: "The user's id in your own system.")
    var id: String

    @Option(help: "A tag. Repeat it to set several tags.")
    var tag: [String] = []

    @Flag(help: "Remove all tags.")
    var noTags = false

    @OptionGroup var server: ServerOptions

    func validate() throws {
        guard tag.isEmpty || !noTags else { throw ValidationError("Give --tag or --no-tags, not both.") }
    }

    func run() async throws {
        guard !tag.isEmpty || noTags else {
            let user = try await server.call("GET", APIClient.path("v1", "users", id))
            Output.err("Nothing was changed. Give --tag to set tags, or --no-tags to remove all.")
            return Output.value(user, asJSON: server.json)
        }
        let user = try await server.call(
            "PUT", APIClient.path("v1", "users", id), body: ["tags": .array(tag.map(JSONValue.string))])
        Output.value(user, asJSON: server.json)
    }
}
