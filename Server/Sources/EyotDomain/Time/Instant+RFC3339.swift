import EyotContract
import Foundation

extension Instant {
    /// Reads RFC 3339 text, to the microsecond; nil for anything else.
    package init?(rfc3339 text: String) {
        guard let date = RFC3339.date(from: text) else { return nil }
        self.init(microseconds: Int64((date.timeIntervalSince1970 * 1_000_000).rounded()))
    }

    /// The moment in UTC, in the form of every time in Eyot's JSON.
    package var rfc3339: String { RFC3339.text(of: date) }

    /// The moment as a Foundation date.
    package var date: Date { Date(timeIntervalSince1970: Double(microseconds) / 1_000_000) }
}
