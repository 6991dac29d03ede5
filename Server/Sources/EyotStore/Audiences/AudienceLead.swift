import EyotDomain

/// The parts of an audience by which an index can find its members.
struct AudienceLead {
    var users: Set<String> = []
    var devices: Set<DeviceID> = []
    var aliases: Set<UserAlias> = []
    var tags: Set<Tag> = []
    var values: Set<AttributeRule> = []

    /// How many tags and values are read side by side.
    static let streamLimit = 64

    var streams: Int { tags.count + values.count }

    /// The order of preference, lower first. A user has fewer devices than a tag or a value.
    fileprivate var rank: (Int, Int) {
        (streams == 0 ? 0 : tags.isEmpty ? 1 : 2, users.count + devices.count + aliases.count + streams)
    }

    fileprivate mutating func formUnion(_ other: AudienceLead) {
        users.formUnion(other.users)
        devices.formUnion(other.devices)
        aliases.formUnion(other.aliases)
        tags.formUnion(other.tags)
        values.formUnion(other.values)
    }
}

extension Audience {
    enum Leader {
        case none
        case tag(Tag)
        case value(AttributeRule, AttributeFacet)
    }

    /// The tag or value that every member has, if it is all that an index can use, and the conditions that remain.
    var leading: (Leader, rest: Audience) {
        guard let (lead, rest) = lead, lead.streams == 1, lead.rank.1 == 1 else { return (.none, self) }
        if let tag = lead.tags.first { return (.tag(tag), rest) }
        if let rule = lead.values.first, case .equals(let value) = rule.test, let facet = value.facet {
            return (.value(rule, facet), rest)
        }
        return (.none, self)
    }

    /// The lead that all members belong to, and the conditions that remain. Nil if no index helps, so that all devices
    /// must be looked at.
    var lead: (lead: AudienceLead, rest: Audience)? {
        switch self {
        case .user(let user): return (AudienceLead(users: [user]), .all)
        case .users(let users): return (AudienceLead(users: Set(users)), .all)
        case .device(let id): return (AudienceLead(devices: [id]), .all)
        case .devices(let ids): return (AudienceLead(devices: Set(ids)), .all)
        case .alias(let alias): return (AudienceLead(aliases: [alias]), .all)
        case .tag(let name, let group, let owner):
            return (AudienceLead(tags: [Tag(name, group: group)]), owner == nil ? .all : self)
        case .attribute(let rule):
            guard case .equals(let value) = rule.test, value.facet != nil else { return nil }
            guard rule.owner == .backend else { return (AudienceLead(values: [rule]), .all) }
            return (AudienceLead(values: [AttributeRule(rule.name, rule.test)]), self)
        case .and(let parts): return Self.best(of: parts)
        case .or(let parts):
            var union = AudienceLead()
            var isWhole = true
            for part in parts {
                guard let (lead, rest) = part.lead else { return nil }
                union.formUnion(lead)
                isWhole = isWhole && rest == .all
            }
            guard union.streams <= AudienceLead.streamLimit else { return nil }
            return (union, isWhole ? .all : self)
        case .all, .installation, .type, .osAtLeast, .osBelow, .appVersion, .appVersionAtLeast, .appVersionBelow,
            .environment, .hasUser, .seenAfter, .seenBefore, .segment, .testDevice, .not:
            return nil
        }
    }

    private static func best(of parts: [Audience]) -> (AudienceLead, Audience)? {
        var best: (index: Int, lead: AudienceLead, rest: Audience)?
        for (index, part) in parts.enumerated() {
            guard let (lead, rest) = part.lead else { continue }
            if let best, best.lead.rank <= lead.rank { continue }
            best = (index, lead, rest)
        }
        guard let best else { return nil }
        var others = parts
        others[best.index] = best.rest
        if best.rest == .all { others.remove(at: best.index) }
        return (best.lead, others.isEmpty ? .all : .and(others))
    }
}
