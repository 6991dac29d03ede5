import EyotCommands
import EyotDomain
import EyotEngine
import EyotHTTP
import EyotPostgres
import EyotVendors
import Foundation
import HTTPConnections
import Logging
import NIOCore

/// The checked settings of a server.
package struct ServerConfiguration: Sendable {
    package enum Database: Sendable, Equatable {
        case sqlite(path: String)
        case postgres(PostgresURL)

        /// What a setting or an argument has to be.
        package static let expected = "sqlite: and a path, or a URL of postgres: with parameters in their ranges"

        /// - Returns: nil if the text is not one that `EYOT_DATABASE_URL` takes.
        package init?(_ text: String) {
            if let url = PostgresURL(text) {
                self = .postgres(url)
                return
            }
            guard text.hasPrefix("sqlite:"), case let path = text.dropFirst("sqlite:".count), !path.isEmpty else {
                return nil
            }
            self = .sqlite(path: String(path))
        }

        /// Where the database is, with the whole path of a file, and without user and password.
        package var place: String {
            switch self {
            case .sqlite(let path): "sqlite:\(URL(fileURLWithPath: path).resolvingSymlinksInPath().path)"
            case .postgres(let url): url.description
            }
        }
    }

    package var database: Database
    /// What this node is called among those that share the database; nil for the name of its machine.
    package var nodeName: String?
    /// A way to the server of PostgreSQL itself; nil if the database's URL is one.
    package var databaseDirectURL: PostgresURL?
    /// The listeners by role. There is always one for ``ListenerRole/http``.
    package var listeners: [ListenerRole: ListenerSettings]
    /// The limits of connections in number and time.
    package var connectionLimits = ConnectionLimits()
    /// The proxies that name their callers.
    package var proxies = TrustedProxies()
    /// The settings of sign-in to the panel.
    package var panel = PanelSettings()
    /// The key that seals secrets; nil if it comes from a file.
    package var masterKey: Secret?
    /// The file with the master key. Nil for the file beside the database, which is created at the first start.
    package var masterKeyFile: String?
    package var apnsSandboxURL: String
    package var apnsProductionURL: String
    package var apnsBroadcast: ServiceURLs
    package var apnsChannels: ServiceURLs
    package var apnsCAFile: String?
    /// How much is under way at a time, and how long a stop takes.
    package var pace: PaceSettings
    /// The vendors with APIs that also accept harmless calls that the vendor's documentation refuses.
    package var lenientVendors: Set<KeyPlane>
    /// The limits of calls and bodies.
    package var callLimits: CallLimits
    /// The limits of what phones may store.
    package var quotas = AppQuotas()
    /// How long data is kept once it is no longer needed.
    package var retention: Retention
    /// The addresses that webhooks may be sent to though they are not public.
    package var webhookAddresses: [AddressRange] = []
    /// Where the record of calls is written, in addition to the database; nil for nowhere.
    package var auditLog: String?
    /// The folder that events are written to; nil for none.
    package var eventFiles: String?
    /// The vendors that have the further forms in which events are written.
    package var eventFileVendors: Set<KeyPlane> = []
    package var logLevel: Logger.Level
    package var logFormat: LogFormat
    /// The base URL of the collector of traces; nil for no traces.
    package var otlpEndpoint: URL?
    /// The share of calls without a `traceparent` that begin a trace.
    package var traceRatio: Double
    /// How many seconds a lab's clock is ahead at the start; nil for no lab. The lab moves the clock over standard
    /// input, and the server ends when standard input closes.
    package var labClockLead: Double?
    /// The settings as they were given.
    let given: SettingValues

    /// - Throws: ``SettingError`` that names the wrong setting.
    package init(_ values: SettingValues) throws(SettingError) {
        given = values
        (database, databaseDirectURL) = try Self.database(values)
        nodeName = try values.optional(.nodeName, "1 to 64 of the characters a-z A-Z 0-9 . _ -", Self.nodeName)
        listeners = try ListenerSettings.all(values)
        connectionLimits.connections = try values.value(
            .httpConnections, "a whole number from 1 to 1000000", Self.number(1...1_000_000))
        connectionLimits.connectionsPerAddress = try values.value(
            .httpConnectionsPerAddress, Self.countExpected, Self.count)
        connectionLimits.lag = try values.value(
            .httpLagMilliseconds, "0, or a whole number from 50 to 60000", Self.lag)
        callLimits = try Self.callLimits(values)
        proxies = TrustedProxies(
            try values.optional(.trustedProxies, "addresses and ranges with commas between", Self.ranges) ?? [],
            header: try values.value(
                .proxyHeader, TrustedProxies.Header.allCases.map(\.rawValue).joined(separator: ", "),
                TrustedProxies.Header.init(rawValue:)))
        panel = try PanelSettings(values, proxies)
        masterKey = try values.optional(.masterKey, "64 hexadecimal digits, or 32 bytes in base64") { text in
            (try? MasterKey(text: text)).map { _ in Secret(text) }
        }
        masterKeyFile = try values.readableFile(.masterKeyFile)
        guard masterKey == nil || masterKeyFile == nil else {
            throw SettingError(
                "\(Setting.masterKey.variable) and \(Setting.masterKeyFile.variable) are both given: leave one out")
        }
        apnsSandboxURL = try values.value(.apnsSandboxURL, "an https URL", Self.url)
        apnsProductionURL = try values.value(.apnsProductionURL, "an https URL", Self.url)
        apnsBroadcast = try values.value(.apnsBroadcastURL, "one or two https URLs", Self.urls)
        apnsChannels = try values.value(.apnsChannelsURL, "one or two https URLs", Self.urls)
        apnsCAFile = try values.readableFile(.apnsCAFile)
        pace = try PaceSettings(values)
        lenientVendors =
            try values.optional(
                .lenientVendors, "\(Self.mayBeLenient.map(\.rawValue).joined(separator: ", ")), or several"
            ) { Self.planes($0, of: Self.mayBeLenient) } ?? []
        quotas.devices = try values.value(.devicesPerApp, Self.countExpected, Self.count)
        quotas.profileBytes = try values.value(.profileBytes, Self.countExpected, Self.count)
        quotas.openedNames = try values.value(.openedNamesPerApp, Self.countExpected, Self.count)
        quotas.openedNamesOfDevice = try values.value(.openedNamesPerDevice, Self.countExpected, Self.count)
        retention = try Self.retention(values)
        webhookAddresses =
            try values.optional(.webhookAllowedAddresses, "addresses and ranges with commas between", Self.ranges) ?? []
        auditLog = try values.optional(.auditLog, "a file or -") { $0.isEmpty ? nil : $0 }
        eventFiles = try values.optional(.eventFiles, "a folder that can be written", Self.folder)
        eventFileVendors =
            try values.optional(
                .eventFileVendors, "\(Self.haveEvents.map(\.rawValue).joined(separator: ", ")), or both"
            ) { Self.planes($0, of: Self.haveEvents) } ?? []
        guard eventFiles != nil || eventFileVendors.isEmpty else {
            throw SettingError("\(Setting.eventFileVendors.variable) needs \(Setting.eventFiles.variable)")
        }
        logLevel = try values.value(
            .logLevel, "one of \(Logger.Level.allCases.map(\.rawValue).joined(separator: ", "))",
            Logger.Level.init(rawValue:))
        logFormat = try values.value(
            .logFormat, "one of \(LogFormat.allCases.map(\.rawValue).joined(separator: ", "))",
            LogFormat.init(rawValue:))
        otlpEndpoint = try values.optional(.otlpEndpoint, "an http or https URL") { text in
            URL(string: text).flatMap { ["http", "https"].contains($0.scheme) && $0.host?.isEmpty == false ? $0 : nil }
        }
        traceRatio = try values.value(.traceRatio, "a number from 0 to 1") { text in
            Double(text).flatMap { (0...1).contains($0) ? $0 : nil }
        }
        labClockLead = try values.optional(.labClock, "stdin, or stdin: and seconds") { text in
            text == "stdin" ? 0 : text.hasPrefix("stdin:") ? Double(text.dropFirst(6)) : nil
        }
    }

    private static func nodeName(_ text: String) -> String? {
        let isName = text.utf8.allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."), UInt8(ascii: "_"), UInt8(ascii: "-"):
                true
            default: false
            }
        }
        return isName && (1...64).contains(text.utf8.count) ? text : nil
    }

    private static func callLimits(_ values: SettingValues) throws(SettingError) -> CallLimits {
        var limits = CallLimits()
        limits.bodyBytes = try values.value(
            .httpBodyBytes, "a whole number of bytes, at least \(leastBodyBytes)",
            number(leastBodyBytes...Int.max))
        limits.registrationsPerMinute = try values.value(.registrationsPerMinute, countExpected, count)
        limits.failedKeysPerMinute = try values.value(.failedKeysPerMinute, countExpected, count)
        limits.keyCallsPerHour = try values.value(.keyCallsPerHour, countExpected, count)
        limits.appCallsPerHour = try values.value(.appCallsPerHour, countExpected, count)
        limits.deviceCallsPerHour = try values.value(.deviceCallsPerHour, countExpected, count)
        return limits
    }

    private static func retention(_ values: SettingValues) throws(SettingError) -> Retention {
        var retention = Retention(
            operationDays: try values.value(.keepOperationDays, daysExpected, days),
            endedDays: try values.value(.keepEndedDays, daysExpected, days),
            deviceDays: try values.value(.keepDeviceDays, daysExpected, days),
            auditDays: try values.value(.keepAuditDays, daysExpected, days),
            eventDays: try values.value(.keepEventDays, daysExpected, days))
        retention.keepReports(days: try values.value(.keepReportDays, daysExpected, days))
        return retention
    }

    private static func database(_ values: SettingValues) throws(SettingError) -> (Database, direct: PostgresURL?) {
        func expected(_ setting: Setting) -> String? { values.text(setting).flatMap(PostgresURL.expectation) }
        let database = try values.value(
            .databaseURL, expected(.databaseURL) ?? Database.expected, Database.init)
        let direct = try values.optional(
            .databaseDirectURL, expected(.databaseDirectURL) ?? "a URL of postgres:", PostgresURL.init)
        if direct != nil, case .sqlite = database {
            throw SettingError(
                "\(Setting.databaseDirectURL.variable) is for a database of PostgreSQL: leave it out")
        }
        return (database, direct)
    }
    private static func folder(_ path: String) -> String? {
        var isFolder: ObjCBool = false
        let exists = FileManager.default.fileExists(atPath: path, isDirectory: &isFolder)
        return exists && isFolder.boolValue && FileManager.default.isWritableFile(atPath: path) ? path : nil
    }

    private static func planes(_ text: String, of known: [KeyPlane]) -> Set<KeyPlane>? {
        let names = text.split(separator: ",").map { $0.filter { $0 != " " } }
        let planes = names.map(KeyPlane.init(rawValue:))
        return planes.allSatisfy(known.contains) ? Set(planes) : nil
    }

    private static let haveEvents = Vendors.all.filter { $0.events != nil }.map(\.plane)

    private static let mayBeLenient = Vendors.all.filter(\.mayBeLenient).map(\.plane)

    private static func ranges(_ text: String) -> [AddressRange]? {
        let parts = text.split(separator: ",", omittingEmptySubsequences: false)
        let ranges = parts.compactMap { AddressRange($0.filter { $0 != " " }) }
        return ranges.count == parts.count ? ranges : nil
    }

    private static let countExpected = "a whole number from 0 to 1000000000"

    private static func count(_ text: String) -> Int? { number(0...1_000_000_000)(text) }

    static func number(_ range: ClosedRange<Int>) -> (String) -> Int? {
        { text in Int(text).flatMap { range.contains($0) ? $0 : nil } }
    }

    private static func lag(_ text: String) -> TimeAmount?? {
        switch number(0...60_000)(text) {
        case 0?: .some(nil)
        case let milliseconds? where milliseconds >= 50: .some(.milliseconds(Int64(milliseconds)))
        default: nil
        }
    }

    /// The least limit of held bytes, in which the largest body of any call fits.
    private static let leastBodyBytes = 32 * 1_024 * 1_024

    private static let daysExpected = "a whole number from 1 to 36500"

    private static func days(_ text: String) -> Int? { number(1...36_500)(text) }

    private static func urls(_ text: String) -> ServiceURLs? { ServiceURLs(text, url: url) }

    private static func url(_ text: String) -> String? {
        guard let url = URL(string: text), url.scheme == "https", url.host?.isEmpty == false else { return nil }
        return text
    }
}
