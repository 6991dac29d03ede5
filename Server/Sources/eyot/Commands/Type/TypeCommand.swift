import ArgumentParser

struct TypeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "type", abstract: "Halt and resume all activities of a type.",
        subcommands: [TypeHalt.self, TypeResume.self])
}
