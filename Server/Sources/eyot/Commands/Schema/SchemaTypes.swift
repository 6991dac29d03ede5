import ArgumentParser
import EyotContract

struct SchemaTypes: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "types", abstract: "Write schemas as types in the language of a backend.",
        discussion: """
            Prints one file with the types of all schemas. Python needs version 3.11 or later. Kotlin needs \
            kotlinx.serialization. TypeScript needs nothing more.

            eyot schema types --language typescript MatchAttributes.json
            """)

    @Option(help: "The language of the backend.")
    var language: TypeLanguage

    @Argument(help: "The schema files.")
    var files: [String]

    func run() throws {
        let sources = try files.map { SchemaSource(file: $0, schema: try ActivitySchema(file: $0)) }
        Output.out(try language.text(of: sources))
    }
}

extension TypeLanguage: ExpressibleByArgument {}
