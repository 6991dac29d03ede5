import ArgumentParser
import EyotServer
import Foundation

/// The settings as options, one for each ``Setting``. The help texts come from the settings.
struct SettingOptions: ParsableArguments {
    @Option(
        help: "The file of settings. (default: eyot.yaml, if it exists; for the package's program that of /etc/eyot)")
    var config: String?

    @Option(setting: .databaseURL)
    var databaseURL: String?

    @Option(setting: .nodeName)
    var nodeName: String?

    @Option(setting: .databaseDirectURL)
    var databaseDirectURL: String?

    @Option(setting: .httpHost)
    var httpHost: String?

    @Option(setting: .httpPort)
    var httpPort: String?

    @Option(setting: .httpTLSCertificateFile)
    var httpTLSCertificateFile: String?

    @Option(setting: .httpTLSKeyFile)
    var httpTLSKeyFile: String?

    @Option(setting: .controlHost)
    var controlHost: String?

    @Option(setting: .controlPort)
    var controlPort: String?

    @Option(setting: .controlTLSCertificateFile)
    var controlTLSCertificateFile: String?

    @Option(setting: .controlTLSKeyFile)
    var controlTLSKeyFile: String?

    @Option(setting: .opsHost)
    var opsHost: String?

    @Option(setting: .opsPort)
    var opsPort: String?

    @Option(setting: .opsTLSCertificateFile)
    var opsTLSCertificateFile: String?

    @Option(setting: .opsTLSKeyFile)
    var opsTLSKeyFile: String?

    @Option(setting: .panelHost)
    var panelHost: String?

    @Option(setting: .panelPort)
    var panelPort: String?

    @Option(setting: .panelTLSCertificateFile)
    var panelTLSCertificateFile: String?

    @Option(setting: .panelTLSKeyFile)
    var panelTLSKeyFile: String?

    @Option(setting: .panelURL)
    var panelURL: String?

    @Option(setting: .panelOIDCIssuer)
    var panelOIDCIssuer: String?

    @Option(setting: .panelOIDCClientID)
    var panelOIDCClientID: String?

    @Option(setting: .panelOIDCClientSecret)
    var panelOIDCClientSecret: String?

    @Option(setting: .panelOIDCClientSecretFile)
    var panelOIDCClientSecretFile: String?

    @Option(setting: .panelOIDCCreateMembers)
    var panelOIDCCreateMembers: String?

    @Option(setting: .panelProxyHeader)
    var panelProxyHeader: String?

    @Option(setting: .panelRequireProvider)
    var panelRequireProvider: String?

    @Option(setting: .httpConnections)
    var httpConnections: String?

    @Option(setting: .httpConnectionsPerAddress)
    var httpConnectionsPerAddress: String?

    @Option(setting: .httpLagMilliseconds)
    var httpLagMilliseconds: String?

    @Option(setting: .httpBodyBytes)
    var httpBodyBytes: String?

    @Option(setting: .trustedProxies)
    var trustedProxies: String?

    @Option(setting: .proxyHeader)
    var proxyHeader: String?

    @Option(setting: .masterKey)
    var masterKey: String?

    @Option(setting: .masterKeyFile)
    var masterKeyFile: String?

    @Option(setting: .apnsSandboxURL)
    var apnsSandboxURL: String?

    @Option(setting: .apnsProductionURL)
    var apnsProductionURL: String?

    @Option(setting: .apnsBroadcastURL)
    var apnsBroadcastURL: String?

    @Option(setting: .apnsChannelsURL)
    var apnsChannelsURL: String?

    @Option(setting: .apnsCAFile)
    var apnsCAFile: String?

    @Option(setting: .apnsConnectionsPerKey)
    var apnsConnectionsPerKey: String?

    @Option(setting: .pushesPerApp)
    var pushesPerApp: String?

    @Option(setting: .drainSeconds)
    var drainSeconds: String?

    @Option(setting: .registrationsPerMinute)
    var registrationsPerMinute: String?

    @Option(setting: .lenientVendors)
    var lenientVendors: String?

    @Option(setting: .failedKeysPerMinute)
    var failedKeysPerMinute: String?

    @Option(setting: .keyCallsPerHour)
    var keyCallsPerHour: String?

    @Option(setting: .appCallsPerHour)
    var appCallsPerHour: String?

    @Option(setting: .deviceCallsPerHour)
    var deviceCallsPerHour: String?

    @Option(setting: .devicesPerApp)
    var devicesPerApp: String?

    @Option(setting: .profileBytes)
    var profileBytes: String?

    @Option(setting: .openedNamesPerApp)
    var openedNamesPerApp: String?

    @Option(setting: .openedNamesPerDevice)
    var openedNamesPerDevice: String?

    @Option(setting: .keepOperationDays)
    var keepOperationDays: String?

    @Option(setting: .keepEndedDays)
    var keepEndedDays: String?

    @Option(setting: .keepDeviceDays)
    var keepDeviceDays: String?

    @Option(setting: .keepAuditDays)
    var keepAuditDays: String?

    @Option(setting: .keepEventDays)
    var keepEventDays: String?

    @Option(setting: .keepReportDays)
    var keepReportDays: String?

    @Option(setting: .webhookAllowedAddresses)
    var webhookAllowedAddresses: String?

    @Option(setting: .auditLog)
    var auditLog: String?

    @Option(setting: .eventFiles)
    var eventFiles: String?

