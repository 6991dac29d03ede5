import ArgumentParser
import EyotContract
import EyotLab
import Foundation
import UnixSignals

struct LabCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "lab", abstract: "Run a server, Apple's push service and phones, to test a backend.",
        discussion: """
            Everything listens on this machine only, and runs until SIGTERM. With --json the first line has all \
            addresses. docs/reference/lab.md describes the control API, with which a test drives the phones.

            eyot lab --phones 3
            """,
        // Without a subcommand it runs the lab.
        subcommands: [LabCompare.self, LabPhoneCommand.self])

    @Option(help: "The number of phones at the start, 0 to 10000.")
    var phones = 10

    @OptionGroup var servers: LabServerOptions

    @Option(help: "The port of the server, of several nodes that of the first one. 0 means a free port.")
    var httpPort = 0

    @Option(help: "The port of the push service. 0 means a free port.")
    var apnsPort = 0

    @Option(
        help: """
            A folder that keeps the database, phones, tokens and keys over a restart. (default: a folder that is \
            deleted at the end)
            """)
    var state: String?

    @Option(
        help: ArgumentHelp(
            "A Live Activity type of your app: NAME[:name=ATTRIBUTE][=schema.json].",
            discussion: """
                ATTRIBUTE is the member of the attributes that has the card's name. The default is eyotActivityName or \
                a member of a vendor. The schema file comes from the app's unit tests, or is written by hand as \
                docs/reference/schema.md describes. Any object is accepted without a schema. Repeat it to add types.
                """))
    var type: [TypeOption] = []

    @Option(
        help: ArgumentHelp(
            "Switches for behavior of the phones that Apple does not document.",
            discussion: """
                A value is narrow (limits that developers report), NAME=VALUE such as tokenDelay=3, a JSON object, or \
                @file. Repeat it to set several switches. docs/reference/lab.md lists the switches.
                """))
    var rules: [RulesOption] = []

    @Option(
        help: """
            The most broadcasts a minute that Apple accepts for a channel. Developers report about 4. (default: \
            unlimited)
            """)
    var broadcastsPerMinute: Int?

    @Flag(
        inversion: .prefixedNo,
        help: "Store the schemas of the types on the server, so that it refuses content that phones could not decode.")
    var schemas = true

    @Option(
        help: ArgumentHelp(
            "Write the wall of phones as SVG to this file at the end.",
            discussion: """
                The picture has the declared states and what each phone shows. It suits a test as an artefact: the \
                lab writes it when it gets SIGTERM or SIGINT.
                """, valueName: "file"))
    var snapshot: String?

    @Option(help: "The log level of the server, which logs to server.log in the folder, or of several to NAME.log.")
    var logLevel = "info"

    @OptionGroup var output: LabOutput

    /// How many seconds the phones may take to register before the lab is announced anyway.
    private static let patience = 60.0
    /// How many seconds the lab may take to end.
    private static let patienceAtEnd = 8.0

    func validate() throws {
        guard (0...LabConfiguration.phoneLimit).contains(phones) else {
            throw ValidationError("--phones must lie between 0 and \(LabConfiguration.phoneLimit).")
        }
        guard [httpPort, apnsPort].allSatisfy((0...65_535).contains) else {
            throw ValidationError("A port lies between 0 and 65535.")
        }
        guard broadcastsPerMinute.map({ $0 > 0 }) ?? true else {
            throw ValidationError("--broadcasts-per-minute must be 1 or more.")
        }
        var configuration = LabConfiguration()
        configuration.folder = folder
        try servers.apply(to: &configuration)
    }

    /// The one setting of the server that a lab takes from its environment.
    private static let eventFiles = "EYOT_EVENT_FILES"

    private var folder: URL? { state.map { URL(fileURLWithPath: $0, isDirectory: true) } }

    func run() async throws {
        var configuration = LabConfiguration(phones: phones)
        configuration.httpPort = httpPort
        configuration.apnsPort = apnsPort
        configuration.folder = folder
        try servers.apply(to: &configuration)
        configuration.types += try type.map { try $0.labType() }
        configuration.givesSchemas = schemas
        for option in rules { try option.change(&configuration.phoneRules, &configuration.pushServiceRules) }
        configuration.broadcastsPerMinute = broadcastsPerMinute
        configuration.serverLogLevel = logLevel
        // Other settings of the environment are meant for another server.
        if let files = ProcessInfo.processInfo.environment[Self.eventFiles], !files.isEmpty {
            if configuration.nodes == 1 {
                configuration.serverSettings[Self.eventFiles] = URL(fileURLWithPath: files, isDirectory: true).path
            } else {
                Output.err("Note: \(Self.eventFiles) is not passed on, because each node would write the same files.")
            }
        }
        configuration.report = { Output.err($0) }
        // Like a server, a lab keeps running when its terminal closes.
        signal(SIGHUP, SIG_IGN)
        let signals = await UnixSignalsSequence(trapping: .sigterm, .sigint)
        let (setup, asJSON, snapshot) = (configuration, output.json, snapshot)
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await Self.run(setup, asJSON: asJSON, snapshot: snapshot) }
            group.addTask { for await _ in signals { break } }
            // Waits for the signal or the lab's failure. The cancellation of the lab after that is no failure.
            try await group.next()
            Self.leaveInTime()
            group.cancelAll()
            _ = await group.nextResult()
        }
    }

    /// Ends the process if the phones take too long to stop. The server ends with it.
    private static func leaveInTime() {
        DispatchQueue.global().asyncAfter(deadline: .now() + patienceAtEnd) {
            Output.err("The phones have not stopped within \(Int(patienceAtEnd)) s; leaving them")
            Foundation.exit(0)
        }
    }

    /// Runs the lab until the task is cancelled, and then throws.
    private static func run(_ configuration: LabConfiguration, asJSON: Bool, snapshot: String?) async throws {
        try await Lab.run(configuration) { lab in
            let isReady = try await within(seconds: patience) { try await lab.untilStartable() }
            if !isReady { Output.err("Not all phones have registered; they go on trying.") }
            var description = await lab.description
            description.panelLink = try await lab.makePanelLink()
            LabFile.latest.write(description.json)
            defer { LabFile.latest.remove(description.json) }
            Output.value(description.json, asJSON: asJSON)
            if !asJSON {
                for line in description.exports { Output.out(line) }
            }
            for await _ in lab.changeSignals() {}
            if let snapshot { await write(lab, to: snapshot) }
            throw CancellationError()
        }
    }
}

