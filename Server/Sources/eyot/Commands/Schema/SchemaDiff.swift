import ArgumentParser
import EyotContract

struct SchemaDiff: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "diff", abstract: "Compare two versions of a schema.",
        discussion: """
            Works without a server. Exit code 1 means that older builds of the app may not decode content for the new \
            version.

            eyot schema diff old.json new.json
            """)

    @Argument(help: "The schema file of the old version.")
    var old: String

    @Argument(help: "The schema file of the new version.")
    var new: String

    @Flag(help: "Print both lists as a JSON object.")
    var json = false

    func run() throws {
        let difference = SchemaDifference(
            from: try ActivitySchema(file: old), to: try ActivitySchema(file: new))
        if json {
            Output.value(difference.json, asJSON: true)
        } else {
            for line in difference.lines { Output.out(line) }
        }
        if !difference.onOlderBuilds.isEmpty { throw ExitCode.failure }
    }
}

extension SchemaDifference {
    /// Both directions, each under its heading. A direction without a break is listed too.
    var lines: [String] {
        let older =
            onOlderBuilds.isEmpty
            ? ["Older builds decode everything that is sent for the new version."]
            : ["Sent for the new version, may not decode on phones with the old one:"]
        let newer =
            onNewerBuilds.isEmpty
            ? ["The new version decodes everything that was sent for the old one."]
            : ["Sent for the old version, may not decode in the new one (a card runs on when its app is updated):"]
        return older + onOlderBuilds.map { "  \($0)" } + newer + onNewerBuilds.map { "  \($0)" }
    }
}
