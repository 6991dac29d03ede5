import ArgumentParser

struct MasterKeyCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "master-key", abstract: "Change the master key that encrypts APNs keys in the database.",
        discussion: """
            Works on the database in EYOT_DATABASE_URL. The options, variables and file of `eyot serve` hold here, too. \
            Stop the server first.
            """,
        subcommands: [MasterKeyRotate.self, MasterKeyDrop.self])
}
