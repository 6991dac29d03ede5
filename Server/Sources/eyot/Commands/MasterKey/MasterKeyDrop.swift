import ArgumentParser
import EyotContract
import EyotServer

struct MasterKeyDrop: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "drop", abstract: "Remove APNs keys that the master key cannot decrypt.",
        discussion: """
            Use it if the master key is lost. Then store the keys again with `eyot app apns-key set`. Webhooks with a \
            secret that the master key cannot decrypt are disabled: `eyot webhook rotate` gives them another one. \
            Everything else stays.

            eyot master-key drop --yes
            """)

    @Flag(help: "Confirm the removal, which cannot be undone.")
    var yes = false

    @OptionGroup(visibility: .hidden) var settings: SettingOptions

    @Flag(help: "Print the result as a JSON object.")
    var json = false

    func validate() throws {
        guard yes else { throw ValidationError("Keys that do not open are removed for good: say --yes.") }
    }

    func run() async throws {
        let dropped = try MasterKeys.drop(settings.configuration())
        Output.list(
            [
                "dropped": .array(
                    dropped.map { ["bundleID": .string($0.bundleID), "environment": .string($0.environment)] })
            ], of: "dropped", columns: ["bundleID", "environment"], asJSON: json)
    }
}
