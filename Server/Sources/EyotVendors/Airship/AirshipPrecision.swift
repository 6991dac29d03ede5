import EyotDomain
import Foundation

/// The precision with which Airship's selectors compare dates. With `years`, for example, two dates of one year are
/// equal.
enum AirshipPrecision: String, CaseIterable {
    case years, months, weeks, days, hours, minutes, seconds

    /// Airship's dates are in UTC.
    private static let calendar: Calendar = {
        var calendar = Calendar(identifier: .iso8601)
        calendar.timeZone = .gmt
        return calendar
    }()

    private var component: Calendar.Component {
        switch self {
        case .years: .year
        case .months: .month
        case .weeks: .weekOfYear
        case .days: .day
        case .hours: .hour
        case .minutes: .minute
        case .seconds: .second
        }
    }

    /// Returns the beginning of the year, month or day of a moment, and the beginning of the next.
    func interval(of moment: Instant) -> (beginning: Instant, end: Instant) {
        guard let interval = Self.calendar.dateInterval(of: component, for: moment.date) else {
            return (moment, moment + 1)
        }
        return (Self.instant(interval.start), Self.instant(interval.end))
    }

    private static func instant(_ date: Date) -> Instant { Instant(second: Int(date.timeIntervalSince1970.rounded())) }
}
