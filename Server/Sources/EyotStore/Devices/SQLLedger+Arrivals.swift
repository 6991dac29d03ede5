import EyotDomain

private enum Statements {
    /// Arrivals whose devices are kept in order together. Few enough that a group of arrivals that are appended together
    /// changes few pages of the index, and so many that a full log has few parts to look for a device in.
    private static let partLength = 32_768
    static let append = Arrival.table.insertNew(
        adding: ("part", "(SELECT COALESCE(MAX(id), 0) / \(partLength) FROM arrivals)"))
    static let arrival = Arrival.table.select("WHERE r.id = ?1")
    static let part = SQLStatement("SELECT MIN(part) FROM arrivals WHERE part > ?1")
    static let ofDevice = Arrival.table.select("WHERE r.part = ?1 AND r.device = ?2 ORDER BY r.id")
    static let places = SQLStatement(
        "SELECT id, device, activity, ordinal FROM arrivals WHERE app = ?1 ORDER BY id LIMIT ?2")
    static let oldest = SQLStatement("SELECT MIN(id) FROM arrivals")
    static let newest = SQLStatement("SELECT MAX(id) FROM arrivals")
    static let oldestOfApp = SQLStatement("SELECT id FROM arrivals WHERE app = ?1 ORDER BY id LIMIT 1")
    static let newestOfApp = SQLStatement("SELECT id FROM arrivals WHERE app = ?1 ORDER BY id DESC LIMIT 1")
    static let remove = SQLStatement("DELETE FROM arrivals WHERE id = ?1")
}

extension SQLLedger {
    package func append(_ arrival: Arrival) throws {
        try connection.execute(Statements.append, Array(arrival.values.dropFirst()))
    }

    package func arrival(_ id: Int64) throws -> Arrival? { try first(Statements.arrival, .integer(id)) }

    package func arrivals(of device: DeviceID) throws -> [Arrival] {
        var arrivals: [Arrival] = []
        var passed: Int64 = -1
        while let part = try part(after: passed) {
            arrivals += try all(Statements.ofDevice, .integer(part), SQLValue(device))
            passed = part
        }
        return arrivals
    }

    private func part(after passed: Int64) throws -> Int64? {
        try connection.rows(Statements.part, [.integer(passed)]) { try $0.optionalNumber() }.first.flatMap(\.self)
    }

    package func arrivalPlaces(of app: AppID, limit: Int) throws -> [ArrivalPlace] {
        var places: [ArrivalPlace] = []
        try connection.forEachRow(Statements.places, [SQLValue(app), SQLValue(limit)], numbers: 4) { row in
            places.append(
                ArrivalPlace(
                    id: row[0], device: DeviceID(rawValue: row[1]), activity: ActivityID(rawValue: row[2]),
                    ordinal: Int(row[3])))
        }
        return places
    }

    package func arrivalSpan() throws -> Int {
        try span([Statements.oldest, Statements.newest], [])
    }

    package func arrivalSpan(of app: AppID) throws -> Int {
        try span([Statements.oldestOfApp, Statements.newestOfApp], [SQLValue(app)])
    }

    private func span(_ statements: [SQLStatement], _ arguments: [SQLValue]) throws -> Int {
        let ends = try statements.compactMap { statement in
            try connection.rows(statement, arguments) { try $0.optionalInteger() }.first.flatMap(\.self)
        }
        return ends.count == 2 ? ends[1] - ends[0] + 1 : 0
    }

    package func removeArrival(_ id: Int64) throws { try connection.execute(Statements.remove, [.integer(id)]) }
}
