import ArgumentParser

/// What options of measurements may say.
enum BenchLimits {
    /// Cards of an activity, or activities of one card.
    static let cards = 1_000...5_000_000
    /// How often something is measured.
    static let rounds = 1...100

    /// - Throws: where a value lies outside.
    static func check(_ option: String, _ value: Int, _ range: ClosedRange<Int>) throws {
        try check(option, Double(value), range)
    }

    /// - Throws: where a value lies outside.
    static func check(_ option: String, _ value: Double, _ range: ClosedRange<Int>) throws {
        guard value >= Double(range.lowerBound), value <= Double(range.upperBound) else {
            throw ValidationError("--\(option) must lie between \(range.lowerBound) and \(range.upperBound).")
        }
    }
}
