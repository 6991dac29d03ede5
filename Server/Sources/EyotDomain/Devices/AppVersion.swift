/// A version of an app in a form that can be compared: its dotted numbers, then those of the build in parentheses.
package struct AppVersion: Sendable, Hashable, Comparable {
    /// The most numbers of the version, and of the build, that are compared.
    private static let parts = 4

    /// A text that sorts by its bytes like the versions.
    package let order: String

    /// Reads `1.4.2 (27)`. Anything after the digits of a part is ignored, and missing parts are 0.
    ///
    /// - Returns: nil if the text does not begin with a digit.
    package init?(_ text: String) {
        let halves = text.split(separator: "(", maxSplits: 1, omittingEmptySubsequences: false)
        guard text.utf8.first.map(Self.isDigit) == true else { return nil }
        order =
            halves.indices.map { Self.order(of: halves[$0]) }.joined() + (halves.count < 2 ? Self.order(of: "") : "")
    }

    /// Writes each number after its length, so that longer numbers sort higher.
    private static func order(of text: Substring) -> String {
        let numbers = text.split(separator: ".", maxSplits: parts - 1, omittingEmptySubsequences: false).map { part in
            part.utf8.prefix(while: isDigit).drop { $0 == UInt8(ascii: "0") }.prefix(longest)
        }
        return (0..<parts).map { index in
            let digits = index < numbers.count ? String(decoding: numbers[index], as: UTF8.self) : ""
            return "\(UnicodeScalar(UInt8(ascii: "0") + UInt8(digits.utf8.count)))\(digits)"
        }.joined()
    }

    /// The most digits of one number that are compared.
    private static let longest = 40

    private static func isDigit(_ byte: UInt8) -> Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) }

    package static func < (a: AppVersion, b: AppVersion) -> Bool {
        a.order.utf8.lexicographicallyPrecedes(b.order.utf8)
    }
}
