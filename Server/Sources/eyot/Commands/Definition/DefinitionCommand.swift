import ArgumentParser

struct DefinitionCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "definition", abstract: "Save declarations under names, with parameters that calls fill in.",
        subcommands: [DefinitionSet.self, DefinitionList.self, DefinitionShow.self, DefinitionRemove.self])
}
