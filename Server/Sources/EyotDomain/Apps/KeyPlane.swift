/// Which API a backend's key is good for. A vendor's exists for a server once there is a key for it.
package enum KeyPlane: String, Sendable, Hashable, CaseIterable {
    /// Our own control plane.
    case eyot
    case netmera, airship, braze, insider
}
