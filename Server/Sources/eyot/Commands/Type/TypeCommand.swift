import ArgumentParser

struct TypeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "type", abstract: "Show and change the profile of a type, and halt and resume its activities.",
        subcommands: [TypeProfileCommand.self, TypeHalt.self, TypeResume.self])
}
