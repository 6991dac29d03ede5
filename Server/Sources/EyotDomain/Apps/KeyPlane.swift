/// The API that a backend's key is for, by its name. A vendor's API exists on a server when there is a key for it.
package struct KeyPlane: RawRepresentable, Sendable, Hashable {
    package let rawValue: String

    package init(rawValue: String) { self.rawValue = rawValue }

    /// Eyot's own control plane.
    package static let eyot = KeyPlane(rawValue: "eyot")

    /// The panel. No secret opens its keys: each stands for what a member may do in an app.
    package static let panel = KeyPlane(rawValue: "panel")
}
