/// How often callers may call, and how much of that is held at a time. In memory, so that each node counts its own; 0
/// is without limit.
package struct CallLimits: Sendable, Hashable {
    /// Calls of the control plane that one key may make within an hour.
    package var keyCallsPerHour = 0
    /// The same for all keys of an app together, and for the operator's where they name the app.
    package var appCallsPerHour = 0
    /// Unknown keys that one address may show within a minute.
    package var failedKeysPerMinute = 0
    /// Calls of the device plane that one device may make within an hour.
    package var deviceCallsPerHour = 0
    /// Registrations of installations that are not known yet that one address may make for an app within a minute, and unknown
    /// device secrets that it may show.
    package var registrationsPerMinute = 0
    /// Bytes of bodies that are held at a time, of all calls together.
    package var bodyBytes = 0

    package init() {}
}
