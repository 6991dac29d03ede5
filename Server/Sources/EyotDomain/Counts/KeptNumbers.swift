/// Kept numbers of one activity, by counter, over all spans of time.
package struct KeptNumbers: Sendable {
    private var numbers: [KeptCounter: [String: Int]] = [:]

    package init(_ counts: some Sequence<KeptCount> = []) {
        for count in counts { add(count) }
    }

    package mutating func add(_ count: KeptCount) {
        let (counter, detail) = (count.key.counter, count.key.detail)
        numbers[counter, default: [:]][detail] = counter.adding(count.value, to: numbers[counter]?[detail] ?? 0)
    }

    /// The numbers of a counter by detail, without those that are 0.
    package subscript(_ counter: KeptCounter) -> [String: Int] {
        (numbers[counter] ?? [:]).filter { $0.value != 0 }
    }

    /// The number of a counter and a detail.
    package subscript(_ counter: KeptCounter, _ detail: String) -> Int { numbers[counter]?[detail] ?? 0 }

    /// The number of a counter over all details.
    package func total(_ counter: KeptCounter) -> Int { numbers[counter]?.values.reduce(0, +) ?? 0 }

    /// Ages by their steps.
    package func ages(_ steps: KeptCounter, longest: KeptCounter) -> AgeHistogram {
        var counts = [Int](repeating: 0, count: AgeHistogram.steps)
        for (step, count) in numbers[steps] ?? [:] {
            guard let step = Int(step), counts.indices.contains(step) else { continue }
            counts[step] += count
        }
        return AgeHistogram(counts: counts, longest: Double(total(longest)) / 1_000)
    }
}
