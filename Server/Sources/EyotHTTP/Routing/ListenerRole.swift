import EyotDomain

/// The purpose of a listener. Each may have an address of its own, so that a firewall can separate them.
package enum ListenerRole: String, Sendable, CaseIterable {
    /// The device plane. A role without a listener of its own is served here too.
    case http
    /// The control plane and the planes of vendors.
    case control
    /// Health, readiness and metrics.
    case ops
    /// The panel. Without a listener of its own it is served on that of operations, and never where phones call.
    case panel
}

extension Route {
    /// Whether only a listener of operations serves it. The internet must not read it, so it is not served where
    /// phones call.
    var isForOperations: Bool { path == MetricsRoutes.path }

    /// The name of its plane in metrics.
    var planeName: String {
        if plane.keys != .eyot { return plane.keys.rawValue }
        return switch access {
        case .appKey, .deviceSecret: "device"
        case .scopedKey, .scopedOperatorKey: "control"
        case .anybody: "open"
        }
    }

    /// The listener that serves the route; nil means all of them.
    var listener: ListenerRole? {
        if plane.keys == .panel { return .panel }
        if plane.keys != .eyot { return .control }
        if isForOperations { return .ops }
        switch access {
        case .appKey, .deviceSecret: return .http
        case .scopedKey, .scopedOperatorKey: return .control
        // Problems of every listener point to the catalogue of errors.
        case .anybody: return HealthRoutes.paths.contains(path) || ErrorRoutes.paths.contains(path) ? nil : .control
        }
    }
}
