import PhoneSimulator

/// The effect of one changed guess on a comparison.
public struct RuleTrial: Sendable {
    /// The rule and its new value: `appliesEqualTimestamp = true`.
    public var rule: String
    /// How many of the differences become equal.
    public var mended: Int
    /// How many rows differ then, including rows that were equal before.
    public var differences: Int
    let mendedRows: Set<RecordingComparison.RowKey>
}

extension RecordingComparison {
    /// Flips each guess that has two values, one at a time. Keeps those under which fewer rows differ, best first. A
    /// guess that alone makes all rows equal is almost certain.
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
