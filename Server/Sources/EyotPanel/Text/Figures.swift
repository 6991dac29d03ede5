import EyotContract
import EyotDomain

/// Numbers and times as pages write them.
enum Figures {
    /// `1,204,311`.
    static func count(_ number: Int) -> String {
        let digits = String(number.magnitude)
        var groups: [Substring] = []
        var rest = digits[...]
        while rest.count > 3 {
            groups.insert(rest.suffix(3), at: 0)
            rest = rest.dropLast(3)
        }
        groups.insert(rest, at: 0)
        return (number < 0 ? "−" : "") + groups.joined(separator: ",")
    }

    /// `1 device`, `1,204 devices`.
    static func count(_ number: Int, _ one: String) -> String { "\(count(number)) \(one)\(number == 1 ? "" : "s")" }

    /// A share of a whole in percent with one digit; an en dash without a whole.
    static func share(_ part: Int, of whole: Int) -> String {
        guard whole > 0 else { return "–" }
        return decimal(Double(part) * 100 / Double(whole), digits: 1)
    }

    /// `0.4`, `2.1`, `41`, `3 min`, `2 h`: seconds in the unit that says most; an en dash for nil.
    static func seconds(_ seconds: Double?) -> (value: String, unit: String) {
        guard let seconds else { return ("–", "") }
        switch seconds {
        case ..<10: return (decimal(seconds, digits: 1), "s")
        case ..<120: return (count(Int(seconds.rounded())), "s")
        case ..<7_200: return (count(Int((seconds / 60).rounded())), "min")
        case ..<172_800: return (count(Int((seconds / 3_600).rounded())), "h")
        default: return (count(Int((seconds / 86_400).rounded())), "d")
        }
    }

    /// A number with a count of digits after the point.
    static func decimal(_ number: Double, digits: Int) -> String {
        let scale = (0..<digits).reduce(1.0) { scale, _ in scale * 10 }
        // Beyond this a number has no digits after the point in a page.
        guard number.magnitude * scale < 1e15 else { return number.isFinite ? "\(number)" : "–" }
        let scaled = Int((number * scale).rounded())
        let (whole, rest) = scaled.quotientAndRemainder(dividingBy: Int(scale))
        guard digits > 0 else { return count(whole) }
        let fraction = String(rest.magnitude)
        let zeros = String(repeating: "0", count: digits - fraction.count)
        let sign = scaled < 0 && whole == 0 ? "−" : ""
        return "\(sign)\(count(whole)).\(zeros)\(fraction)"
    }
}

/// A moment in a page: for the machine, and as text in UTC, which the browser writes in local time.
struct Moment {
    let machine: String
    let text: String

    init(_ instant: Instant) {
        machine = instant.rfc3339
        // 2026-11-25T20:58:02.114Z
        text = String(machine.dropFirst(11).prefix(8))
    }

    /// Reads a time of the API; nil if it is none.
    init?(_ json: JSONValue?) {
        guard let text = json?.string, let instant = Instant(rfc3339: text) else { return nil }
        self.init(instant)
    }
}
