import EyotContract
import EyotDomain

private enum Statements {
    static let candidates = SQLStatement(
        """
        SELECT d.id, d.activities_enabled, d.os_major, d.os_minor, t.device IS NOT NULL AND t.death_reason IS NULL, \
        d.person_number, d.environment = 'sandbox', COALESCE(d.language, '') || ?4 || d.app_version \
        FROM devices d LEFT JOIN start_tokens t ON t.device = d.id AND t.type = ?3 \
        WHERE d.id BETWEEN ?1 AND ?2 ORDER BY d.id
        """)
    /// Stands between language and version in a row, which has room for one text. No language tag contains it.
    static let separator: UInt8 = 0x1f
    /// A device has few rows, and the activity may have a million. The sign keeps SQLite from searching by the
    /// activity's id.
    static let withStarts = SQLStatement(
        """
        SELECT r.device FROM replicas r WHERE r.device BETWEEN ?1 AND ?2 \
        AND (+r.activity = ?3 OR (r.starts_at > ?4 AND r.starts_at < ?5))
        """)
    /// A replica that is about to be started is not in the ring, and not under suspicion.
    static let insert = Replica.table.insertSeries(
        of: rowsAtOnce, counting: "ordinal", varying: "device", adding: ("joined", "0"))
    static let rowsAtOnce = 250
}

extension SQLLedger {
    package func startCandidates(_ ids: ClosedRange<Int64>, type: String) throws -> [StartCandidate] {
        var candidates: [StartCandidate] = []
        let arguments: [SQLValue] = [
            .integer(ids.lowerBound), .integer(ids.upperBound), SQLValue(type),
            SQLValue(String(decoding: [Statements.separator], as: UTF8.self)),
        ]
        try connection.forEachRow(Statements.candidates, arguments, numbers: 7) { row in
            let middle = row.bytes.firstIndex(of: Statements.separator) ?? row.bytes.startIndex
            var candidate = StartCandidate(
                id: DeviceID(rawValue: row[0]), appVersion: String(decoding: row.bytes[(middle + 1)...], as: UTF8.self),
                permitsActivities: row[1] == 1, osVersion: OSVersion(Int(row[2]), Int(row[3])),
                hasStartToken: row[4] == 1,
                personNumber: Int(row[5]))
            if middle > row.bytes.startIndex {
                candidate.language = String(decoding: row.bytes[..<middle], as: UTF8.self)
            }
            if row[6] == 1 { candidate.environment = .sandbox }
            candidates.append(candidate)
        }
        return candidates
    }

    package func devicesWithStarts(
        _ ids: ClosedRange<Int64>, of activity: ActivityID, after earliest: Instant, before latest: Instant
    ) throws -> Set<Int64> {
        var devices: Set<Int64> = []
        let arguments: [SQLValue] = [
            .integer(ids.lowerBound), .integer(ids.upperBound), SQLValue(activity), SQLValue(earliest),
            SQLValue(latest),
        ]
        try connection.forEachRow(Statements.withStarts, arguments, numbers: 1) { devices.insert($0[0]) }
        return devices
    }

    package func insert(places devices: [DeviceID], like first: Replica) throws {
        guard !devices.isEmpty else { return }
        for chunk in stride(from: 0, to: devices.count, by: Statements.rowsAtOnce) {
            let others = devices[chunk..<min(chunk + Statements.rowsAtOnce, devices.count)]
            let place = first.place(first.ordinal + chunk, for: devices[chunk])
            let missing = Array(repeating: SQLValue.null(.integer), count: Statements.rowsAtOnce - others.count)
            try connection.queue(Statements.insert, place.values + others.map { SQLValue($0) } + missing)
        }
        let last = RingPage.number(of: first.ordinal + devices.count - 1)
        for number in RingPage.number(of: first.ordinal)...last { try changePage(number, of: first.activity) }
    }
}
