import EyotContract
import Foundation

extension Instant {
    /// The moment that RFC 3339 text names, to the microsecond; nil for anything else.
    package init?(rfc3339 text: String) {
        guard let date = RFC3339.date(from: text) else { return nil }
        self.init(microseconds: Int64((date.timeIntervalSince1970 * 1_000_000).rounded()))
    }

    /// The moment in UTC, the form of every time in our JSON.
    package var rfc3339: String { RFC3339.text(of: date) }

    /// The moment as Foundation has it.
    package var date: Date { Date(timeIntervalSince1970: Double(microseconds) / 1_000_000) }
}
