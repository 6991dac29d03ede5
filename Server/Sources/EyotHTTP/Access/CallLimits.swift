/// How often callers may call, and how many bytes of their bodies are held at a time. The counts are in memory, so each
/// node counts its own. 0 means no limit.
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
