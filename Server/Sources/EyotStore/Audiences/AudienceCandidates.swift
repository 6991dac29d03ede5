import EyotDomain

private enum Statements {
    static let alias = SQLStatement(
        """
        SELECT d.id FROM user_aliases a JOIN devices d ON d.app = a.app AND d.external_id = a.external_id \
        WHERE a.app = ?1 AND a.label = ?2 AND a.name = ?3
        """)
    static let tag = SQLStatement(
        """
        SELECT device FROM device_tags WHERE app = ?1 AND tag = ?2 AND tag_group = ?3 AND device > ?4 \
        ORDER BY device LIMIT ?5
        """)
    static let value = SQLStatement(
        """
        SELECT device FROM attribute_values WHERE app = ?1 AND name = ?2 AND kind = ?3 AND value = ?4 AND device > ?5 \
        ORDER BY device LIMIT ?6
        """)
    static let valueOfOwner = SQLStatement(
        """
        SELECT device FROM attribute_values WHERE app = ?1 AND name = ?2 AND kind = ?3 AND value = ?4 AND device > ?5 \
        AND owner = ?7 ORDER BY device LIMIT ?6
        """)

    /// The devices of some users.
    static func users(_ count: Int) -> SQLStatement {
        let list = (0..<count).map { "?\($0 + 2)" }.joined(separator: ", ")
        return SQLStatement(composed: "SELECT id FROM devices WHERE app = ?1 AND external_id IN (\(list))")
    }
}

/// The devices that include all members of an audience, in the order of their ids, in chunks.
struct AudienceCandidates {
    /// How many candidates a chunk has, and how many users are looked up together.
    private static let chunk = 1_000

    private let connection: any SQLConnection
    private let app: AppID
    private let lead: AudienceLead
    /// The devices of named users and named devices, in order, without those already returned.
    private var named: ArraySlice<Int64>
    private var cursor: Int64
    private var isOver = false

    init(_ connection: any SQLConnection, _ lead: AudienceLead, of app: AppID, after id: DeviceID) throws {
        self.connection = connection
        self.app = app
        self.lead = lead
        cursor = id.rawValue
        var ids = Set(lead.devices.map(\.rawValue))
        let users = lead.users.sorted()
        for start in stride(from: 0, to: users.count, by: Self.chunk) {
            let some = users[start..<min(start + Self.chunk, users.count)]
            ids.formUnion(
                try Self.numbers(connection, Statements.users(some.count), [SQLValue(app)] + some.map { SQLValue($0) }))
        }
        for alias in lead.aliases {
            ids.formUnion(
                try Self.numbers(
                    connection, Statements.alias, [SQLValue(app), SQLValue(alias.label), SQLValue(alias.name)]))
        }
        named = ids.filter { $0 > id.rawValue }.sorted()[...]
    }

    /// The next chunk.
    ///
    /// - Returns: nil if there are no more.
    mutating func next() throws -> [DeviceID]? {
        guard !isOver else { return nil }
        var found = Set(named.prefix(Self.chunk))
        // The last id up to which all streams and the named devices have been read.
        var horizon = named.count > Self.chunk ? named[named.startIndex + Self.chunk - 1] : Int64.max
        let limit = SQLValue(Self.chunk)
        for tag in lead.tags {
            let ids = try Self.numbers(
                connection, Statements.tag,
                [SQLValue(app), SQLValue(tag.name), SQLValue(tag.group ?? ""), .integer(cursor), limit])
            if ids.count == Self.chunk, let last = ids.last { horizon = min(horizon, last) }
            found.formUnion(ids)
        }
        for rule in lead.values {
            guard case .equals(let value) = rule.test, let facet = value.facet else { continue }
            let key = [SQLValue(app), SQLValue(rule.name), SQLValue(facet.kind), SQLValue(facet.text)]
            let ids = try Self.numbers(
                connection, rule.owner == nil ? Statements.value : Statements.valueOfOwner,
                key + [.integer(cursor), limit] + (rule.owner.map { [SQLValue($0.rawValue)] } ?? []))
            if ids.count == Self.chunk, let last = ids.last { horizon = min(horizon, last) }
            found.formUnion(ids)
        }
        cursor = horizon
        isOver = horizon == .max
        named = named.drop { $0 <= horizon }
        return found.filter { $0 <= horizon }.sorted().map { DeviceID(rawValue: $0) }
    }

    private static func numbers(
        _ connection: any SQLConnection, _ statement: SQLStatement, _ arguments: [SQLValue]
    ) throws -> [Int64] {
        var numbers: [Int64] = []
        try connection.forEachRow(statement, arguments, numbers: 1) { numbers.append($0[0]) }
        return numbers
    }
}

extension SQLLedger {
    /// Runs the statements that read an audience's devices: one, or one for each chunk of candidates.
    ///
    /// - Parameter body: Reads the rows of a statement, and returns how many there were.
    func forEachQuery(
        of audience: Audience, in app: AppID, _ part: AudienceQuery.Part, _ body: (AudienceQuery) throws -> Int
    ) throws {
        try connection.search { try forEachUnlimitedQuery(of: audience, in: app, part, body) }
    }

    private func forEachUnlimitedQuery(
        of audience: Audience, in app: AppID, _ part: AudienceQuery.Part, _ body: (AudienceQuery) throws -> Int
    ) throws {
        guard case .none = audience.leading.0, let (lead, rest) = audience.lead else {
            _ = try body(AudienceQuery(audience, of: app, part))
            return
        }
        // The whole audience is checked once, so that its limits hold.
        _ = try AudienceQuery(audience, of: app, part, among: [])
        var candidates = try AudienceCandidates(connection, lead, of: app, after: part.id)
        var part = part
        while part.limit > 0, let chunk = try candidates.next() {
            guard !chunk.isEmpty else { continue }
            part.limit -= try body(AudienceQuery(rest, of: app, part, among: chunk[...]))
        }
    }
}
