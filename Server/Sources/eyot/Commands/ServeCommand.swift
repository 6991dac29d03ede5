import ArgumentParser
import EyotContract
import EyotServer
import Foundation
import Logging

/// Runs the server.
struct ServeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "serve", abstract: "Run the server until it is stopped.",
        discussion: """
            Each setting has the same name in three places: --http-port here, EYOT_HTTP_PORT in the environment, and \
            http-port in eyot.yaml. Options override the environment, and the environment overrides the file. The \
            server does not start with a wrong or unknown setting, and names it. SIGHUP reads the settings again, and \
            SIGTERM stops the server.

            eyot serve --http-port 8080
            """)

    @OptionGroup var settings: SettingOptions

    @Flag(help: "Print the addresses as one line of JSON when the server accepts calls.")
    var json = false

    func run() async throws {
        // Until the server takes the signal, it would end the process. The others are sent by mistake, such as by a
        // rule for another program's log.
        for unused in [SIGHUP, SIGUSR1, SIGUSR2] { signal(unused, SIG_IGN) }
        let configuration = try settings.configuration()
        let threshold = LogThreshold(configuration.logLevel)
        LoggingSystem.bootstrap { configuration.logFormat.handler(label: $0, threshold: threshold) }
        let (asJSON, settings) = (json, settings)
        let source = SettingsSource(threshold: threshold) { try settings.configuration() }
        let supervisor = Supervisor(environment: ProcessInfo.processInfo.environment)
        let server = EyotServer(configuration, logger: Logger(label: "eyot"), source: source, supervisor: supervisor)
        try await server.run { addresses in
            let text = asJSON ? Self.line(addresses).text : Self.sentence(addresses)
            // Unbuffered, because the process that started the server waits for this line.
            FileHandle.standardOutput.write(Data((text + "\n").utf8))
        }
    }

    private static func line(_ addresses: ServerAddresses) -> JSONValue {
        var line = JSONObject([
            ("http", .string(addresses.http)), ("pid", .integer(ProcessInfo.processInfo.processIdentifier)),
        ])
        line["control"] = addresses.control.map(JSONValue.string)
        line["ops"] = addresses.ops.map(JSONValue.string)
        line["panel"] = addresses.panel.map { .string("\($0)/panel") }
        return .object(line)
    }

    private static func sentence(_ addresses: ServerAddresses) -> String {
        let others = [
            addresses.control.map { "\($0) (control)" }, addresses.ops.map { "\($0) (health and metrics)" },
            addresses.panel.map { "\($0)/panel" },
        ]
        return "Listening on " + ([addresses.http] + others.compactMap(\.self)).joined(separator: ", ")
    }
}
