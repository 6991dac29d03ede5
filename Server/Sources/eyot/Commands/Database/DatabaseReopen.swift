import ArgumentParser
import EyotContract
import EyotServer

struct DatabaseReopen: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "reopen", abstract: "Use a database again that was moved away.",
        discussion: """
            Removes the mark that `eyot database copy` has left in the database of EYOT_DATABASE_URL. What the copy has \
            accepted meanwhile is not in it, so use it only if that is nothing. Stop the servers of the copy first. The \
            apps stay halted until `eyot app resume`.

            eyot database reopen
            """)

    @OptionGroup(visibility: .hidden) var settings: SettingOptions

    @Flag(help: "Print the result as a JSON object.")
    var json = false

    func run() async throws {
        guard let mark = try ReopenDatabase(settings.configuration())() else {
            return Output.value(["reopened": false], asJSON: json)
        }
        Output.value(["reopened": true, "movedTo": .string(mark.place)], asJSON: json)
        if !json { Output.err("Every app is halted: eyot app resume") }
    }
}
