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
        try RestoreDatabase(settings.configuration())(from: file).tell(asJSON: json)
    }
}

extension [RestoredApp] {
    /// Prints what is due in each app, and how it is resumed.
    func tell(asJSON isJSON: Bool) {
        Output.list(
            .object(JSONObject([("halted", .array(map(\.json)))])), of: "halted",
            columns: ["bundleID", "activities", "cards", "behind", "unknownStarts", "plannedStarts"], asJSON: isJSON)
        if !isJSON { for app in self { Output.err("\(app.bundleID) is halted: eyot app resume \(app.bundleID)") } }
    }
}

extension RestoredApp {
    fileprivate var json: JSONValue {
        [
            "bundleID": .string(bundleID), "activities": .integer(account.activities),
            "cards": .integer(account.cards), "behind": .integer(account.behind),
            "unknownStarts": .integer(account.unknownStarts), "plannedStarts": .integer(account.plannedStarts),
        ]
    }
}
