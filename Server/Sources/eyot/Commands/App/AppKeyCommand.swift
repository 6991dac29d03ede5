import ArgumentParser

struct AppKeyCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "app-key", abstract: "Replace the public key that ships in the app.",
        subcommands: [AppKeyRotate.self, AppKeyWithdraw.self])
}
