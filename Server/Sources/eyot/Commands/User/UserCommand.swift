import ArgumentParser

struct UserCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "user", abstract: "Say what is known of a person.", subcommands: [UserSet.self, UserShow.self])
}
