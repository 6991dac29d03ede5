import ArgumentParser
import EyotContract

struct SchemaTypes: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "types", abstract: "Write what phones decode as types of a backend's language.",
        discussion: """
            Prints one file with the types of all the schemas. TypeScript needs nothing, Python 3.11 or later, and \
            Kotlin kotlinx.serialization.
            """)

    @Option(help: "What the backend is written in.")
    var language: TypeLanguage

    @Argument(help: "The schemas.")
    var files: [String]

    func run() throws {
        let sources = try files.map { SchemaSource(file: $0, schema: try ActivitySchema(file: $0)) }
        Output.out(try language.text(of: sources))
    }
}

extension TypeLanguage: ExpressibleByArgument {}
