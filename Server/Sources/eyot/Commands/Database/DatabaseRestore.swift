import ArgumentParser
import EyotContract
import EyotServer

struct DatabaseRestore: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "restore", abstract: "Make a copy the database of a server that has none.",
        discussion: """
            Needs the master key of the copy, and a path in EYOT_DATABASE_URL where no file is. Every app begins \
            halted, and the command prints what would be sent for it. Start the server, look, and send with \
            `eyot app resume`. Starts that may have left after the copy was made are not repeated while they may still \
            arrive.

            eyot database restore /var/backups/eyot/today.sqlite
            """)

    @Argument(help: "The copy to restore.")
    var file: String

    @OptionGroup(visibility: .hidden) var settings: SettingOptions

    @Flag(help: "Print the result as a JSON object.")
    var json = false

    func run() async throws {
        let apps = try RestoreDatabase(settings.configuration())(from: file)
        Output.list(
            .object(JSONObject([("halted", .array(apps.map(\.json)))])), of: "halted",
            columns: ["bundleID", "activities", "cards", "behind", "unknownStarts", "plannedStarts"], asJSON: json)
        if !json { for app in apps { Output.err("\(app.bundleID) is halted: eyot app resume \(app.bundleID)") } }
    }
}

extension RestoreDatabase.Restored {
    fileprivate var json: JSONValue {
        [
            "bundleID": .string(bundleID), "activities": .integer(account.activities),
            "cards": .integer(account.cards), "behind": .integer(account.behind),
            "unknownStarts": .integer(account.unknownStarts), "plannedStarts": .integer(account.plannedStarts),
        ]
    }
}
