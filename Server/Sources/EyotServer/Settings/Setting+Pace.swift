extension Setting {
    /// The purposes of the settings for what is under way at a time, and for the stop.
    static let pace: [Setting: String] = [
        .apnsConnectionsPerKey: "Connections to Apple for each APNs key and environment, from 1 to 64.",
        .pushesPerApp:
            "Pushes of one app in flight, from 1000 to 64000. So many older pushes may follow a newer state.",
        .drainSeconds:
            "Seconds between the signal to stop and the stop, in which the server is not ready, from 0 to 600.",
    ]

    /// Whether a running server applies a change of this setting on SIGHUP. All others need a restart.
    package var isReloadable: Bool {
        switch self {
        case .logLevel, .registrationsPerMinute, .failedKeysPerMinute, .keyCallsPerHour, .appCallsPerHour,
            .deviceCallsPerHour, .keepOperationDays, .keepEndedDays, .keepDeviceDays, .keepAuditDays, .keepEventDays,
            .keepReportDays:
            true
        default: false
        }
    }
}
