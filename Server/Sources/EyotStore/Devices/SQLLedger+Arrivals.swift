import EyotDomain

private enum Statements {
    static let append = Arrival.table.insert(elseNothingAt: "device")
    static let arrival = Arrival.table.select("WHERE r.id = ?1")
    static let ofDevice = Arrival.table.select("WHERE r.device = ?1")
    static let places = SQLStatement(
        "SELECT id, activity, ordinal FROM arrivals WHERE app = ?1 ORDER BY id LIMIT ?2")
    static let oldest = SQLStatement("SELECT MIN(id) FROM arrivals")
    static let newest = SQLStatement("SELECT MAX(id) FROM arrivals")
    static let oldestOfApp = SQLStatement("SELECT id FROM arrivals WHERE app = ?1 ORDER BY id LIMIT 1")
    static let newestOfApp = SQLStatement("SELECT id FROM arrivals WHERE app = ?1 ORDER BY id DESC LIMIT 1")
    static let remove = SQLStatement("DELETE FROM arrivals WHERE id = ?1")
}

extension SQLLedger {
    package func append(_ arrival: Arrival) throws -> Bool {
        try connection.execute(Statements.append, Array(arrival.values.dropFirst())) == 1
    }

    package func arrival(_ id: Int64) throws -> Arrival? { try first(Statements.arrival, .integer(id)) }

    package func arrival(of device: DeviceID) throws -> Arrival? { try first(Statements.ofDevice, SQLValue(device)) }

    package func arrivalPlaces(of app: AppID, limit: Int) throws -> [ArrivalPlace] {
        var places: [ArrivalPlace] = []
        try connection.forEachRow(Statements.places, [SQLValue(app), SQLValue(limit)]) { row in
            places.append(
                ArrivalPlace(
                    id: row.integer(at: 0), activity: ActivityID(rawValue: row.integer(at: 1)),
                    ordinal: Int(row.integer(at: 2))))
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
