import ArgumentParser

struct UserCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "user", abstract: "Set and show the tags of a user, and list the user's cards.",
        subcommands: [UserSet.self, UserShow.self, UserCards.self])
}
