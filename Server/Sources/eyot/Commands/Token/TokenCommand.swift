import ArgumentParser

struct TokenCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "token", abstract: "Take tokens in, and bring back those that Apple refused.",
        subcommands: [TokenImport.self, TokenRestore.self])
}
