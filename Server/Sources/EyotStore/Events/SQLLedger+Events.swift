import EyotDomain

private enum Statements {
    static let insert = RecordInsert(Event.table)
    /// Ids rise with time, so the rows with the lowest ids are enough to look at.
    static let forget = SQLStatement(
        "DELETE FROM events WHERE id IN (SELECT id FROM events ORDER BY id LIMIT ?2) AND at < ?1")
    static let forgetDevice = SQLStatement(
        "DELETE FROM events WHERE id IN (SELECT id FROM events WHERE device = ?1 ORDER BY id LIMIT ?2)")
    static let ofKind = Event.table.select(
        "WHERE r.app = ?1 AND r.kind = ?2 AND (r.at, r.id) > (?3, ?4) AND r.at < ?5 ORDER BY r.at, r.id LIMIT ?6")

    static let ofRequest = Event.table.ofRequest

    static let counted = Feed("")
    static let numbered = Feed(" AND \(TransactionNumbers.isSettled("r.id"))")
}

/// The statements that read events in the order of their ids.
private struct Feed {
    let ofApp: SQLStatement
    let ofActivity: SQLStatement
    let ofDevice: SQLStatement
    let newestOfApp: SQLStatement
    let newestOfActivity: SQLStatement
    let newestOfDevice: SQLStatement

    /// - Parameter settled: A condition that no event meets below which another may still come.
    init(_ settled: String) {
        func after(_ condition: String) -> SQLStatement {
            Event.table.select("WHERE \(condition) AND r.id > ?2\(settled) ORDER BY r.id LIMIT ?3")
        }
        func before(_ condition: String) -> SQLStatement {
            Event.table.select("WHERE \(condition) AND r.id < ?2\(settled) ORDER BY r.id DESC LIMIT ?3")
        }
        ofApp = after("r.app = ?1")
        ofActivity = after("r.activity = ?4 AND r.app = ?1")
        ofDevice = after("r.device = ?4 AND r.app = ?1")
        newestOfApp = before("r.app = ?1")
        newestOfActivity = before("r.activity = ?4 AND r.app = ?1")
        newestOfDevice = before("r.device = ?4 AND r.app = ?1")
    }
}

extension SQLLedger {
    package func record(_ event: Event) throws {
        try Statements.insert.queue(event.values, on: connection)
        count(.event(event.fact.kind), of: event.app)
    }

    private var feed: Feed {
        switch connection.eventNumbers {
        case .bySequence, .byTable: Statements.counted
        case .byTransaction: Statements.numbered
        }
    }

    package func events(of app: AppID, about subject: EventSubject, after id: Int64, limit: Int) throws -> [Event] {
        let page = (SQLValue(app), SQLValue.integer(id), SQLValue(limit))
        return switch subject {
        case .app: try all(feed.ofApp, page.0, page.1, page.2)
        case .activity(let activity): try all(feed.ofActivity, page.0, page.1, page.2, SQLValue(activity))
        case .device(let device): try all(feed.ofDevice, page.0, page.1, page.2, SQLValue(device))
        }
    }

    package func newestEvents(
        of app: AppID, about subject: EventSubject, before id: Int64, limit: Int
    ) throws -> [Event] {
        let page = (SQLValue(app), SQLValue.integer(id), SQLValue(limit))
        return switch subject {
        case .app: try all(feed.newestOfApp, page.0, page.1, page.2)
        case .activity(let activity): try all(feed.newestOfActivity, page.0, page.1, page.2, SQLValue(activity))
        case .device(let device): try all(feed.newestOfDevice, page.0, page.1, page.2, SQLValue(device))
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

    package func events(ofRequest id: String, in app: AppID, limit: Int) throws -> [Event] {
        try all(Statements.ofRequest, ofRequest: id, in: app, limit: limit, by: \.id)
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
        fixed: [
            "app", "at", "kind", "version", "reason", "activity", "ordinal", "device", "token", "operation", "request",
            "callers_request", "refused_call",
        ],
        changing: [])

    var values: [SQLValue] {
        [
            .integer(id), SQLValue(app), SQLValue(at), SQLValue(fact.kind.rawValue), SQLValue(fact.version),
            SQLValue(fact.reason), SQLValue(activity), SQLValue(ordinal),
            SQLValue(device), SQLValue(fact.token),
            SQLValue(operation), SQLValue(call?.request.own), SQLValue(call?.request.callers), SQLValue(call?.json),
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
        let request = try columns.requestID()
        if let json = try columns.optionalJSON(), let request { call = RefusedCall(json: json, request: request) }
        self.id = id
    }
}
