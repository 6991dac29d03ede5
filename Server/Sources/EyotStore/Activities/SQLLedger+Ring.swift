import EyotDomain

private enum Statements {
    static let page = RingPage.table.select("WHERE r.activity = ?1 AND r.number = ?2")
    static let put = RingPage.table.upsert
    static let last = SQLStatement("SELECT MAX(number) FROM ring_pages WHERE activity = ?1")
    /// Sets no further column, because others are in indices, which SQLite would write with them.
    static let leaveUnseen = SQLStatement(
        "UPDATE ring_pages SET taken = ?3, seen = \(RingPage.unseen) WHERE activity = ?1 AND number = ?2")
    static let unseen = SQLStatement(
        """
        SELECT number FROM ring_pages WHERE activity = ?1 AND seen = \(RingPage.unseen) AND number > ?2 \
        ORDER BY number LIMIT ?3
        """)
    static let notSeen = SQLStatement(
        "SELECT number FROM ring_pages WHERE activity = ?1 AND number > ?2 AND seen < ?4 ORDER BY number LIMIT ?3")
    static let behind = SQLStatement(
        """
        SELECT number FROM ring_pages WHERE activity = ?1 AND number >= 0 AND (seen < ?2 OR owes = 1 OR holds = 1) \
        ORDER BY number LIMIT ?3
        """)
    static let wake = SQLStatement(
        """
        UPDATE ring_pages SET seen = \(RingPage.unseen), look_at = NULL, owes = 0, holds = 0 \
        WHERE activity = ?1 AND look_at <= ?2
        """)
    static let owes = SQLStatement(
        "SELECT 1 FROM ring_pages WHERE activity = ?1 AND owes = 1 AND seen >= ?2 LIMIT 1")
    static let holds = SQLStatement("SELECT 1 FROM ring_pages WHERE activity = ?1 AND holds = 1 LIMIT 1")
    static let recall = SQLStatement(
        """
        UPDATE ring_pages SET seen = \(RingPage.unseen), look_at = NULL, owes = 0, holds = 0 \
        WHERE activity = ?1 AND holds = 1
        """)
    /// Reads by time, because mostly all pages have seen the version. The sign keeps SQLite from using another index
    /// and sorting its pages.
    static let nextLook = SQLStatement(
        """
        SELECT look_at FROM ring_pages WHERE activity = ?1 AND look_at IS NOT NULL AND +seen >= ?2 \
        ORDER BY look_at LIMIT 1
        """)
    static let change = SQLStatement(
        """
        UPDATE ring_pages SET changes = changes + 1, seen = \(RingPage.unseen), owes = 0, holds = 0 \
        WHERE activity = ?1 AND number = ?2
        """)
    static let changeUpTo = SQLStatement(
        """
        UPDATE ring_pages SET changes = changes + 1, seen = \(RingPage.unseen), owes = 0, holds = 0 \
        WHERE activity = ?1 AND number <= ?2
        """)
    static let members = SQLStatement(
        """
        SELECT ordinal, joined, accepted, alerted, scoped, scoped_alert, last_second, token_version, \
        token_environment = 'production', token_set_at, COALESCE(appeared_at, created_at), token FROM replicas \
        WHERE activity = ?1 AND ordinal BETWEEN ?2 AND ?3 AND joined > 0 ORDER BY ordinal
        """)
    /// Finds the ordinals first, which are in an index. Most pages have no exceptions and a thousand members.
    static let exceptions = Replica.select(
        """
        WHERE r.activity = ?1 AND r.ordinal IN (SELECT o.ordinal FROM replicas o \
        WHERE o.activity = ?1 AND o.ordinal BETWEEN ?2 AND ?3 AND \(Replica.isOutsideTheRing("o."))) \
        ORDER BY r.ordinal
        """)
    static let languages = SQLStatement(
        """
        SELECT x.ordinal, d.language FROM replicas x JOIN devices d ON d.id = x.device \
        WHERE x.activity = ?1 AND x.ordinal BETWEEN ?2 AND ?3 AND d.language IS NOT NULL
        """)
    static let devices = SQLStatement(
        "SELECT ordinal, device FROM replicas WHERE activity = ?1 AND ordinal BETWEEN ?2 AND ?3")
    static let strangers = SQLStatement(
        """
        SELECT ordinal FROM replicas \
        WHERE activity = ?1 AND ordinal BETWEEN ?2 AND ?3 AND (joined = 0 OR joined > ?4)
        """)
}

