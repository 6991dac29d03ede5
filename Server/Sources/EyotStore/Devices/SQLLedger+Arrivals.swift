import EyotDomain

private enum Statements {
    /// How many arrivals form a part, in which arrivals are indexed by device. It is small enough that a group of
    /// appended arrivals changes few pages of the index. It is large enough that a full log has few parts to search for
    /// a device.
    private static let partLength = 32_768
    static let nextPart = SQLStatement("SELECT COALESCE(MAX(id), 0) / \(partLength) FROM arrivals")
    /// How many rows one statement appends. The work around a statement takes as long as storing a row.
    static let rowsAtOnce = 16
    static let append = Arrival.table.insertNew(rows: 1, sharing: "part")
    static let appendMany = Arrival.table.insertNew(rows: rowsAtOnce, sharing: "part")
    static let arrival = Arrival.table.select("WHERE r.id = ?1")
    static let part = SQLStatement("SELECT MIN(part) FROM arrivals WHERE part > ?1")
    static let ofDevice = Arrival.table.select("WHERE r.part = ?1 AND r.device = ?2 ORDER BY r.id")
    static let places = SQLStatement(
        "SELECT id, device, activity, ordinal FROM arrivals WHERE app = ?1 ORDER BY id LIMIT ?2")
    static let oldest = SQLStatement("SELECT MIN(id) FROM arrivals")
    static let newest = SQLStatement("SELECT MAX(id) FROM arrivals")
    static let oldestOfApp = SQLStatement("SELECT id FROM arrivals WHERE app = ?1 ORDER BY id LIMIT 1")
    static let newestOfApp = SQLStatement("SELECT id FROM arrivals WHERE app = ?1 ORDER BY id DESC LIMIT 1")
    static let remove = SQLStatement("DELETE FROM arrivals WHERE id BETWEEN ?1 AND ?2")
    /// Begins with the device, because its index of instances finds the one card.
    static let ringCard = SQLStatement(
        """
        SELECT d.app, d.environment = 'production', d.frequent_pushes_enabled, d.epoch, d.sequence, \
        r.activity, r.ordinal, r.accepted, r.scoped, r.last_second, r.created_at, COALESCE(r.appeared_at, -1), \
        COALESCE(r.locally_changed, -1), r.joined <= p.settled, p.accepted, p.last_second, p.spaced_second, p.is_end \
        FROM replicas r CROSS JOIN devices d \(Replica.joinPage) \
        WHERE r.device = ?1 AND r.instance = ?2 AND r.joined > 0 AND d.id = ?1
        """)
}

extension SQLLedger {
    package func ringCard(ofInstance instance: String, on device: DeviceID) throws -> RingCard? {
        var card: RingCard?
        try connection.forEachRow(Statements.ringCard, [SQLValue(device), SQLValue(instance)], numbers: 18) { row in
            card = RingCard(row, instance, on: device)
        }
        return card
    }

    /// Among several writers all arrivals are in one part, because they would have to read what others append.
    package func append(_ arrivals: [Arrival]) throws {
        guard !arrivals.isEmpty else { return }
        let part =
            connection.writerName == nil
            ? try connection.rows(Statements.nextPart, []) { SQLValue.integer(try $0.number()) } : [.integer(0)]
        let many = arrivals.count / Statements.rowsAtOnce * Statements.rowsAtOnce
        for first in stride(from: 0, to: many, by: Statements.rowsAtOnce) {
            let rows = arrivals[first..<first + Statements.rowsAtOnce]
            try connection.queue(Statements.appendMany, rows.flatMap { $0.values.dropFirst() } + part)
        }
        for arrival in arrivals[many...] {
            try connection.queue(Statements.append, arrival.values.dropFirst() + part)
        }
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

    package func removeArrivals(_ ids: [Int64]) throws {
        for run in ids.runs {
            try connection.queue(Statements.remove, [.integer(run.lowerBound), .integer(run.upperBound)])
        }
    }
}

extension [Int64] {
    /// The numbers as ranges without gaps.
    fileprivate var runs: [ClosedRange<Int64>] {
        var runs: [ClosedRange<Int64>] = []
        for id in sorted() {
            if let last = runs.last, id <= last.upperBound + 1 {
                runs[runs.count - 1] = last.lowerBound...id
            } else {
                runs.append(id...id)
            }
        }
        return runs
    }
}

extension RingCard {
    /// Nil if the credit of its page has ended the card.
    fileprivate init?(_ row: SQLNumbers, _ instance: String, on device: DeviceID) {
        var replica = Replica(
            activity: ActivityID(rawValue: row[5]), ordinal: Int(row[6]), device: device, phase: .live,
            createdAt: Instant(microseconds: row[10]))
        replica.instance = instance
        (replica.acceptedVersion, replica.scopedState, replica.lastSecond) = (Int(row[7]), Int(row[8]), Int(row[9]))
        replica.appearedAt = row[11] < 0 ? nil : Instant(microseconds: row[11])
        replica.locallyChanged = row[12] < 0 ? nil : Int(row[12])
        var credit = RingCredit()
        (credit.accepted, credit.lastSecond) = (Int(row[14]), Int(row[15]))
        (credit.spacedSecond, credit.isEnd) = (Int(row[16]), row[17] == 1)
        replica.take(credit, isMember: row[13] == 1)
        guard replica.phase == .live else { return nil }
        let reporter = Reporter(
            app: AppID(rawValue: row[0]), environment: row[1] == 1 ? .production : .sandbox,
            allowsFrequentPushes: row[2] == 1, epoch: Int(row[3]), sequence: Int(row[4]))
        self.init(reporter, replica)
    }
}
