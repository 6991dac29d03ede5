import ArgumentParser

struct SchemaCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "schema", abstract: "Say what phones decode, and write it as types for a backend.",
        subcommands: [
            SchemaPush.self, SchemaList.self, SchemaRemove.self, SchemaCheckCommand.self, SchemaDiff.self,
            SchemaTypes.self,
        ])
}
