import ArgumentParser
import EyotContract

struct SchemaDiff: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "diff", abstract: "Say what another version of a schema means for phones.",
        discussion: """
            Asks no server. Exit code 1 means that phones with an older build of the app may not decode what is sent \
            for the new one.
            """)

    @Argument(help: "The schema before.")
    var old: String

    @Argument(help: "The schema after.")
    var new: String

    @Flag(help: "Print an object with both lists.")
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
