import ArgumentParser

struct OperationCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "operation", abstract: "See what became of an accepted call.", subcommands: [OperationShow.self])
}
