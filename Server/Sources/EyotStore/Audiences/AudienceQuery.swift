import EyotDomain

/// An audience as a statement that reads its devices in the order of their ids.
///
/// If the audience requires a tag or a value of an attribute, the statement reads the devices that have it. If the
/// devices must be among given candidates, it reads those, in no order if all may be read. Otherwise it reads the app's
/// devices. The cost of a page depends on the rows it looks at, not on the size of the audience.
struct AudienceQuery {
    private(set) var arguments: [SQLValue]
    private(set) var statement = SQLStatement("")
    private var selectors = 0
    private var connectives = 0
    /// The column that the devices are ordered by, chosen so that an index has this order.
    private var order = "r.id"
    private let limit: String

    /// The data that is read of each device.
    enum Selection {
        case devices, ids
        /// The ordinals of the devices' replicas of an activity.
        case ordinals(of: ActivityID)
        /// The devices' versions of the app, each once.
        case builds
        /// The same, of devices that have a replica of an activity.
        case buildsWithReplica(of: ActivityID)
    }

    /// The part of an audience that is read.
    struct Part {
        /// The id that the first device comes after.
        var id = DeviceID(rawValue: 0)
        /// How many devices are read at most.
        var limit: Int
        var selection = Selection.devices
    }

    /// - Parameter candidates: The devices that the result must be among; nil for no restriction.
    /// - Throws: ``EyotError`` if the expression is larger or deeper than ``Audience`` allows, or was not resolved.
    init(
        _ audience: Audience, of app: AppID, _ part: Part, among candidates: ArraySlice<DeviceID>? = nil
    ) throws {
        arguments = [SQLValue(app)] + (candidates == nil ? [SQLValue(part.id)] : []) + [SQLValue(part.limit)]
        self.limit = "?\(arguments.count)"
        let rest = try members(of: audience, among: candidates)
        // Of more candidates than the limit, the first ones are read. Otherwise their order does not matter.
        let isOrdered = candidates.map { $0.count > part.limit } ?? true
        let ordered = isOrdered ? "ORDER BY \(order) " : ""
        switch part.selection {
        case .devices:
            statement = SQLStatement(composed: Device.table.selectText("\(rest) \(ordered)LIMIT \(self.limit)"))
        case .ids:
            statement = SQLStatement(composed: "SELECT r.id FROM devices r \(rest) \(ordered)LIMIT \(self.limit)")
        case .builds:
            statement = SQLStatement(
                composed: "SELECT DISTINCT r.app_version FROM devices r \(rest) LIMIT \(self.limit)")
        case .buildsWithReplica(let activity):
            statement = SQLStatement(
                composed: """
                    SELECT DISTINCT d.app_version FROM replicas x JOIN devices d ON d.id = x.device \
                    WHERE x.activity = \(parameter(SQLValue(activity))) \
                    AND x.device IN (SELECT r.id FROM devices r \(rest)) LIMIT \(self.limit)
                    """)
        case .ordinals(let activity):
            // Replicas are looked up device by device, because the activity may have very many.
            statement = SQLStatement(
                composed: """
                    SELECT x.ordinal FROM replicas x WHERE x.activity = \(parameter(SQLValue(activity))) \
                    AND x.device IN (SELECT r.id FROM devices r \(rest)) LIMIT \(self.limit)
                    """)
        }
    }

    /// The end of a selection from devices, called `r`, that restricts it to the audience's members.
    private mutating func members(of audience: Audience, among candidates: ArraySlice<DeviceID>?) throws -> String {
        if let candidates {
            // The sum keeps SQLite from using the index of the app's devices. Each of the few candidates is found by
            // its id.
            return """
                WHERE r.id IN (\(list(candidates.map { SQLValue($0) }))) AND r.app + 0 = ?1 AND r.forgotten = 0 \
                AND \(try condition(audience, depth: 1))
                """
        }
        switch audience.leading {
        case (.tag(let tag), let rest):
            try count(1)
            order = "l.device"
            let name = parameter(SQLValue(tag.name))
            let group = parameter(SQLValue(tag.group ?? ""))
            return """
                JOIN device_tags l ON l.device = r.id WHERE l.app = ?1 AND l.tag = \(name) AND l.tag_group = \(group) \
                AND l.device > ?2 AND r.app = ?1 AND r.forgotten = 0 AND \(try condition(rest, depth: 1))
                """
        case (.value(let rule, let facet), let rest):
            try count(1)
            order = "l.device"
            let values = [rule.name, facet.kind, facet.text].map { parameter(SQLValue($0)) }
            // A value that both the device and its user have is read once.
            let once = """
                (l.owner = 'device' OR NOT EXISTS (SELECT 1 FROM attribute_values o WHERE o.device = l.device \
                AND o.name = l.name AND o.kind = l.kind AND o.value = l.value AND o.owner = 'device'))
                """
            return """
                JOIN attribute_values l ON l.device = r.id WHERE l.app = ?1 AND l.name = \(values[0]) \
                AND l.kind = \(values[1]) AND l.value = \(values[2]) AND l.device > ?2 AND r.app = ?1 AND r.forgotten = 0 \
                AND \(rule.owner.map { "l.\(Self.condition(on: $0))" } ?? once) \
                AND \(try condition(rest, depth: 1))
                """
        case (.none, _):
            return "WHERE r.app = ?1 AND r.id > ?2 AND r.forgotten = 0 AND \(try condition(audience, depth: 1))"
        }
    }

    private mutating func condition(_ audience: Audience, depth: Int) throws -> String {
        guard depth <= Audience.resolvedDepthLimit else {
            throw EyotError(
                .fieldInvalid, "the audience nests deeper than \(Audience.depthLimit) levels", field: "audience")
        }
        switch audience {
        case .and(let parts):
            try connect()
            return try joined(parts, by: "AND", empty: "1 = 1", depth: depth)
        case .or(let parts):
            try connect()
            return try joined(parts, by: "OR", empty: "1 = 0", depth: depth)
        case .not(let part):
            try connect()
            return "NOT \(try condition(part, depth: depth + 1))"
        default:
            try count(1)
            return try selector(audience)
        }
    }

    private mutating func joined(_ parts: [Audience], by word: String, empty: String, depth: Int) throws -> String {
        var conditions: [String] = []
        for part in parts { conditions.append(try condition(part, depth: depth + 1)) }
        // Paired like a tree, because databases limit the depth of an expression, and a long row of ORs is deep.
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
        guard selectors <= Audience.resolvedSelectorLimit else {
            throw EyotError(
                .fieldInvalid, "the audience has more than \(Audience.selectorLimit) selectors", field: "audience")
        }
    }

    private mutating func connect() throws {
        connectives += 1
        guard connectives <= Audience.resolvedConnectiveLimit else {
            throw EyotError(
                .fieldInvalid, "the audience uses and, or and not more than \(Audience.connectiveLimit) times",
                field: "audience")
        }
    }

    mutating func parameter(_ value: SQLValue) -> String {
        arguments.append(value)
        return "?\(arguments.count)"
    }

    mutating func list(_ values: [SQLValue]) -> String {
        let first = arguments.count + 1
        arguments += values
        return values.indices.map { "?\(first + $0)" }.joined(separator: ", ")
    }
}
