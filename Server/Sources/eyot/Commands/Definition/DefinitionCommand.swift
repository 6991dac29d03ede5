import ArgumentParser

struct DefinitionCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "definition", abstract: "Keep declarations under names, with places that calls fill.",
        subcommands: [DefinitionSet.self, DefinitionList.self, DefinitionShow.self, DefinitionRemove.self])
}
