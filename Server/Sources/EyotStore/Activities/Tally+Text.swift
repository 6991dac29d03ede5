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
        let filled = ages.counts.lastIndex { $0 > 0 }.map { ages.counts[...$0] } ?? []
        var text = "\(ages.longest)"
        for count in counts + filled {
            text += " "
            text += String(count)
        }
        return text
    }

    /// Nil where it is not such a text.
    init?(text: String) {
        self.init()
        guard let first = text.firstIndex(of: " "), let longest = Double(text[..<first]),
            let numbers = Self.numbers(text.utf8[first...]), numbers.count >= counts.count
        else { return nil }
        (started, accepted, ended, superseded) = (numbers[0], numbers[1], numbers[2], numbers[3])
        (alertsSuperseded, alertsExpired, refused, unknown) = (numbers[4], numbers[5], numbers[6], numbers[7])
        (broadcasts.accepted, broadcasts.refused, broadcasts.unknown) = (numbers[8], numbers[9], numbers[10])
        ages = AgeHistogram(counts: Array(numbers.dropFirst(counts.count)), longest: longest)
    }

    /// Numbers with a space before each. Digit by digit, since every page reads them.
    private static func numbers(_ text: Substring.UTF8View) -> [Int]? {
        var numbers: [Int] = []
        var isOpen = false
        for byte in text {
            if byte == UInt8(ascii: " ") {
                guard !isOpen else { return nil }
                numbers.append(0)
                isOpen = true
            } else {
                guard let last = numbers.indices.last, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte),
                    numbers[last] < Int.max / 10 - 1
                else { return nil }
                numbers[last] = numbers[last] * 10 + Int(byte - UInt8(ascii: "0"))
                isOpen = false
            }
        }
        return isOpen ? nil : numbers
    }
}

extension SQLColumns {
    mutating func tally() throws -> Tally {
        guard let tally = Tally(text: try text()) else { throw unreadable("counts") }
        return tally
    }
}
