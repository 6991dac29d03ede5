import ArgumentParser

struct KeyCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "key", abstract: "Create, list, rotate and revoke API keys.",
        subcommands: [KeyCreate.self, KeyList.self, KeyRotate.self, KeyRevoke.self])
}
