import ArgumentParser
import EyotServer

struct MasterKeyRotate: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "rotate", abstract: "Encrypt all sealed keys again with another master key.",
        discussion: """
            The present key comes from EYOT_MASTER_KEY, EYOT_MASTER_KEY_FILE or the file beside the database. \
            Afterwards set EYOT_MASTER_KEY_FILE to the new file and start the server. An interrupted rotation can be \
            run again.

            eyot master-key rotate --to new-master.key
            """)

    @Option(help: "The file with the new key. It is created if it does not exist.")
    var to: String

    @OptionGroup(visibility: .hidden) var settings: SettingOptions

    @Flag(help: "Print the result as a JSON object.")
    var json = false

    func run() async throws {
        let (resealed, id) = try MasterKeys.rotate(settings.configuration(), to: to)
        Output.value(["resealed": .integer(resealed), "masterKey": .string(id), "file": .string(to)], asJSON: json)
    }
}
