import EyotDomain

/// The purpose of a listener. Each may have an address of its own, so that a firewall can separate them.
package enum ListenerRole: String, Sendable, CaseIterable {
    /// The device plane. A role without a listener of its own is served here too.
    case http
    /// The control plane and the planes of vendors.
    case control
    /// Only health and readiness.
    case ops
}

extension Route {
    /// The listener that serves the route; nil means all of them.
    var listener: ListenerRole? {
        if plane.keys != .eyot { return .control }
        switch access {
        case .appKey, .deviceSecret: return .http
        case .scopedKey, .scopedOperatorKey: return .control
        // Problems of every listener point to the catalogue of errors.
        case .anybody: return HealthRoutes.paths.contains(path) || ErrorRoutes.paths.contains(path) ? nil : .control
        }
    }
}