extension SQLLedger {
    package func ringPage(_ number: Int, of activity: ActivityID) throws -> RingPage? {
        changedPages = []
        return try first(Statements.page, SQLValue(activity), SQLValue(number))
    }

    package func put(_ page: RingPage) throws {
        changedPages = []
        try connection.queue(Statements.put, page.values)
    }

    package func lastRingPage(of activity: ActivityID) throws -> Int? {
        try connection.rows(Statements.last, [SQLValue(activity)]) { try $0.optionalInteger() }.first ?? nil
    }

    package func leaveUnseen(_ page: RingPage) throws {
        changedPages = []
        try connection.queue(
            Statements.leaveUnseen, [SQLValue(page.activity), SQLValue(page.number), SQLValue(page.taken)])
    }

    package func ringPages(
        of activity: ActivityID, notSeen version: Version, after number: Int, limit: Int
    ) throws -> [Int] {
        changedPages = []
        let place = [SQLValue(activity), SQLValue(number), SQLValue(limit)]
        return try version > 0
            ? connection.rows(Statements.notSeen, place + [SQLValue(version)]) { try $0.integer() }
            : connection.rows(Statements.unseen, place) { try $0.integer() }
    }

    package func ringPagesBehind(of activity: ActivityID, newest version: Version, limit: Int) throws -> [Int] {
        try connection.rows(Statements.behind, [SQLValue(activity), SQLValue(version), SQLValue(limit)]) {
            try $0.integer()
        }
    }

    package func wakeRingPages(of activity: ActivityID, at now: Instant) throws {
        try connection.queue(Statements.wake, [SQLValue(activity), SQLValue(now)])
    }

    package func changeRingPages(of activity: ActivityID, upTo number: Int) throws {
        try connection.queue(Statements.changeUpTo, [SQLValue(activity), SQLValue(number)])
    }

    package func ringOwes(of activity: ActivityID, from version: Version) throws -> Bool {
        try !connection.rows(Statements.owes, [SQLValue(activity), SQLValue(version)]) { try $0.flag() }.isEmpty
    }

    package func ringHasSkipped(of activity: ActivityID) throws -> Bool {
        try !connection.rows(Statements.holds, [SQLValue(activity)]) { try $0.flag() }.isEmpty
    }

    package func recallRingPages(of activity: ActivityID) throws {
        try connection.queue(Statements.recall, [SQLValue(activity)])
    }

    package func nextRingLook(of activity: ActivityID, from version: Version) throws -> Instant? {
        try connection.rows(Statements.nextLook, [SQLValue(activity), SQLValue(version)]) { try $0.moment() }.first
    }

    /// Marks a replica's page as changed. Once is enough until the page is read.
    func change(_ replica: Replica) throws {
        try changePage(RingPage.number(of: replica.ordinal), of: replica.activity)
    }

    /// Marks a page as changed.
    func changePage(_ number: Int, of activity: ActivityID) throws {
        let page = ChangedPage(activity: activity, number: number)
        guard changedPages.insert(page).inserted else { return }
        try connection.queue(Statements.change, [SQLValue(page.activity), SQLValue(page.number)])
    }

    package func ringMembers(onPage number: Int, of activity: ActivityID) throws -> RingMembers {
        var members = RingMembers()
        let lifetime = (Instant(microseconds: 0) + Replica.cardLifetime).microseconds
        try connection.forEachRow(Statements.members, place(number, activity), numbers: 11) { row in
            let member = RingMembers.Member(
                ordinal: Int(row[0]), joined: Int(row[1]), accepted: Int(row[2]), alerted: Int(row[3]),
                scoped: Int(row[4]), scopedAlert: Int(row[5]), lastSecond: Int(row[6]), tokenVersion: Int(row[7]),
                environment: row[8] == 1 ? .production : .sandbox, tokenSetAt: Instant(microseconds: row[9]),
                expiresAt: Instant(microseconds: row[10] + lifetime))
            members.append(member, token: row.bytes)
        }
        return members
    }

    package func exceptions(onPage number: Int, of activity: ActivityID) throws -> [Replica] {
        try connection.rows(Statements.exceptions, place(number, activity), Replica.init(creditedColumns:))
    }

    package func devices(onPage number: Int, of activity: ActivityID) throws -> [Int: DeviceID] {
        var devices: [Int: DeviceID] = [:]
        try connection.forEachRow(Statements.devices, place(number, activity), numbers: 2) {
            devices[Int($0[0])] = DeviceID(rawValue: $0[1])
        }
        return devices
    }

