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
            server does not start with a wrong or unknown setting, and names it.

            eyot serve --http-port 8080
            """)

    @OptionGroup var settings: SettingOptions

    @Flag(help: "Print the addresses as one line of JSON when the server accepts calls.")
    var json = false

    func run() async throws {
        let configuration = try settings.configuration()
        LoggingSystem.bootstrap { configuration.logFormat.handler(label: $0, level: configuration.logLevel) }
        let asJSON = json
        try await EyotServer(configuration, logger: Logger(label: "eyot")).run { addresses in
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

/// The settings as options, one for each ``Setting``. The help texts come from the settings.
struct SettingOptions: ParsableArguments {
    @Option(help: "The file of settings. (default: eyot.yaml, if it exists)")
    var config: String?

    @Option(name: .customLong(Setting.databaseURL.rawValue), help: help(.databaseURL))
    var databaseURL: String?

    @Option(name: .customLong(Setting.httpHost.rawValue), help: help(.httpHost))
    var httpHost: String?

    @Option(name: .customLong(Setting.httpPort.rawValue), help: help(.httpPort))
    var httpPort: String?

    @Option(name: .customLong(Setting.apnsSandboxURL.rawValue), help: help(.apnsSandboxURL))
    var apnsSandboxURL: String?

    @Option(name: .customLong(Setting.apnsProductionURL.rawValue), help: help(.apnsProductionURL))
    var apnsProductionURL: String?

    @Option(name: .customLong(Setting.apnsBroadcastURL.rawValue), help: help(.apnsBroadcastURL))
    var apnsBroadcastURL: String?

    @Option(name: .customLong(Setting.apnsChannelsURL.rawValue), help: help(.apnsChannelsURL))
    var apnsChannelsURL: String?

    @Option(name: .customLong(Setting.apnsCAFile.rawValue), help: help(.apnsCAFile))
    var apnsCAFile: String?

    @Option(name: .customLong(Setting.keepOperationDays.rawValue), help: help(.keepOperationDays))
    var keepOperationDays: String?

    @Option(name: .customLong(Setting.keepEndedDays.rawValue), help: help(.keepEndedDays))
    var keepEndedDays: String?

    @Option(name: .customLong(Setting.keepDeviceDays.rawValue), help: help(.keepDeviceDays))
    var keepDeviceDays: String?

    @Option(name: .customLong(Setting.logLevel.rawValue), help: help(.logLevel))
    var logLevel: String?

    /// The file that is read by default.
    private static let defaultFile = "eyot.yaml"

    private static func help(_ setting: Setting) -> ArgumentHelp {
        ArgumentHelp(stringLiteral: setting.purpose + (setting.fallback.map { " (\($0))" } ?? ""))
    }

    /// Returns the checked settings from command line, environment and file.
    func configuration() throws -> ServerConfiguration {
        let environment = ProcessInfo.processInfo.environment
        let given: [Setting: String?] = [
            .databaseURL: databaseURL, .httpHost: httpHost, .httpPort: httpPort, .apnsSandboxURL: apnsSandboxURL,
            .apnsProductionURL: apnsProductionURL, .apnsBroadcastURL: apnsBroadcastURL,
            .apnsChannelsURL: apnsChannelsURL, .apnsCAFile: apnsCAFile, .keepOperationDays: keepOperationDays,
            .keepEndedDays: keepEndedDays, .keepDeviceDays: keepDeviceDays, .logLevel: logLevel,
        ]
        return try ServerConfiguration(
            SettingValues(
                flags: given.compactMapValues(\.self), environment: environment,
                file: try file(named: config ?? environment["EYOT_CONFIG"])))
    }

    private func file(named path: String?) throws -> (text: String, path: String)? {
        if path == nil, !FileManager.default.fileExists(atPath: Self.defaultFile) { return nil }
        let path = path ?? Self.defaultFile
        return (try String(contentsOfFile: path, encoding: .utf8), path)
    }
}
