import ArgumentParser
import EyotContract
import EyotServer

struct DatabaseVacuum: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "vacuum", abstract: "Give the free room in the database's file back to the disk.",
        discussion: """
            Stop the server first. The file is written anew, so the disk needs room for it a second time. \
            `eyot database size` prints how much of it is free.

            eyot database vacuum
            """)

    @OptionGroup(visibility: .hidden) var settings: SettingOptions

    @Flag(help: "Print the result as a JSON object.")
    var json = false

    func run() async throws {
        let (before, after) = try DatabaseFiles.vacuum(settings.configuration())
        Output.value(["bytesBefore": .integer(before), "bytes": .integer(after)], asJSON: json)
    }
}
