/// The API that a backend's key is for. A vendor's API exists on a server when there is a key for it.
package enum KeyPlane: String, Sendable, Hashable, CaseIterable {
    /// Eyot's own control plane.
    case eyot
    case netmera, airship, braze, insider
}
