/// Counts in a text, with the same character before each. They are written and read digit by digit, because every push
/// reads some.
struct NumberList {
    private let separator: UInt8

    init(separator: Unicode.Scalar) { self.separator = UInt8(ascii: separator) }

    func append(_ numbers: [Int], to text: inout [UInt8]) {
        text.reserveCapacity(text.count + 4 * numbers.count)
        for number in numbers {
            text.append(separator)
            // Most numbers have one digit.
            if (0...9).contains(number) {
                text.append(UInt8(ascii: "0") + UInt8(number))
            } else {
                text += String(number).utf8
            }
        }
    }

    /// The numbers of a text; nil if the text is something else.
    func numbers(in text: some Sequence<UInt8>) -> [Int]? {
        var numbers: [Int] = []
        numbers.reserveCapacity(text.underestimatedCount / 2)
        var isOpen = false
        for byte in text {
            if byte == separator {
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
