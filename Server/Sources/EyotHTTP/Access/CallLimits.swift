import EyotDomain

/// How often callers may call, and how many bytes of their bodies are held at a time. 0 means no limit.
/// Nodes on one database count together, except for the bytes.
package struct CallLimits: Sendable, Hashable {
    /// Calls of the control plane that one key may make within an hour.
    package var keyCallsPerHour = 0
    /// The same for all keys of an app together. The operator's calls count too if they name the app.
    package var appCallsPerHour = 0
    /// Unknown keys that one address may show within a minute.
    package var failedKeysPerMinute = 0
    /// Calls of the device plane that one device may make within an hour.
    package var deviceCallsPerHour = 0
    /// How many registrations of unknown installations one address may make for an app within a minute. Unknown device
    /// secrets of an address have the same limit.
    package var registrationsPerMinute = 0
    /// Bytes of request bodies that the server holds at a time, for all calls together.
    package var bodyBytes = 0

    package init() {}
}

extension CallLimits {
    var ofKeys: RateLimit<Int64> { RateLimit(keyCallsPerHour, each: 3_600) }
    var ofApps: RateLimit<Int64> { RateLimit(appCallsPerHour, each: 3_600) }
    var ofDevices: RateLimit<Int64> { RateLimit(deviceCallsPerHour, each: 3_600, sources: 100_000) }
    var ofFailedKeys: RateLimit<String> { RateLimit(failedKeysPerMinute, each: 60) }
    var ofFailedSecrets: RateLimit<String> { RateLimit(registrationsPerMinute, each: 60) }
}
