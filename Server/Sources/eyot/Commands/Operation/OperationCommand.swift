import ArgumentParser

struct OperationCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "operation", abstract: "Show the progress of an accepted call.",
        subcommands: [OperationShow.self])
}
