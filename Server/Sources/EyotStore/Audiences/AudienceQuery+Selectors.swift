import EyotDomain

/// The condition of one selector on a device, called `r`. Every condition is true or false, never unknown. The negation
/// of an unknown condition would be unknown, too.
extension AudienceQuery {
    mutating func selector(_ audience: Audience) throws -> String {
        switch audience {
        case .all: return "1 = 1"
        case .tag(let name, let group, let owner): return tag(Tag(name, group: group), of: owner)
        case .user(let user):
            return "(r.external_id IS NOT NULL AND r.external_id = \(parameter(SQLValue(user))))"
        case .users(let users):
            return "(r.external_id IS NOT NULL AND r.external_id IN (\(list(users.map { SQLValue($0) }))))"
        case .device(let id): return "r.id = \(parameter(SQLValue(id)))"
        case .devices(let ids): return "r.id IN (\(list(ids.map { SQLValue($0) })))"
        case .installation(let installation): return "r.installation = \(parameter(SQLValue(installation)))"
        case .alias(let alias):
            return """
                EXISTS (SELECT 1 FROM user_aliases a WHERE a.app = ?1 AND a.label = \(parameter(SQLValue(alias.label))) \
                AND a.name = \(parameter(SQLValue(alias.name))) AND a.external_id = r.external_id)
                """
        case .type(let type):
            return """
                EXISTS (SELECT 1 FROM start_tokens s WHERE s.device = r.id AND s.type = \(parameter(SQLValue(type))) \
                AND s.death_reason IS NULL)
                """
        case .osAtLeast(let version):
            let major = parameter(SQLValue(version.major))
            let minor = parameter(SQLValue(version.minor))
            return "(r.os_major > \(major) OR (r.os_major = \(major) AND r.os_minor >= \(minor)))"
        case .osBelow(let version):
            let major = parameter(SQLValue(version.major))
            let minor = parameter(SQLValue(version.minor))
            return "(r.os_major < \(major) OR (r.os_major = \(major) AND r.os_minor < \(minor)))"
        case .appVersion(let version): return "r.app_version = \(parameter(SQLValue(version)))"
        case .appVersionAtLeast(let version):
            return "(r.app_version_order <> '' AND r.app_version_order >= \(parameter(SQLValue(version.order))))"
        case .appVersionBelow(let version):
            return "(r.app_version_order <> '' AND r.app_version_order < \(parameter(SQLValue(version.order))))"
        case .environment(let environment): return "r.environment = \(parameter(SQLValue(environment)))"
        case .hasUser(let isProven): return "(r.external_id IS NOT NULL AND r.proven = \(isProven ? 1 : 0))"
        case .attribute(let rule): return try attribute(rule)
        case .seenAfter(let time): return "r.seen_at > \(parameter(SQLValue(try fixed(time))))"
        case .seenBefore(let time): return "r.seen_at < \(parameter(SQLValue(try fixed(time))))"
        case .segment, .testDevice, .and, .or, .not: throw unresolved
        }
    }

    private mutating func tag(_ tag: Tag, of owner: TraitOwner?) -> String {
        let (name, group) = (parameter(SQLValue(tag.name)), parameter(SQLValue(tag.group ?? "")))
        let same = "t.tag = \(name) AND t.tag_group = \(group)"
        let all = "EXISTS (SELECT 1 FROM device_tags t WHERE t.app = ?1 AND \(same) AND t.device = r.id)"
        let users = """
            EXISTS (SELECT 1 FROM user_tags t WHERE t.app = ?1 AND t.external_id = r.external_id AND \(same))
            """
        let own = "SELECT 1 FROM device_own_tags t WHERE t.device = r.id AND \(same)"
        return switch owner {
        case nil: all
        case .user: users
        case .device: "EXISTS (\(own))"
        case .backend: "(\(users) OR EXISTS (\(own) AND t.source = 'backend'))"
        }
    }

    private var unresolved: EyotError {
        EyotError(.internalFault, "an audience was looked for before its segments and days were resolved")
    }

    private func fixed(_ time: AudienceTime) throws -> Instant {
        guard let moment = time.fixed else { throw unresolved }
        return moment
    }

    private mutating func attribute(_ rule: AttributeRule) throws -> String {
        let name = parameter(SQLValue(rule.name))
        let owner = rule.owner.map { " AND v.\(Self.condition(on: $0))" } ?? ""
        return """
            EXISTS (SELECT 1 FROM attribute_values v WHERE v.device = r.id AND v.name = \(name)\(owner) \
            AND \(try test(rule.test)))
            """
    }

    /// The condition on the owner of a row of `attribute_values`. The caller may put a table's name before it.
    static func condition(on owner: TraitOwner) -> String {
        switch owner {
        case .user, .device: "owner = '\(owner.rawValue)'"
        case .backend: "by_backend = 1"
        }
    }

    private mutating func test(_ test: AttributeRule.Test) throws -> String {
        switch test {
        case .exists: return "1 = 1"
        case .equals(let value):
            guard let facet = value.facet else { return "1 = 0" }
            return compared(facet, "=")
        case .contains(let part):
            let text = parameter(SQLValue(part))
            return """
                ((v.kind = '\(AttributeFacet.Kind.text)' AND REPLACE(v.value, \(text), '') <> v.value) \
                OR (v.kind = '\(AttributeFacet.Kind.element)' AND v.value = \(text)))
                """
        case .atLeast(let bound): return compared(.number(bound), ">=")
        case .above(let bound): return compared(.number(bound), ">")
        case .atMost(let bound): return compared(.number(bound), "<=")
        case .below(let bound): return compared(.number(bound), "<")
        case .before(let time): return compared(.moment(try fixed(time)), "<")
        case .after(let time): return compared(.moment(try fixed(time)), ">")
        }
    }

    private mutating func compared(_ facet: AttributeFacet, _ sign: String) -> String {
        "v.kind = '\(facet.kind)' AND v.value \(sign) \(parameter(SQLValue(facet.text)))"
    }
}
