import ArgumentParser
import EyotContract
import EyotLab

struct AppPrivacy: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "privacy", abstract: "Set which activities devices may join, and which names they may set.",
        discussion: """
            Audiences ignore values that devices set under a name of the backend, unless the name is open. New \
            open names replace all former open names.

            eyot app privacy org.example.worldcup --activities public
            """)

    @Argument(help: "The app's bundle identifier.")
    var bundleID: String

    @Option(
        help: """
            public or private: whether any device may join activities that were declared neither public nor private.
            """)
    var activities: String?

    @Option(name: .customLong("open-tag"), help: "A tag that devices may set. Repeat it to add tags.")
    var openTags: [String] = []

    @Option(
        name: .customLong("open-attribute"), help: "An attribute that devices may set. Repeat it to add attributes.")
    var openAttributes: [String] = []

    @Flag(help: "Close all open names.")
    var closeNames = false

    @OptionGroup var server: ServerOptions

    private var opensNames: Bool { !(openTags + openAttributes).isEmpty }

    func validate() throws {
        guard activities != nil || opensNames || closeNames else {
            throw ValidationError("Say --activities, --open-tag, --open-attribute or --close-names.")
        }
        guard !(opensNames && closeNames) else {
            throw ValidationError("--close-names goes with no name that is open.")
        }
    }

    func run() async throws {
        var body = JSONObject([])
        body["activities"] = activities.map(JSONValue.string)
        if opensNames || closeNames {
            body["openNames"] = [
                "tags": .array(openTags.map(JSONValue.string)),
                "attributes": .array(openAttributes.map(JSONValue.string)),
            ]
        }
        Output.value(
            try await server.call("PUT", APIClient.path("v1", "apps", bundleID, "privacy"), body: .object(body)),
            asJSON: server.json)
    }
}
