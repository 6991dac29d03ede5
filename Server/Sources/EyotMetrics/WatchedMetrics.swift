import EyotDomain

/// The metrics of watched activities, from the numbers that are read now and then.
///
/// What had happened to an activity when it was first read is not counted. A later generation of its name counts from
/// its beginning.
package struct WatchedMetrics {
    private var known: [WatchedActivity: (activity: ActivityID, tally: Tally)] = [:]

    package init() {}

    /// Writes the numbers of all watched activities.
    package mutating func write(_ numbers: [WatchedNumbers], to meters: Meters) {
        var (cards, shown, stale): ([[String]: Double], [[String]: Double], [[String]: Double]) = ([:], [:], [:])
        for numbers in numbers {
            let labels = [meters.names.name(of: numbers.watched.app), numbers.watched.name]
            for (phase, count) in numbers.phases { cards[labels + [phase]] = Double(count) }
            shown[labels] = numbers.shown.share ?? 0
            stale[labels] = Double(numbers.shown.stale)
            count(numbers, labels, meters)
        }
        meters.setAll(.activityCards, cards)
        meters.setAll(.activityShown, shown)
        meters.setAll(.activityStale, stale)
        known = Dictionary(uniqueKeysWithValues: numbers.map { ($0.watched, ($0.activity, $0.tally)) })
    }

    /// What was counted before.
    private func former(of numbers: WatchedNumbers) -> Tally {
        guard let known = known[numbers.watched] else { return numbers.tally }
        return known.activity == numbers.activity ? known.tally : Tally()
    }

    private func count(_ numbers: WatchedNumbers, _ labels: [String], _ meters: Meters) {
        let former = former(of: numbers)
        meters.count(.activityRefused, labels[0], labels[1], by: numbers.tally.refused - former.refused)
        let counts = former.ages.counts
        let added = numbers.tally.ages.counts.enumerated().map { step, count in
            // The middle of a step, so that no rounding puts it into another bucket.
            (
                value: AgeHistogram.upperBound(of: step) * 0.85,
                count: count - (counts.indices.contains(step) ? counts[step] : 0)
            )
        }
        meters.record(.activityStateAge, labels, added.filter { $0.count > 0 })
    }
}
