import ArgumentParser
import EyotContract
import Foundation

struct SchemaCheckCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "check", abstract: "Check whether the app can decode a state or attributes.",
        discussion: """
            Works without a server. Exit code 1 means that phones would drop the content.

            eyot schema check MatchAttributes.json --state @state.json
            """)

    @Argument(help: "The schema file of the type.")
    var file: String

    @Option(
        help: "The state that cards show, as JSON. @file reads a file, - reads standard input.",
        transform: JSONArgument.init(parsing:))
    var state: JSONArgument?

    @Option(
        help: "The attributes of a start, as JSON. @file reads a file, - reads standard input.",
        transform: JSONArgument.init(parsing:))
    var attributes: JSONArgument?

    @Flag(help: "Print the mismatches as a JSON object.")
    var json = false

    func validate() throws {
        guard state != nil || attributes != nil else { throw ValidationError("Give --state, --attributes or both.") }
    }

    func run() throws {
        let schema = try ActivitySchema(file: file)
        let mismatches = [
            attributes.flatMap { schema.mismatch(ofAttributes: $0.value) },
            state.flatMap { schema.mismatch(ofContentState: $0.value) },
        ].compactMap(\.self)
        let now = Date().timeIntervalSince1970
        let remarks =
            (attributes.map { schema.remarks(onAttributes: $0.value, at: now) } ?? [])
            + (state.map { schema.remarks(onContentState: $0.value, at: now) } ?? [])
        let warnings = mismatches.isEmpty ? remarks.map(\.description) : []
        if json {
            Output.value(
                [
                    "fits": .bool(mismatches.isEmpty), "mismatches": .array(mismatches.map(\.json)),
                    "warnings": .array(warnings.map(JSONValue.string)),
                ], asJSON: true)
        } else if mismatches.isEmpty {
            let what = [attributes.map { _ in "The attributes" }, state.map { _ in "The state" }].compactMap(\.self)
            for what in what { Output.out("\(what) can be decoded as \(schema.type).") }
            for warning in warnings { Output.out("Warning: \(warning)") }
        } else {
            for mismatch in mismatches { Output.out("\(mismatch)") }
        }
        if !mismatches.isEmpty { throw ExitCode.failure }
    }
}
