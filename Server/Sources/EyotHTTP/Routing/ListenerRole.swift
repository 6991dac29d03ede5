import EyotDomain

/// What a listener is for. Each may have an address of its own, so that a firewall can part them.
package enum ListenerRole: String, Sendable, CaseIterable {
    /// The device plane. What has no listener of its own is on this one, too.
    case http
    /// The control plane, and the planes of vendors.
    case control
    /// Health and readiness, and nothing else.
    case ops
}

extension Route {
    /// The listener that the route is on; nil is every one.
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
