import ArgumentParser
import EyotServer

struct MasterKeyRotate: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "rotate", abstract: "Seal everything anew with another master key.",
        discussion: """
            The present key is the one that EYOT_MASTER_KEY, EYOT_MASTER_KEY_FILE or the file beside the database gives. \
            Afterwards start the server with EYOT_MASTER_KEY_FILE naming the new file. Where it was interrupted, it may be \
            run again.
            """)

    @Option(help: "The file with the new key; it is made where it is not there.")
    var to: String

    @Flag(help: "Print one object.")
    var json = false

    func run() async throws {
        let (resealed, id) = try MasterKeys.rotate(MasterKeyCommand.settings(), to: to)
        Output.value(["resealed": .integer(resealed), "masterKey": .string(id), "file": .string(to)], asJSON: json)
    }
}
