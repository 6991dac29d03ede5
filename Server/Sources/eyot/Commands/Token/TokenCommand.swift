import ArgumentParser

struct TokenCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "token", abstract: "Bring back tokens that Apple refused.", subcommands: [TokenRestore.self])
}
