import EyotContract

/// Which devices a start or a scope is meant for.
package indirect enum Audience: Sendable, Hashable {
    case all
    /// Devices that have this tag, or whose user has it.
    case tag(String)
    /// Devices of this user, by the customer's id.
    case user(String)
    /// This device, by the server's id.
    case device(DeviceID)
    /// Devices that run at least this version of iOS.
    case osAtLeast(OSVersion)
    /// Devices with this version and build of the app, for example `1.4 (27)`.
    case appVersion(String)
    case and([Audience])
    case or([Audience])
    case not(Audience)

    /// The most selectors in one expression.
    package static let selectorLimit = 1_000
    /// How deep an expression may nest.
    package static let depthLimit = 16

    /// Whether a device belongs.
    ///
    /// - Parameter tags: the device's own, and those of its user.
    package func contains(_ device: Device, tags: Set<String>) -> Bool {
        switch self {
        case .all: true
        case .tag(let tag): tags.contains(tag)
        case .user(let user): device.user == user
        case .device(let id): device.id == id
        case .osAtLeast(let version): device.osVersion >= version
        case .appVersion(let version): device.appVersion == version
        case .and(let parts): parts.allSatisfy { $0.contains(device, tags: tags) }
        case .or(let parts): parts.contains { $0.contains(device, tags: tags) }
        case .not(let part): !part.contains(device, tags: tags)
        }
    }
}
