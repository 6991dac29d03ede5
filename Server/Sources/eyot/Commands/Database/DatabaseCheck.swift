import ArgumentParser
import EyotContract
import EyotServer

struct DatabaseCheck: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "check", abstract: "Check a copy of the database, and change nothing.",
        discussion: """
            Reads all pages, indices and references. Prints the step of its schema and the ids of the master keys that \
            it needs. Exit code 1 means that the file is broken, newer than this program, or not Eyot's.

            eyot database check /var/backups/eyot/today.sqlite
            """)

    @Argument(help: "The file to check.")
    var file: String

    @Flag(help: "Print the result as a JSON object.")
    var json = false

    func run() async throws {
        let checked = try DatabaseFiles.check(file)
        guard checked.report.faults.isEmpty else {
            throw CommandFailure("\(file) is broken: \(checked.report.faults.joined(separator: "; "))")
        }
        Output.value(.object(checked.object(of: file)), asJSON: json)
    }
}
