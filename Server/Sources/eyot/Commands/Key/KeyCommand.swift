import ArgumentParser

struct KeyCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "key", abstract: "Make, rotate and revoke keys for the server.",
        subcommands: [KeyCreate.self, KeyList.self, KeyRotate.self, KeyRevoke.self])
}
