import EyotDomain

private enum Statements {
    static let insert = MemberList.table.insertNew
    static let lists = MemberList.table.select("WHERE r.id > ?1 ORDER BY r.id LIMIT ?2")
    static let ofActivity = MemberList.table.select("WHERE r.activity = ?1 ORDER BY r.id LIMIT ?2")
    static let ofAppAfter = MemberList.table.select("WHERE r.app = ?1 AND r.id > ?2 ORDER BY r.id LIMIT ?3")
    static let ofApp = SQLStatement("SELECT id FROM member_lists WHERE app = ?1 LIMIT ?2")
    static let update = MemberList.table.update
    static let remove = SQLStatement("DELETE FROM member_lists WHERE id = ?1")
    static let insertChunk = SQLStatement("INSERT INTO member_chunks (list, last, members) VALUES (?1, ?2, ?3)")
    static let chunk = SQLStatement(
        "SELECT members FROM member_chunks WHERE list = ?1 AND last > ?2 ORDER BY last LIMIT 1")
    static let removeChunks = SQLStatement("DELETE FROM member_chunks WHERE list = ?1 AND last <= ?2")
}

extension SQLLedger {
    package func deviceIDs(
        in audience: Audience, of app: AppID, after id: DeviceID, limit: Int
    ) throws -> [DeviceID] {
        try numbers(of: audience, in: app, .init(id: id, limit: limit, selection: .ids)).map { DeviceID(rawValue: $0) }
    }

    package func isMember(_ device: DeviceID, of audience: Audience, in app: AppID) throws -> Bool {
        let query = try AudienceQuery(audience, of: app, .init(limit: 1, selection: .ids), among: [device])
        var isMember = false
        try connection.search {
            isMember = try !connection.rows(query.statement, query.arguments) { try $0.number() }.isEmpty
        }
        return isMember
    }

    package func ordinals(
        of activity: ActivityID, in audience: Audience, of app: AppID, limit: Int
    ) throws -> [Int] {
        try numbers(of: audience, in: app, .init(limit: limit, selection: .ordinals(of: activity))).map(Int.init)
    }

    private func numbers(
        of audience: Audience, in app: AppID, _ part: AudienceQuery.Part
    ) throws -> [Int64] {
        var numbers: [Int64] = []
        try forEachQuery(of: audience, in: app, part) { query in
            var found: [Int64] = []
            try connection.forEachRow(query.statement, query.arguments, numbers: 1) { found.append($0[0]) }
            // Among candidates a statement reads in no order.
            if case .ids = part.selection { found.sort() }
            numbers += found
            return found.count
        }
        return numbers
    }

    package func insert(_ list: MemberList, members: [MemberRuns]) throws -> MemberList {
        var stored = list
        stored.id = try insertNew(list, Statements.insert)
        for chunk in members {
            try connection.queue(
                Statements.insertChunk, [.integer(stored.id), .integer(chunk.last), .blob(chunk.bytes)])
        }
        return stored
    }

    package func memberLists(after id: Int64, limit: Int) throws -> [MemberList] {
        try all(Statements.lists, .integer(id), SQLValue(limit))
    }

    package func memberLists(of app: AppID, after id: Int64, limit: Int) throws -> [MemberList] {
        try all(Statements.ofAppAfter, SQLValue(app), .integer(id), SQLValue(limit))
    }

    package func memberLists(of activity: ActivityID, limit: Int) throws -> [MemberList] {
        try all(Statements.ofActivity, SQLValue(activity), SQLValue(limit))
    }

    package func memberListCount(of app: AppID, limit: Int) throws -> Int {
        try connection.rows(Statements.ofApp, [SQLValue(app), SQLValue(limit)]) { try $0.number() }.count
    }

    package func pending(of list: MemberList, limit: Int) throws -> [Int64] {
        let chunks = try connection.rows(Statements.chunk, [.integer(list.id), .integer(list.processed)]) { columns in
            try MemberRuns.numbers(in: columns.bytes(), after: list.processed, limit: limit)
        }
        guard let chunk = chunks.first else { return [] }
        guard let numbers = chunk else { throw StoreError.unreadable(column: 0, expected: "members") }
        return numbers
    }

    package func update(_ list: MemberList) throws {
        try update(list, Statements.update)
        try connection.queue(Statements.removeChunks, [.integer(list.id), .integer(list.processed)])
    }

    package func remove(_ list: MemberList) throws {
        try connection.queue(Statements.removeChunks, [.integer(list.id), .integer(.max)])
        try connection.queue(Statements.remove, [.integer(list.id)])
    }
}
