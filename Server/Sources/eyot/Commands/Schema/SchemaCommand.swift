import ArgumentParser

struct SchemaCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "schema", abstract: "Check and store the schemas of types, and write them as types for a backend.",
        subcommands: [
            SchemaPush.self, SchemaList.self, SchemaRemove.self, SchemaCheckCommand.self, SchemaDiff.self,
            SchemaTypes.self,
        ])
}
