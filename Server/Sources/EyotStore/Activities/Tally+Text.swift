import EyotDomain

/// The counts as one text, because they are read and written as a whole and never searched. The text has the longest
/// age, the counts, and how often each age came, up to the last that did. It is not JSON, because the counts change
/// with every page. Reading and writing JSON was a tenth of the cost of a page.
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

    /// Nil if the text is not such a list.
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
