import APNSWire
import EyotContract
import Synchronization

/// The connections of a sender to one of Apple's services in an environment.
public struct APNSConnections: Sendable, Hashable {
    /// Connections that are being opened, or have not heard Apple's settings yet.
    public var connecting = 0
    /// Connections that take pushes.
    public var ready = 0
    /// Connections that take no more pushes, and wait for answers.
    public var leaving = 0
    /// Failed attempts and connections since the last good answer, of the key with the most.
    public var failures = 0

    /// No connections.
    public init() {}

    static func + (a: APNSConnections, b: APNSConnections) -> APNSConnections {
        var sum = a
        sum.connecting += b.connecting
        sum.ready += b.ready
        sum.leaving += b.leaving
        sum.failures = max(a.failures, b.failures)
        return sum
    }
}

/// The last report of a lane on its connections, for any thread.
final class LaneReport: Sendable {
    private let report = Mutex(APNSConnections())

    var value: APNSConnections {
        get { report.withLock { $0 } }
        set { report.withLock { $0 = newValue } }
    }
}

extension APNSSender {
    /// The connections by service and environment. Services that were not used are missing, and so is the management
    /// of channels, which has one connection for each key.
    public var connections: [APNSService: [PushEnvironment: APNSConnections]] {
        var all: [APNSService: [PushEnvironment: APNSConnections]] = [:]
        for (place, report) in reports {
            all[place.service, default: [:]][place.environment, default: APNSConnections()] =
                (all[place.service]?[place.environment] ?? APNSConnections()) + report
        }
        return all
    }
}
