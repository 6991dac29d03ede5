import ArgumentParser

struct TypeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "type", abstract: "Say how cards of a type are treated; halt and resume them.",
        subcommands: [TypeProfileCommand.self, TypeHalt.self, TypeResume.self])
}
