import PhoneSimulator

/// What one guess, decided the other way, would make of a comparison.
public struct RuleTrial: Sendable {
    /// The rule and what it was put to: `appliesEqualTimestamp = true`.
    public var rule: String
    /// How many of the differences are equal then.
    public var mended: Int
    /// How many rows differ then, those among them that were equal before.
    public var differences: Int
    let mendedRows: Set<RecordingComparison.RowKey>
}

extension RecordingComparison {
    /// Puts every guess that is a matter of either or the other way, each alone, and keeps those under which fewer rows
    /// differ, best first: a guess that alone makes everything equal is as good as known.
    ///
    /// - Parameters: as in ``init(of:under:os:tolerance:)``; the rules are the defaults.
    public func trials(
        of recording: Recording, os: IOSVersion? = nil, tolerance: Double = defaultTolerance
    ) -> [RuleTrial] {
        let before = Set(differences.map(\.key))
        guard !before.isEmpty else { return [] }
        let choices = PhoneRules.switches.filter { $0.isChoice && !ObservedSubject.hiddenRules.contains($0.name) }
        let trials = choices.compactMap { choice -> RuleTrial? in
            var rules = PhoneRules()
            choice.flip(&rules)
            let after = Set(Self(of: recording, under: rules, os: os, tolerance: tolerance).differences.map(\.key))
            guard after.count < before.count else { return nil }
            let mended = before.subtracting(after)
            return RuleTrial(
                rule: choice.description, mended: mended.count, differences: after.count, mendedRows: mended)
        }
        return trials.sorted { ($0.differences, $0.rule) < ($1.differences, $1.rule) }
    }
}