extension LabCommand {
    /// Writes the wall. A file that cannot be written does not keep the lab from ending.
    fileprivate static func write(_ lab: Lab, to file: String) async {
        // The lab's own task is cancelled at its end, and calls to the server would not be made.
        let picture = await Task { await lab.wallSVG() }.value
        do {
            try Data(picture.utf8).write(to: URL(fileURLWithPath: file), options: .atomic)
        } catch {
            Output.err("The wall could not be written to \(file): \(error.localizedDescription)")
        }
    }
}

/// Options that `eyot lab` and its subcommands share. A flag with the same name in both would always go to `eyot lab`,
/// so it exists once.
struct LabOutput: ParsableArguments {
    @Flag(help: "Print one line of JSON instead of text.")
    var json = false
}

/// A type on the command line: `NAME[:name=ATTRIBUTE][=schema.json]`.
struct TypeOption: ExpressibleByArgument, Equatable {
    var name: String
    var nameMember: String?
    var schema: String?

    init(name: String, nameMember: String? = nil, schema: String? = nil) {
        (self.name, self.nameMember, self.schema) = (name, nameMember, schema)
    }

    init?(argument: String) {
        let marker = ":name="
        var rest = argument[...]
        name = String(rest.prefix { $0 != ":" && $0 != "=" })
        rest = rest.dropFirst(name.count)
        if rest.hasPrefix(marker) {
            let member = rest.dropFirst(marker.count).prefix { $0 != "=" }
            nameMember = String(member)
            rest = rest.dropFirst(marker.count + member.count)
        }
        if rest.hasPrefix("=") {
            schema = String(rest.dropFirst())
            rest = ""
        }
        guard rest.isEmpty, !name.isEmpty, nameMember != "", schema != "" else { return nil }
    }

    /// - Throws: an error about the schema.
    func labType() throws -> LabType {
        let schema = try schema.map { try ActivitySchema(file: $0, type: name) }
        return try .custom(name, nameMember: nameMember, schema: schema)
    }
}
