import Foundation

/// Dates as RFC 3339 text, the form of every time in Eyot's own JSON.
///
/// Foundation's formatters accept different texts on different platforms and OS versions. This parser accepts the same
/// texts everywhere.
public enum RFC3339 {
    /// Returns the text of a moment in UTC: `2022-12-18T15:00:00Z`. Milliseconds follow if they are not 0.
    ///
    /// A year has four digits. A moment before the year 0 becomes its first second, and a moment after 9999 its last.
    public static func text(of date: Date) -> String {
        // In this order NaN counts as the first second.
        let clamped = min(max(firstSecond, date.timeIntervalSince1970), lastSecond)
        let milliseconds = Int64((clamped * 1_000).rounded())
        let (seconds, fraction) = milliseconds.quotientAndRemainder(flooringBy: 1_000)
        let (days, second) = seconds.quotientAndRemainder(flooringBy: 86_400)
        let day = CivilDay(daysSince1970: Int(days))
        let time = [second / 3_600, second / 60 % 60, second % 60].map { padded(Int($0), 2) }.joined(separator: ":")
        let tail = fraction == 0 ? "" : "." + padded(Int(fraction), 3)
        return "\(padded(day.year, 4))-\(padded(day.month, 2))-\(padded(day.day, 2))T\(time)\(tail)Z"
    }

    /// 0000-01-01T00:00:00Z and 9999-12-31T23:59:59Z, in UNIX seconds.
    private static let firstSecond = -62_167_219_200.0
    private static let lastSecond = 253_402_300_799.0

    /// Returns the moment that a text names; nil if it is not RFC 3339. A zone is required (`Z` or `±hh:mm`). A
    /// fraction of a second has at most nine digits.
    public static func date(from text: String) -> Date? {
        var reader = Reader(rest: Array(text.utf8)[...])
        guard let year = reader.number(4), reader.take("-"), let month = reader.number(2), reader.take("-"),
            let day = reader.number(2), reader.take("T") || reader.take("t") || reader.take(" "),
            let hour = reader.number(2), reader.take(":"), let minute = reader.number(2), reader.take(":"),
            let second = reader.number(2), let fraction = reader.fraction(), let offset = reader.offset(),
            reader.rest.isEmpty
        else { return nil }
        let civil = CivilDay(year: year, month: month, day: day)
        guard civil.isValid, hour < 24, minute < 60, second <= 60 else { return nil }
        let seconds = civil.daysSince1970 * 86_400 + hour * 3_600 + minute * 60 + min(second, 59) - offset
        // A leap second is the last second of a UTC day. It counts as the second before it.
        guard second < 60 || seconds.quotientAndRemainder(flooringBy: 86_400).1 == 86_399 else { return nil }
        return Date(timeIntervalSince1970: Double(seconds) + fraction)
    }

    private static func padded(_ number: Int, _ width: Int) -> String {
        let digits = String(number)
        return String(repeating: "0", count: max(0, width - digits.count)) + digits
    }

    private struct Reader {
        var rest: ArraySlice<UInt8>

        mutating func take(_ scalar: Unicode.Scalar) -> Bool {
            guard rest.first == UInt8(ascii: scalar) else { return false }
            rest.removeFirst()
            return true
        }

        mutating func number(_ digits: Int) -> Int? {
            var number = 0
            for _ in 0..<digits {
                guard let digit = rest.first, (0x30...0x39).contains(digit) else { return nil }
                number = number * 10 + Int(digit - 0x30)
                rest.removeFirst()
            }
            return number
        }

        /// Reads nothing, or a point and one to nine digits.
        mutating func fraction() -> Double? {
            guard take(".") else { return 0 }
            var value = 0.0
            var scale = 1.0
            var digits = 0
            while let digit = number(1) {
                digits += 1
                scale /= 10
                value += Double(digit) * scale
            }
            return (1...9).contains(digits) ? value : nil
        }

        /// Reads the zone's distance from UTC, in seconds.
        mutating func offset() -> Int? {
            if take("Z") || take("z") { return 0 }
            let sign = take("+") ? 1 : take("-") ? -1 : 0
            guard sign != 0, let hours = number(2), take(":"), let minutes = number(2), hours < 24, minutes < 60
            else { return nil }
            return sign * (hours * 3_600 + minutes * 60)
        }
    }
}

/// A day of the proleptic Gregorian calendar.
struct CivilDay {
    var year: Int
    var month: Int
    var day: Int

    init(year: Int, month: Int, day: Int) {
        (self.year, self.month, self.day) = (year, month, day)
    }

    /// Counts in eras of 400 years that begin on 1 March, so that the leap day is the last day of a year.
    init(daysSince1970 days: Int) {
        let (era, dayOfEra) = (days + 719_468).quotientAndRemainder(flooringBy: 146_097)
        let yearOfEra = (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let shifted = (5 * dayOfYear + 2) / 153
        month = shifted < 10 ? shifted + 3 : shifted - 9
        day = dayOfYear - (153 * shifted + 2) / 5 + 1
        year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
    }

    var daysSince1970: Int {
        let shiftedYear = month <= 2 ? year - 1 : year
        let (era, yearOfEra) = shiftedYear.quotientAndRemainder(flooringBy: 400)
        let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
        let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
        return era * 146_097 + dayOfEra - 719_468
    }

    var isValid: Bool {
        guard (1...12).contains(month), (1...31).contains(day) else { return false }
        let back = CivilDay(daysSince1970: daysSince1970)
        return (back.year, back.month, back.day) == (year, month, day)
    }
}

extension BinaryInteger {
    /// Returns the quotient and a remainder that is never negative.
    fileprivate func quotientAndRemainder(flooringBy divisor: Self) -> (Self, Self) {
        let (quotient, remainder) = quotientAndRemainder(dividingBy: divisor)
        return remainder < 0 ? (quotient - 1, remainder + divisor) : (quotient, remainder)
    }
}