    package func languages(onPage number: Int, of activity: ActivityID) throws -> [Int: String] {
        let rows = try connection.rows(Statements.languages, place(number, activity)) {
            (try $0.integer(), try $0.text())
        }
        return Dictionary(uniqueKeysWithValues: rows)
    }

    package func strangers(onPage page: RingPage) throws -> [Int] {
        let arguments = place(page.number, page.activity) + [SQLValue(page.taken)]
        var ordinals: [Int] = []
        try connection.forEachRow(Statements.strangers, arguments, numbers: 1) { ordinals.append(Int($0[0])) }
        return ordinals
    }

    /// The activity, and the first and last ordinal of a page.
    private func place(_ number: Int, _ activity: ActivityID) -> [SQLValue] {
        let ordinals = RingPage(activity: activity, number: number).ordinals
        return [SQLValue(activity), SQLValue(ordinals.lowerBound), SQLValue(ordinals.upperBound)]
    }

    /// Reads replicas with the credit of their pages in them.
    func credited(_ statement: SQLStatement, _ arguments: SQLValue...) throws -> [Replica] {
        try connection.rows(statement, arguments, Replica.init(creditedColumns:))
    }
}

extension RingPage: SQLRecord {
    static let table = SQLTable(
        "ring_pages", key: "activity", "number",
        changing: [
            "taken", "settled", "accepted", "alerted", "last_second", "spaced_second", "is_end", "seen", "look_at",
            "owes", "holds", "changes",
        ])

    var values: [SQLValue] {
        [
            SQLValue(activity), SQLValue(number), SQLValue(taken), SQLValue(settled), SQLValue(credit.accepted),
            SQLValue(credit.alerted), SQLValue(credit.lastSecond), SQLValue(credit.spacedSecond),
            SQLValue(credit.isEnd), SQLValue(seen), SQLValue(lookAt), SQLValue(hasWaitingReplicas),
            SQLValue(hasSkipped),
            SQLValue(changes),
        ]
    }

    init(columns: inout SQLColumns) throws {
        self.init(activity: ActivityID(rawValue: try columns.number()), number: try columns.integer())
        taken = try columns.integer()
        settled = try columns.integer()
        credit.accepted = try columns.integer()
        credit.alerted = try columns.integer()
        credit.lastSecond = try columns.integer()
        credit.spacedSecond = try columns.integer()
        credit.isEnd = try columns.flag()
        seen = try columns.integer()
        lookAt = try columns.optionalMoment()
        hasWaitingReplicas = try columns.flag()
        hasSkipped = try columns.flag()
        changes = try columns.integer()
    }
}

extension Replica {
    /// Joins a replica's page, called `p`, if it has one.
    static let joinPage =
        "LEFT JOIN ring_pages p ON p.activity = r.activity AND p.number = (r.ordinal - 1) / \(RingPage.capacity)"

    /// Selects replicas, called `r`, and the credit of their pages. ``init(creditedColumns:)`` reads it.
    static func select(_ rest: String) -> SQLStatement {
        let credit = [
            "p.accepted", "p.alerted", "p.last_second", "p.spaced_second", "p.is_end",
            "CASE WHEN r.joined > 0 AND r.joined <= p.settled THEN 1 ELSE 0 END",
        ]
        return SQLStatement(table.selectText("\(joinPage) \(rest)", adding: credit))
    }

    init(creditedColumns columns: inout SQLColumns) throws {
        try self.init(columns: &columns)
        guard let accepted = try columns.optionalInteger() else { return }
        var credit = RingCredit()
        credit.accepted = accepted
        credit.alerted = try columns.integer()
        credit.lastSecond = try columns.integer()
        credit.spacedSecond = try columns.integer()
        credit.isEnd = try columns.flag()
        take(credit, isMember: try columns.flag())
    }

    /// The take of its page from which a replica counts as a member. It is 0 if the numbered parameter says that the
    /// replica is not in the ring.
    static func joined(inRing parameter: Int) -> SQLTable.Derived {
        (
            "joined",
            """
            ?\(parameter) * (1 + COALESCE((SELECT p.taken FROM ring_pages p \
            WHERE p.activity = ?1 AND p.number = (?2 - 1) / \(RingPage.capacity)), 0))
            """
        )
    }
}
