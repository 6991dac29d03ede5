import EyotContract
import EyotDomain

private enum Statements {
    static let cards = SQLStatement("SELECT slots FROM updated_cards WHERE activity = ?1 AND page = ?2")
    static let put = SQLStatement(
        """
        INSERT INTO updated_cards (activity, page, slots) VALUES (?1, ?2, ?3) \
        ON CONFLICT (activity, page) DO UPDATE SET slots = excluded.slots
        """)
    static let phones = SQLStatement(
        """
        SELECT x.ordinal, d.os_major, d.app_version, d.language, d.environment \
        FROM replicas x JOIN devices d ON d.id = x.device \
        WHERE x.activity = ?1 AND x.ordinal BETWEEN ?2 AND ?3
        """)
}

extension SQLLedger {
    package func updatedCards(onPage page: Int, of activity: ActivityID) throws -> RingSlots {
        let found = try connection.rows(Statements.cards, [SQLValue(activity), SQLValue(page)]) { row in
            guard let slots = RingSlots(bytes: try row.bytes()) else { throw row.unreadable("ordinals of a page") }
            return slots
        }
        return found.first ?? RingSlots()
    }

    package func put(updatedCards cards: RingSlots, onPage page: Int, of activity: ActivityID) throws {
        try connection.queue(Statements.put, [SQLValue(activity), SQLValue(page), SQLValue(cards.bytes)])
    }

    package func phones(of ordinals: ClosedRange<Int>, of activity: ActivityID) throws -> [Int: CountedPhone] {
        let place = [SQLValue(activity), SQLValue(ordinals.lowerBound), SQLValue(ordinals.upperBound)]
        let rows = try connection.rows(Statements.phones, place) { row in
            let ordinal = try row.integer()
            let phone = CountedPhone(
                os: try row.integer(), build: try row.text(), language: try row.optionalText(),
                environment: try row.word(PushEnvironment.self))
            return (ordinal, phone)
        }
        return Dictionary(uniqueKeysWithValues: rows)
    }
}
