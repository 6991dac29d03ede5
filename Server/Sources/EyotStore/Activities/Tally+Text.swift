import EyotDomain

/// The counts are read and written as a whole and never searched, so they are one text: the longest age, the counts, and how often
/// each age came, up to the last that did. They change with every page, which is why they are no JSON: reading and writing that
/// was a tenth of what a page costs.
extension Tally {
    private var counts: [Int] {
        [
            started, accepted, ended, superseded, alertsSuperseded, alertsExpired, refused, unknown,
            broadcasts.accepted, broadcasts.refused, broadcasts.unknown,
        ]
    }

    var text: String {
        var text = Array("\(ages.longest)".utf8)
        NumberList(separator: " ").append(counts + ages.counts, to: &text)
        return String(decoding: text, as: UTF8.self)
    }

    /// Nil where it is not such a text.
    init?(text: String) {
        self.init()
        guard let first = text.firstIndex(of: " "), let longest = Double(text[..<first]),
            let numbers = NumberList(separator: " ").numbers(in: text.utf8[first...]), numbers.count >= counts.count
        else { return nil }
        (started, accepted, ended, superseded) = (numbers[0], numbers[1], numbers[2], numbers[3])
        (alertsSuperseded, alertsExpired, refused, unknown) = (numbers[4], numbers[5], numbers[6], numbers[7])
        (broadcasts.accepted, broadcasts.refused, broadcasts.unknown) = (numbers[8], numbers[9], numbers[10])
        ages = AgeHistogram(counts: Array(numbers.dropFirst(counts.count)), longest: longest)
    }
}

extension SQLColumns {
    mutating func tally() throws -> Tally {
        guard let tally = Tally(text: try text()) else { throw unreadable("counts") }
        return tally
    }
}
