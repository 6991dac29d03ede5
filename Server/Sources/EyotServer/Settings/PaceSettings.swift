import APNSSender
import EyotEngine

/// How much is under way at a time, and how long a stop takes.
package struct PaceSettings: Sendable, Equatable {
    /// Pushes of one app that are in flight at a time (R2).
    package var pushesPerApp: Int
    /// Connections to Apple for each APNs key and environment.
    package var connectionsPerKey: Int
    /// Seconds from the signal to the stop. Meanwhile the server answers calls, and is not ready.
    package var drainSeconds: Double

    /// The least is one page, because a page of the ring is taken as a whole. The most is what the sender queues for a
    /// key.
    private static let pushes = 1_000...64_000
    private static let connections = 1...64
    private static let drain = 0...600

    init(_ values: SettingValues) throws(SettingError) {
        pushesPerApp = try Self.number(.pushesPerApp, Self.pushes, values)
        connectionsPerKey = try Self.number(.apnsConnectionsPerKey, Self.connections, values)
        drainSeconds = Double(try Self.number(.drainSeconds, Self.drain, values))
    }

    private static func number(
        _ setting: Setting, _ range: ClosedRange<Int>, _ values: SettingValues
    ) throws(SettingError) -> Int {
        try values.value(
            setting, "a whole number from \(range.lowerBound) to \(range.upperBound)", ServerConfiguration.number(range)
        )
    }

    /// The engine's limits. All apps together have at least four times the room of one, so that one app can use its
    /// room.
    package var engineLimits: EngineCore.Limits {
        var limits = EngineCore.Limits()
        limits.pushesPerApp = pushesPerApp
        limits.pushesInFlight = max(limits.pushesInFlight, 4 * pushesPerApp)
        return limits
    }
}
