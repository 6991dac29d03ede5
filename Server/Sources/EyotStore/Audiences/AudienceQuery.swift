import EyotDomain

/// An audience as a statement that reads its devices in the order of their ids.
///
/// Where the audience demands a tag, they are read from the devices with that tag; otherwise from the app's devices. Either
/// way a page of them costs what it looks at, not what the audience holds.
struct AudienceQuery {
    private(set) var arguments: [SQLValue]
    private(set) var statement = SQLStatement("")
    private var selectors = 0
    /// By what the devices are in order, so that an index can give them so.
    private var order = "r.id"

    /// What is read of each device.
    enum Selection {
        case devices, ids
        /// The ordinals of its replicas of an activity.
        case ordinals(of: ActivityID)
        /// Their versions of the app, each once.
        case builds
        /// The same of those that have a replica of an activity.
        case buildsWithReplica(of: ActivityID)
    }

    /// - Throws: ``EyotError`` where the expression is larger or deeper than ``Audience`` allows.
    init(
        _ audience: Audience, of app: AppID, after id: DeviceID = DeviceID(rawValue: 0), limit: Int,
        selecting selection: Selection = .devices
    ) throws {
        arguments = [SQLValue(app), SQLValue(id), SQLValue(limit)]
        let rest = try members(of: audience)
        switch selection {
        case .devices:
            statement = SQLStatement(composed: Device.table.selectText("\(rest) ORDER BY \(order) LIMIT ?3"))
        case .ids:
            statement = SQLStatement(composed: "SELECT r.id FROM devices r \(rest) ORDER BY \(order) LIMIT ?3")
        case .builds:
            statement = SQLStatement(composed: "SELECT DISTINCT r.app_version FROM devices r \(rest) LIMIT ?3")
        case .buildsWithReplica(let activity):
            statement = SQLStatement(
                composed: """
                    SELECT DISTINCT d.app_version FROM replicas x JOIN devices d ON d.id = x.device \
                    WHERE x.activity = \(parameter(SQLValue(activity))) \
                    AND x.device IN (SELECT r.id FROM devices r \(rest)) LIMIT ?3
                    """)
        case .ordinals(let activity):
            // Which replicas there are is asked device by device: the activity may have very many more.
            statement = SQLStatement(
                composed: """
                    SELECT x.ordinal FROM replicas x WHERE x.activity = \(parameter(SQLValue(activity))) \
                    AND x.device IN (SELECT r.id FROM devices r \(rest)) LIMIT ?3
                    """)
        }
    }

    /// Whoever belongs, as the end of a selection from devices, called `r`.
    private mutating func members(of audience: Audience) throws -> String {
        let (tag, rest) = audience.leading
        guard let tag else { return "WHERE r.app = ?1 AND r.id > ?2 AND \(try condition(audience, depth: 1))" }
        try count(1)
        order = "l.device"
        let leader = parameter(SQLValue(tag))
        return """
            JOIN device_tags l ON l.device = r.id WHERE l.app = ?1 AND l.tag = \(leader) AND l.device > ?2 \
            AND r.app = ?1 AND \(try condition(rest, depth: 1))
            """
    }

    private mutating func condition(_ audience: Audience, depth: Int) throws -> String {
        guard depth <= Audience.depthLimit else {
            throw EyotError(
                .fieldInvalid, "the audience nests deeper than \(Audience.depthLimit) levels", field: "audience")
        }
        try count(1)
        switch audience {
        case .all: return "1 = 1"
        case .tag(let tag):
            return """
                EXISTS (SELECT 1 FROM device_tags t WHERE t.app = ?1 AND t.tag = \(parameter(SQLValue(tag))) \
                AND t.device = r.id)
                """
        case .user(let user):
            // An anonymous device is not this user, rather than unknown: else its negation would be unknown too.
            return "(r.external_id IS NOT NULL AND r.external_id = \(parameter(SQLValue(user))))"
        case .device(let id): return "r.id = \(parameter(SQLValue(id)))"
        case .osAtLeast(let version):
            let major = parameter(SQLValue(version.major))
            let minor = parameter(SQLValue(version.minor))
            return "(r.os_major > \(major) OR (r.os_major = \(major) AND r.os_minor >= \(minor)))"
        case .appVersion(let version): return "r.app_version = \(parameter(SQLValue(version)))"
        case .and(let parts): return try joined(parts, by: "AND", empty: "1 = 1", depth: depth)
        case .or(let parts): return try joined(parts, by: "OR", empty: "1 = 0", depth: depth)
        case .not(let part): return "NOT \(try condition(part, depth: depth + 1))"
        }
    }

    private mutating func joined(_ parts: [Audience], by word: String, empty: String, depth: Int) throws -> String {
        var conditions: [String] = []
        for part in parts { conditions.append(try condition(part, depth: depth + 1)) }
        // Paired up like a tree: databases limit how deep an expression nests, and a long row of ORs nests.
        while conditions.count > 1 {
            conditions = stride(from: 0, to: conditions.count, by: 2).map { index in
                index + 1 < conditions.count
                    ? "(\(conditions[index]) \(word) \(conditions[index + 1]))" : conditions[index]
            }
        }
        return conditions.first ?? empty
    }

    private mutating func count(_ more: Int) throws {
        selectors += more
        guard selectors <= Audience.selectorLimit else {
            throw EyotError(
                .fieldInvalid, "the audience has more than \(Audience.selectorLimit) selectors", field: "audience")
        }
    }

    private mutating func parameter(_ value: SQLValue) -> String {
        arguments.append(value)
        return "?\(arguments.count)"
    }
}

extension Audience {
    /// A tag that every member has, where there is one, and what else is asked of them.
    fileprivate var leading: (tag: String?, rest: Audience) {
        switch self {
        case .tag(let tag): return (tag, .all)
        case .and(let parts):
            for (index, part) in parts.enumerated() {
                guard case .tag(let tag) = part else { continue }
                var rest = parts
                rest.remove(at: index)
                return (tag, .and(rest))
            }
            return (nil, self)
        case .all, .user, .device, .osAtLeast, .appVersion, .or, .not: return (nil, self)
        }
    }
}
