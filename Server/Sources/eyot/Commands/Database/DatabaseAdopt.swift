import ArgumentParser
import EyotServer

struct DatabaseAdopt: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "adopt", abstract: "Make a restored database of PostgreSQL safe to serve with.",
        discussion: """
            Use it after pg_restore or a recovery to an earlier moment, before any server starts. Needs the master key \
            of the database. Every app begins halted, and the command prints what would be sent for it. Start the \
            servers, look, and send with `eyot app resume`. Starts that may have left since the backup are not repeated \
            while they may still arrive.

            eyot database adopt
            """)

    @OptionGroup(visibility: .hidden) var settings: SettingOptions

    @Flag(help: "Print the result as a JSON object.")
    var json = false

    func run() async throws { try AdoptDatabase(settings.configuration())().tell(asJSON: json) }
}
