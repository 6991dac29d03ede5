import ArgumentParser

struct KeyCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "key", abstract: "Make and revoke keys for the server.",
        subcommands: [KeyCreate.self, KeyList.self, KeyRevoke.self])
}
