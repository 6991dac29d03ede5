extension Instant {
    /// The moment that the text of an attribute names: RFC 3339, of which the zone's colon may be missing, or in UTC where there is no
    /// zone, as `2021-11-03 12:00:00` or the day alone. Nil for anything else.
    package init?(dateText text: String) {
        if let moment = Instant(rfc3339: text) {
            self = moment
            return
        }
        // Texts that are no dates are many, and seen by their first bytes.
        let bytes = Array(text.utf8.prefix(11))
        guard (10...40).contains(text.utf8.count), bytes[4] == UInt8(ascii: "-"), bytes[7] == UInt8(ascii: "-") else {
            return nil
        }
        let completed: [String] =
            text.utf8.count == 10 ? ["\(text)T00:00:00Z"] : ["\(text)Z", "\(text.dropLast(2)):\(text.suffix(2))"]
        guard let moment = completed.lazy.compactMap(Instant.init(rfc3339:)).first else { return nil }
        self = moment
    }
}
