/// One setting of the server. Each has a single name, written three ways: `--http-port` on the command line,
/// `EYOT_HTTP_PORT` in the environment, `http-port` in `eyot.yaml`. The command line wins over the environment, and the
/// environment over the file.
package enum Setting: String, Sendable, Hashable, CaseIterable {
    case databaseURL = "database-url"
    case nodeName = "node-name"
    case databaseDirectURL = "database-direct-url"
    case httpHost = "http-host"
    case httpPort = "http-port"
    case httpTLSCertificateFile = "http-tls-certificate-file"
    case httpTLSKeyFile = "http-tls-key-file"
    case controlHost = "control-host"
    case controlPort = "control-port"
    case controlTLSCertificateFile = "control-tls-certificate-file"
    case controlTLSKeyFile = "control-tls-key-file"
    case opsHost = "ops-host"
    case opsPort = "ops-port"
    case opsTLSCertificateFile = "ops-tls-certificate-file"
    case opsTLSKeyFile = "ops-tls-key-file"
    case panelHost = "panel-host"
    case panelPort = "panel-port"
    case panelTLSCertificateFile = "panel-tls-certificate-file"
    case panelTLSKeyFile = "panel-tls-key-file"
    case panelURL = "panel-url"
    case panelOIDCIssuer = "panel-oidc-issuer"
    case panelOIDCClientID = "panel-oidc-client-id"
    case panelOIDCClientSecret = "panel-oidc-client-secret"
    case panelOIDCClientSecretFile = "panel-oidc-client-secret-file"
    case panelOIDCCreateMembers = "panel-oidc-create-members"
    case panelProxyHeader = "panel-proxy-header"
    case panelRequireProvider = "panel-require-provider"
    case httpConnections = "http-connections"
    case httpConnectionsPerAddress = "http-connections-per-address"
    case httpLagMilliseconds = "http-lag-milliseconds"
    case httpBodyBytes = "http-body-bytes"
    case trustedProxies = "trusted-proxies"
    case proxyHeader = "proxy-header"
    case masterKey = "master-key"
    case masterKeyFile = "master-key-file"
    case apnsSandboxURL = "apns-sandbox-url"
    case apnsProductionURL = "apns-production-url"
    case apnsBroadcastURL = "apns-broadcast-url"
    case apnsChannelsURL = "apns-channels-url"
    case apnsCAFile = "apns-ca-file"
    case apnsConnectionsPerKey = "apns-connections-per-key"
    case pushesPerApp = "pushes-per-app"
    case drainSeconds = "drain-seconds"
    case registrationsPerMinute = "registrations-per-minute"
    case lenientVendors = "lenient-vendors"
    case failedKeysPerMinute = "failed-keys-per-minute"
    case keyCallsPerHour = "key-calls-per-hour"
    case appCallsPerHour = "app-calls-per-hour"
    case deviceCallsPerHour = "device-calls-per-hour"
    case devicesPerApp = "devices-per-app"
    case profileBytes = "profile-bytes"
    case openedNamesPerApp = "opened-names-per-app"
    case openedNamesPerDevice = "opened-names-per-device"
    case keepOperationDays = "keep-operation-days"
    case keepEndedDays = "keep-ended-days"
    case keepDeviceDays = "keep-device-days"
    case keepAuditDays = "keep-audit-days"
    case keepEventDays = "keep-event-days"
    case keepReportDays = "keep-report-days"
    case webhookAllowedAddresses = "webhook-allowed-addresses"
    case auditLog = "audit-log"
    case eventFiles = "event-files"
    case eventFileVendors = "event-file-vendors"
    case logLevel = "log-level"
    case logFormat = "log-format"
    case otlpEndpoint = "otlp-endpoint"
    case traceRatio = "trace-ratio"
    case labClock = "lab-clock"

    /// The name in the environment.
    package var variable: String { "EYOT_" + rawValue.uppercased().replacing("-", with: "_") }

    /// The purpose of the setting, in a sentence.
    package var purpose: String {
        switch self {
        case .databaseURL: "Where the data is kept: sqlite: and the path of a file, or a URL of postgres:."
        case .nodeName: "What this node is called among those that share a database; by default its machine's name."
        case .databaseDirectURL: "A URL that reaches the server of postgres: itself, past a pooler."
        case .httpHost: "The address to listen on."
        case .httpPort: "The port to listen on; 0 takes a free one."
        case .httpTLSCertificateFile: "PEM file of the certificate, and those of its authorities."
        case .httpTLSKeyFile: "PEM file of the certificate's key."
        case .controlHost: "The address of the control and vendor planes' own listener."
        case .controlPort: "Its port; without one they are on the HTTP listener."
        case .opsHost: "The address of a listener for health, metrics and the panel."
        case .opsPort: "Its port; without one there is none, and no metrics."
        case .panelHost: "The address of the panel's own listener."
        case .panelPort: "Its port; without one the panel is on the listener for operations, or off."
        case .controlTLSCertificateFile, .opsTLSCertificateFile, .panelTLSCertificateFile:
            "The same for this listener."
        case .controlTLSKeyFile, .opsTLSKeyFile, .panelTLSKeyFile: "The key of this listener's certificate."
        case .panelURL, .panelOIDCIssuer, .panelOIDCClientID, .panelOIDCClientSecret, .panelOIDCClientSecretFile,
            .panelOIDCCreateMembers, .panelProxyHeader, .panelRequireProvider:
            Self.signIn[self] ?? ""
        case .apnsConnectionsPerKey, .pushesPerApp, .drainSeconds: Self.pace[self] ?? ""
        case .httpConnections: "Connections at a time; beyond them only health is answered."
        case .httpConnectionsPerAddress:
            "Connections of one address at a time; 0 is without limit. This machine has none."
        case .httpLagMilliseconds:
            "Milliseconds that a listener may be late and take new TLS connections, from 50; 0 is without limit."
        case .httpBodyBytes: "Bytes of bodies held at a time; beyond them calls get 503."
        case .trustedProxies: "Addresses, and ranges such as 10.0.0.0/8, of proxies that name their callers."
        case .proxyHeader: "Where they name them: x-forwarded-for, forwarded or proxy-v2."
        case .masterKey: "The 32 bytes that seal APNs keys, as 64 hexadecimal digits or in base64."
        case .masterKeyFile: "A file that holds them; without both a file beside the database is made and used."
        case .apnsSandboxURL: "Apple's push service for builds run from Xcode."
        case .apnsProductionURL: "Apple's push service for TestFlight and the App Store."
        case .apnsBroadcastURL:
            "Apple's service for broadcasts: one URL, or the sandbox's and production's with a comma between."
        case .apnsChannelsURL: "Apple's service for the management of channels, in the same way."
        case .apnsCAFile: "PEM file of the only authority to trust for Apple's service; for a simulator."
        case .registrationsPerMinute:
            "Registrations of phones that one address may make in a minute; 0 is without limit. This machine has none."
        case .lenientVendors:
            "netmera, airship and braze, with commas between: takes what does no harm though their pages refuse it."
        case .failedKeysPerMinute:
            "Unknown keys that one address may show in a minute; 0 is without limit. This machine has none."
        case .keyCallsPerHour:
            "Calls that one key may make in an hour, all at once if it was quiet; 0 is without limit."
        case .appCallsPerHour: "The same for all keys of an app together."
        case .deviceCallsPerHour: "The same for one phone."
        case .devicesPerApp: "Phones of one app that may be registered; 0 is without limit."
        case .profileBytes: "Bytes of tags and attributes that one phone may say of itself; 0 is without limit."
        case .openedNamesPerApp: "Activities of one app that only phones have named; 0 is without limit."
        case .openedNamesPerDevice: "The same for one phone."
        case .keepOperationDays: "Days for which operations are kept, at least 1."
        case .keepEndedDays: "Days for which ended activities are kept, at least 1."
        case .keepDeviceDays: "Days after which a phone that was not heard of is forgotten, at least 1."
        case .keepAuditDays: "Days for which it is kept what keys changed, at least 1."
        case .keepEventDays: "Days for which events are kept, at least 1."
        case .keepReportDays: "Days for which the report of an activity is kept after the activity, at least 1."
        case .webhookAllowedAddresses: "Addresses and ranges that webhooks may be sent to though they are not public."
        case .auditLog: "A file, or - for standard output, for lines of JSON about each change, read and refusal."
        case .eventFiles: "A folder that gets the events of each hour as a compressed file, for a warehouse."
        case .eventFileVendors: "Further forms of these files: braze, netmera or both, in folders of their own."
        case .otlpEndpoint: "The URL of a collector that takes traces as OTLP over HTTP."
        case .traceRatio: "The share of calls without a traceparent that begin a trace, from 0 to 1."
        case .logFormat: "text or json; json writes an object on each line."
        case .logLevel: "trace, debug, info, notice, warning, error or critical."
        case .labClock:
            "stdin lets a lab move the clock and ends the server when its standard input closes; stdin: and seconds sets it."
        }
    }

    /// The value if none is given; nil if the setting has none, or the server derives it.
    package var fallback: String? {
        switch self {
        case .databaseURL: "sqlite:eyot.sqlite"
        case .httpHost, .controlHost, .opsHost, .panelHost: "127.0.0.1"
        case .httpPort: "8080"
        case .apnsConnectionsPerKey: "4"
        case .pushesPerApp: "4000"
        case .drainSeconds: "0"
        case .httpConnections: "10000"
        case .httpConnectionsPerAddress: "1000"
        case .httpLagMilliseconds: "500"
        case .httpBodyBytes: "268435456"
        case .proxyHeader: "x-forwarded-for"
        case .apnsSandboxURL: "https://api.sandbox.push.apple.com"
        case .apnsProductionURL: "https://api.push.apple.com"
        case .apnsBroadcastURL: "https://api-broadcast.sandbox.push.apple.com,https://api-broadcast.push.apple.com"
        case .apnsChannelsURL:
            "https://api-manage-broadcast.sandbox.push.apple.com:2195,https://api-manage-broadcast.push.apple.com:2196"
        case .registrationsPerMinute: "3000"
        case .failedKeysPerMinute: "60"
        case .keyCallsPerHour, .appCallsPerHour: "250000"
        case .deviceCallsPerHour: "3600"
        case .devicesPerApp: "5000000"
        case .profileBytes: "32768"
        case .openedNamesPerApp: "1000000"
        case .openedNamesPerDevice: "200"
        case .keepOperationDays: "30"
        case .keepEndedDays: "7"
        case .keepDeviceDays: "180"
        case .keepAuditDays: "90"
        case .keepEventDays: "30"
        case .keepReportDays: "400"
        case .logLevel: "info"
        case .logFormat: "text"
        case .traceRatio: "0.01"
        case .httpTLSCertificateFile, .httpTLSKeyFile, .controlPort, .controlTLSCertificateFile, .controlTLSKeyFile,
            .opsPort, .opsTLSCertificateFile, .opsTLSKeyFile, .panelPort, .panelTLSCertificateFile, .panelTLSKeyFile:
            nil
        case .nodeName, .databaseDirectURL, .trustedProxies, .masterKey, .masterKeyFile, .auditLog, .apnsCAFile,
            .lenientVendors, .labClock,
            .webhookAllowedAddresses, .otlpEndpoint, .eventFiles, .eventFileVendors, .panelURL, .panelOIDCIssuer,
            .panelOIDCClientID,
            .panelOIDCClientSecret, .panelOIDCClientSecretFile, .panelOIDCCreateMembers, .panelProxyHeader,
            .panelRequireProvider:
            nil
        }
    }

    /// Variables for the commands instead of the server.
    package static let commandVariables: Set<String> = ["EYOT_URL", "EYOT_API_KEY", "EYOT_API_KEY_FILE", "EYOT_CONFIG"]
}
