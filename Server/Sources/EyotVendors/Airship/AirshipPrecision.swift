import EyotDomain
import Foundation

/// How exactly Airship's selectors compare dates: those of one year, or of one day, are the same.
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

    /// When the year, month or day of a moment began, and when the next one does.
    func interval(of moment: Instant) -> (beginning: Instant, end: Instant) {
        guard let interval = Self.calendar.dateInterval(of: component, for: moment.date) else {
            return (moment, moment + 1)
        }
        return (Self.instant(interval.start), Self.instant(interval.end))
    }

    private static func instant(_ date: Date) -> Instant { Instant(second: Int(date.timeIntervalSince1970.rounded())) }
}
