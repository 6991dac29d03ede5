import ArgumentParser

struct TokenCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "token", abstract: "Import tokens, and restore tokens that Apple refused.",
        subcommands: [TokenImport.self, TokenRestore.self])
}