    @Option(setting: .eventFileVendors)
    var eventFileVendors: String?

    @Option(setting: .logLevel)
    var logLevel: String?

    @Option(setting: .logFormat)
    var logFormat: String?

    @Option(setting: .otlpEndpoint)
    var otlpEndpoint: String?

    @Option(setting: .traceRatio)
    var traceRatio: String?

    @Option(setting: .labClock)
    var labClock: String?

    /// The settings of the command line.
    var flags: [Setting: String] {
        let given: [Setting: String?] = [
            .databaseURL: databaseURL, .nodeName: nodeName, .databaseDirectURL: databaseDirectURL, .httpHost: httpHost,
            .httpPort: httpPort,
            .httpTLSCertificateFile: httpTLSCertificateFile, .httpTLSKeyFile: httpTLSKeyFile,
            .controlHost: controlHost, .controlPort: controlPort,
            .controlTLSCertificateFile: controlTLSCertificateFile, .controlTLSKeyFile: controlTLSKeyFile,
            .opsHost: opsHost, .opsPort: opsPort, .opsTLSCertificateFile: opsTLSCertificateFile,
            .opsTLSKeyFile: opsTLSKeyFile, .panelHost: panelHost, .panelPort: panelPort,
            .panelTLSCertificateFile: panelTLSCertificateFile, .panelTLSKeyFile: panelTLSKeyFile, .panelURL: panelURL,
            .panelOIDCIssuer: panelOIDCIssuer, .panelOIDCClientID: panelOIDCClientID,
            .panelOIDCClientSecret: panelOIDCClientSecret, .panelOIDCClientSecretFile: panelOIDCClientSecretFile,
            .panelOIDCCreateMembers: panelOIDCCreateMembers, .panelProxyHeader: panelProxyHeader,
            .panelRequireProvider: panelRequireProvider,
            .httpConnections: httpConnections, .httpConnectionsPerAddress: httpConnectionsPerAddress,
            .httpLagMilliseconds: httpLagMilliseconds,
            .httpBodyBytes: httpBodyBytes, .trustedProxies: trustedProxies, .proxyHeader: proxyHeader,
            .masterKey: masterKey, .masterKeyFile: masterKeyFile, .apnsSandboxURL: apnsSandboxURL,
            .apnsProductionURL: apnsProductionURL, .apnsBroadcastURL: apnsBroadcastURL,
            .apnsChannelsURL: apnsChannelsURL, .apnsCAFile: apnsCAFile, .apnsConnectionsPerKey: apnsConnectionsPerKey,
            .pushesPerApp: pushesPerApp, .drainSeconds: drainSeconds, .registrationsPerMinute: registrationsPerMinute,
            .lenientVendors: lenientVendors, .failedKeysPerMinute: failedKeysPerMinute,
            .keyCallsPerHour: keyCallsPerHour, .appCallsPerHour: appCallsPerHour,
            .deviceCallsPerHour: deviceCallsPerHour, .devicesPerApp: devicesPerApp, .profileBytes: profileBytes,
            .openedNamesPerApp: openedNamesPerApp, .openedNamesPerDevice: openedNamesPerDevice,
            .keepOperationDays: keepOperationDays, .keepEndedDays: keepEndedDays, .keepDeviceDays: keepDeviceDays,
            .keepAuditDays: keepAuditDays, .keepEventDays: keepEventDays, .keepReportDays: keepReportDays,
            .webhookAllowedAddresses: webhookAllowedAddresses, .auditLog: auditLog, .eventFiles: eventFiles,
            .eventFileVendors: eventFileVendors,
            .logLevel: logLevel, .logFormat: logFormat, .otlpEndpoint: otlpEndpoint, .traceRatio: traceRatio,
            .labClock: labClock,
        ]
        return given.compactMapValues(\.self)
    }

    /// Returns the checked settings from command line, environment and file.
    func configuration() throws -> ServerConfiguration {
        let environment = ProcessInfo.processInfo.environment
        return try ServerConfiguration(
            SettingValues(
                flags: flags, environment: environment, file: try file(named: config ?? environment["EYOT_CONFIG"])))
    }

    /// The file that is read if neither an option nor a variable names one: that of the current folder, or else that of
    /// the Debian package for the program of that package. So an operator's commands work on the server's database.
    ///
    /// - Parameter program: The path of this program.
    static func defaultFile(of program: String?, exists: (String) -> Bool) -> String? {
        let candidates = ["eyot.yaml"] + (program == "/usr/bin/eyot" ? ["/etc/eyot/eyot.yaml"] : [])
        return candidates.first(where: exists)
    }

    /// - Parameter path: Empty if no file is to be read.
    private func file(named path: String?) throws(SettingError) -> (text: String, path: String)? {
        let program = Bundle.main.executableURL?.resolvingSymlinksInPath().path
        guard
            let path = path ?? Self.defaultFile(of: program, exists: FileManager.default.fileExists(atPath:)),
            !path.isEmpty
        else { return nil }
        do {
            return (try String(contentsOfFile: path, encoding: .utf8), path)
        } catch {
            throw SettingError("the file of settings \(path) cannot be read: check the path and its permissions")
        }
    }
}

extension Option where Value == String? {
    /// Makes the option of a setting.
    fileprivate init(setting: Setting) {
        self.init(
            name: .customLong(setting.rawValue),
            help: ArgumentHelp(stringLiteral: setting.purpose + (setting.fallback.map { " (\($0))" } ?? "")))
    }
}
