extension Instant {
    /// Reads the moment that the text of an attribute names; nil for anything else. The text is RFC 3339, possibly
    /// without the colon of the zone. Without a zone it is in UTC, like `2021-11-03 12:00:00` or the day alone.
    package init?(dateText text: String) {
        if let moment = Instant(rfc3339: text) {
            self = moment
            return
        }
        // Most texts are no dates, and their first bytes show it.
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
