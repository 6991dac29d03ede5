import EyotContract

/// A tag of a user or a device.
package struct Tag: Sendable, Hashable {
    package var name: String
    /// The group of the tag; nil if it is in none.
    package var group: String?

    package init(_ name: String, group: String? = nil) {
        self.name = name
        self.group = group
    }
}

/// A device with everything that an audience may ask for.
package struct AudienceMember: Sendable {
    package var device: Device
    package var tags: [TraitOwner: Set<Tag>]
    /// Attributes by owner. Those under ``TraitOwner/backend`` are the backend's own of the device, and are also among
    /// the device's.
    package var attributes: [TraitOwner: [String: AttributeValue]]
    /// The aliases of its user.
    package var aliases: Set<UserAlias>
    /// The types that can be started on it.
    package var types: Set<String>

    package init(
        _ device: Device, tags: [TraitOwner: Set<Tag>] = [:], attributes: [TraitOwner: [String: AttributeValue]] = [:],
        aliases: Set<UserAlias> = [], types: Set<String> = []
    ) {
        self.device = device
        self.tags = tags
        self.attributes = attributes
        self.aliases = aliases
        self.types = types
    }

    fileprivate func fits(_ rule: AttributeRule) -> Bool {
        said(by: rule.owner).contains { $0[rule.name].map(rule.accepts) ?? false }
    }

    private func said(by owner: TraitOwner?) -> [[String: AttributeValue]] {
        let owners: [TraitOwner] = owner == .backend ? [.user, .backend] : owner.map { [$0] } ?? [.user, .device]
        return owners.compactMap { attributes[$0] }
    }

    fileprivate func has(_ tag: Tag, of owner: TraitOwner?) -> Bool {
        (owner.map { [$0] } ?? TraitOwner.allCases).contains { tags[$0]?.contains(tag) ?? false }
    }
}

extension Audience {
    /// Whether a device belongs to the audience. A segment, a test device or a number of days matches no device until
    /// it is resolved.
    package func contains(_ member: AudienceMember) -> Bool {
        let device = member.device
        switch self {
        case .all: return true
        case .tag(let name, let group, let owner): return member.has(Tag(name, group: group), of: owner)
        case .user(let user): return device.user == user
        case .users(let users): return device.user.map(users.contains) ?? false
        case .device(let id): return device.id == id
        case .devices(let ids): return ids.contains(device.id)
        case .installation(let installation): return device.installation == installation
        case .alias(let alias): return member.aliases.contains(alias)
        case .type(let type): return member.types.contains(type)
        case .osAtLeast(let version): return device.osVersion >= version
        case .osBelow(let version): return device.osVersion < version
        case .appVersion(let version): return device.appVersion == version
        case .appVersionAtLeast(let version): return AppVersion(device.appVersion).map { $0 >= version } ?? false
        case .appVersionBelow(let version): return AppVersion(device.appVersion).map { $0 < version } ?? false
        case .environment(let environment): return device.environment == environment
        case .hasUser(let isProven): return device.user != nil && device.isProven == isProven
        case .attribute(let rule): return member.fits(rule)
        case .seenAfter(let time): return time.fixed.map { device.seenAt > $0 } ?? false
        case .seenBefore(let time): return time.fixed.map { device.seenAt < $0 } ?? false
        case .segment, .testDevice: return false
        case .and(let parts): return parts.allSatisfy { $0.contains(member) }
        case .or(let parts): return parts.contains { $0.contains(member) }
        case .not(let part): return !part.contains(member)
        }
    }
}
