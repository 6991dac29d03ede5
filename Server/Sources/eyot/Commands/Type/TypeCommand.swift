import ArgumentParser

struct TypeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "type",
        abstract: "List the types, show and change the profile of one, and halt and resume its activities.",
        subcommands: [TypeList.self, TypeProfileCommand.self, TypeHalt.self, TypeResume.self])
}
