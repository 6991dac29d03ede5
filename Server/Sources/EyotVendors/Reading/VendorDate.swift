import EyotCommands
import EyotContract
import EyotDomain

/// Parsing of dates as vendors' callers write them.
enum VendorDate {
    /// Parses an ISO 8601 text with a zone, which may lack its colon: `2024-01-22T16:55:49+0000`. Nil for any other
    /// text.
    static func moment(_ text: String) -> Instant? {
        Instant(rfc3339: text) ?? colonless(text).flatMap(Instant.init(rfc3339:))
    }

    /// Whether a text gives its time in UTC.
    static func isUTC(_ text: String) -> Bool {
        ["Z", "z", "+00:00", "-00:00", "+0000", "-0000"].contains { text.hasSuffix($0) }
    }

    private static func colonless(_ text: String) -> String? {
        guard text.dropLast(4).last.map({ "+-".contains($0) }) == true else { return nil }
        return "\(text.dropLast(2)):\(text.suffix(2))"
    }
}

extension JSONFields {
    /// Reads a date with a zone.
    mutating func vendorDate(_ name: String) throws(JSONFieldError) -> Instant? {
        guard let text = try string(name) else { return nil }
        guard let moment = VendorDate.moment(text) else {
            throw invalid(name, "must be an ISO 8601 date with a zone, such as 2026-01-28T15:35:37Z")
        }
        return moment
    }
}
