import ArgumentParser
import EyotContract
import EyotLab

struct AppPrivacy: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "privacy",
        abstract: "Say who may join activities, and under which names phones are believed.",
        discussion: """
            A tag or attribute that the backend has set is the backend's: what phones say under its name chooses nobody, unless the \
            name is open. The open names that are given take the place of all former ones.
            """)

    @Argument(help: "The app's bundle identifier.")
    var bundleID: String

    @Option(help: "public or private: whether any phone may join an activity of which nobody has said it.")
    var activities: String?

    @Option(name: .customLong("open-tag"), help: "A tag that phones may give themselves. May be repeated.")
    var openTags: [String] = []

    @Option(name: .customLong("open-attribute"), help: "An attribute that phones may set. May be repeated.")
    var openAttributes: [String] = []

    @Flag(help: "No name is open.")
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
