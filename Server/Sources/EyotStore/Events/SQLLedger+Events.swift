import EyotDomain

private enum Statements {
    static let insert = Event.table.insertNew
    /// Ids rise with time, so the rows with the lowest ids are enough to look at.
    static let forget = SQLStatement(
        "DELETE FROM events WHERE id < (SELECT MIN(id) FROM events) + ?2 AND at < ?1")
    static let forgetDevice = SQLStatement(
        "DELETE FROM events WHERE id IN (SELECT id FROM events WHERE device = ?1 ORDER BY id LIMIT ?2)")
    static let ofApp = after("r.app = ?1")
    static let ofActivity = after("r.activity = ?4 AND r.app = ?1")
    static let ofDevice = after("r.device = ?4 AND r.app = ?1")
    static let newestOfApp = before("r.app = ?1")
    static let newestOfActivity = before("r.activity = ?4 AND r.app = ?1")
    static let newestOfDevice = before("r.device = ?4 AND r.app = ?1")

    static let ofKind = Event.table.select(
        "WHERE r.app = ?1 AND r.kind = ?2 AND (r.at, r.id) > (?3, ?4) AND r.at < ?5 ORDER BY r.at, r.id LIMIT ?6")

    private static func after(_ condition: String) -> SQLStatement {
        Event.table.select("WHERE \(condition) AND r.id > ?2 ORDER BY r.id LIMIT ?3")
    }

    private static func before(_ condition: String) -> SQLStatement {
        Event.table.select("WHERE \(condition) AND r.id < ?2 ORDER BY r.id DESC LIMIT ?3")
    }
}

extension SQLLedger {
    package func record(_ event: Event) throws {
        _ = try insertNew(event, Statements.insert)
        count(.event(event.fact.kind), of: event.app)
    }

    package func events(of app: AppID, about subject: EventSubject, after id: Int64, limit: Int) throws -> [Event] {
        let page = (SQLValue(app), SQLValue.integer(id), SQLValue(limit))
        return switch subject {
        case .app: try all(Statements.ofApp, page.0, page.1, page.2)
        case .activity(let activity): try all(Statements.ofActivity, page.0, page.1, page.2, SQLValue(activity))
        case .device(let device): try all(Statements.ofDevice, page.0, page.1, page.2, SQLValue(device))
        }
    }

    package func newestEvents(
        of app: AppID, about subject: EventSubject, before id: Int64, limit: Int
    ) throws -> [Event] {
        let page = (SQLValue(app), SQLValue.integer(id), SQLValue(limit))
        return switch subject {
        case .app: try all(Statements.newestOfApp, page.0, page.1, page.2)
        case .activity(let activity): try all(Statements.newestOfActivity, page.0, page.1, page.2, SQLValue(activity))
        case .device(let device): try all(Statements.newestOfDevice, page.0, page.1, page.2, SQLValue(device))
        }
    }

    package func events(
        of app: AppID, _ kind: EventKind, during moments: Range<Instant>, after place: EventPlace?, limit: Int
    ) throws -> [Event] {
        let place = place ?? EventPlace(at: moments.lowerBound, id: 0)
        return try all(
            Statements.ofKind, SQLValue(app), SQLValue(kind.rawValue), SQLValue(place.at), .integer(place.id),
            SQLValue(moments.upperBound), SQLValue(limit))
    }

    package func removeEvents(before moment: Instant, limit: Int) throws -> Int {
        try connection.execute(Statements.forget, [SQLValue(moment), SQLValue(limit)])
    }

    package func removeEvents(of device: DeviceID, limit: Int) throws -> Int {
        try connection.execute(Statements.forgetDevice, [SQLValue(device), SQLValue(limit)])
    }
}

extension Event: SQLRecord {
    static let table = SQLTable(
        "events", key: "id",
        fixed: ["app", "at", "kind", "version", "reason", "activity", "ordinal", "device", "token", "operation"],
        changing: [])

    var values: [SQLValue] {
        [
            .integer(id), SQLValue(app), SQLValue(at), SQLValue(fact.kind.rawValue), SQLValue(fact.version),
            SQLValue(fact.reason), activity.map { SQLValue($0) } ?? .null, SQLValue(ordinal),
            device.map { SQLValue($0) } ?? .null, SQLValue(fact.token),
            operation.map { .integer($0) } ?? .null,
        ]
    }

    init(columns: inout SQLColumns) throws {
        let id = try columns.number()
        let (app, at) = (AppID(rawValue: try columns.number()), try columns.moment())
        let fact = Fact(
            try columns.word(EventKind.self), version: try columns.integer(), reason: try columns.optionalText())
        self.init(
            app: app, at: at, fact, activity: try columns.optionalNumber().map(ActivityID.init(rawValue:)),
            ordinal: try columns.optionalInteger(),
            device: try columns.optionalNumber().map(DeviceID.init(rawValue:)))
        self.fact.token = try columns.optionalText()
        operation = try columns.optionalNumber()
        self.id = id
    }
}
