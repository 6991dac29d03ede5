import Foundation
import PhoneSimulator

/// The facts of a recording and of its replay, sorted into their sequences.
struct ObservedTracks {
    /// One sequence in one launch.
    private struct Track: Hashable {
        var launch: Int
        var what: String
    }

    private var observed: [Track: [ObservedFact]] = [:]
    private var simulated: [Track: [ObservedFact]] = [:]
    private var notModelled: [RecordingComparison.Row] = []
    /// The time of the last line of each launch.
    private var ends: [Int: Date] = [:]

    init(_ recording: Recording, _ replay: RecordingReplay) {
        let earlier = Self.earlierCards(recording, replay)
        var seen = FactNaming(types: recording.head.types)
        for (line, launch) in zip(recording.lines, replay.launches) {
            ends[launch] = line.moment
            guard case .saw(let fact) = line.content else { continue }
            let named = seen.name(fact.without(earlier), line.moment, line: line.number)
            if Self.isModelled(fact, strangers: replay.strangers, earlier: earlier) {
                // A card that exists only in the recording gives one difference, where it appears.
                observed[Track(launch: fact == .woken ? 0 : launch, what: named.what), default: []].append(named)
            } else {
                notModelled.append(named.row(.notModelled))
            }
        }
        var played = FactNaming(types: recording.head.types, cards: seen.cards)
        for fact in replay.facts {
            let named = played.name(fact.fact, fact.moment, line: nil)
            let launch = fact.fact == .woken ? 0 : fact.launch
            simulated[Track(launch: launch, what: named.what), default: []].append(named)
        }
        ends[0] = recording.lines.last?.moment
    }

    /// Returns the cards that existed before the recording began.
    private static func earlierCards(_ recording: Recording, _ replay: RecordingReplay) -> Set<String> {
        var cards: Set<String> = []
        for (line, launch) in zip(recording.lines, replay.launches) where launch <= 1 {
            if case .saw(.there(_, let there)) = line.content { cards.formUnion(there) }
        }
        return cards.intersection(replay.strangers)
    }

    private static func isModelled(_ fact: RecordedFact, strangers: Set<String>, earlier: Set<String>) -> Bool {
        switch fact {
        case .other: false
        case .refused(_, let error): CardRefusal(rawValue: error) != nil
        case .card(_, let card): !earlier.contains(card)
        case .phase(let card, let name): CardPhase(rawValue: name) != nil && !strangers.contains(card)
        case .there, .granted: true
        default: fact.card.map { !strangers.contains($0) } ?? true
        }
    }

    func rows(tolerance: Double) -> [RecordingComparison.Row] {
        var rows = notModelled
        for track in Set(observed.keys).union(simulated.keys) {
            // A fact at the very end may have come after the recording's last line.
            let end = (ends[track.launch] ?? .distantPast).addingTimeInterval(-tolerance)
            for pair in Alignment.pairs(observed[track] ?? [], simulated[track] ?? []) {
                if pair.0 == nil, let simulated = pair.1, simulated.moment > end { continue }
                if let row = Self.row(pair.0, pair.1, tolerance) { rows.append(row) }
            }
        }
        return rows.sorted { ($0.moment, $0.line ?? .max, $0.what) < ($1.moment, $1.line ?? .max, $1.what) }
    }

    private static func row(
        _ observed: ObservedFact?, _ simulated: ObservedFact?, _ tolerance: Double
    ) -> RecordingComparison.Row? {
        guard var row = (observed ?? simulated)?.row(.differs) else { return nil }
        row.observed = observed?.text
        row.simulated = simulated?.text
        if let observed, let simulated {
            let seconds = observed.moment.timeIntervalSince(simulated.moment)
            row.seconds = (seconds * 1_000).rounded() / 1_000
            if observed.says(simulated), abs(seconds) <= tolerance { row.verdict = .equal }
        }
        return row
    }
}

/// The alignment of two sequences.
enum Alignment {
    /// How far ahead the alignment searches for the next equal facts.
    private static let reach = 8

    static func pairs(_ left: [ObservedFact], _ right: [ObservedFact]) -> [(ObservedFact?, ObservedFact?)] {
        var pairs: [(ObservedFact?, ObservedFact?)] = []
        var (i, j) = (0, 0)
        while i < left.count || j < right.count {
            let (skipped, passed) = distance(left[i...], right[j...])
            for step in 0..<max(skipped, passed) {
                pairs.append((step < skipped ? left[i + step] : nil, step < passed ? right[j + step] : nil))
            }
            (i, j) = (i + skipped, j + passed)
            if i < left.count, j < right.count, left[i].says(right[j]) {
                pairs.append((left[i], right[j]))
                (i, j) = (i + 1, j + 1)
            }
        }
        return pairs
    }

    /// Returns how many facts of each sequence come before the next two equal ones. If none are near, it returns one of
    /// each, or none of an empty sequence.
    private static func distance(_ left: ArraySlice<ObservedFact>, _ right: ArraySlice<ObservedFact>) -> (Int, Int) {
        for total in 0...reach {
            for skipped in 0...total where skipped < left.count && total - skipped < right.count {
                if left[left.startIndex + skipped].says(right[right.startIndex + total - skipped]) {
                    return (skipped, total - skipped)
                }
            }
        }
        return (min(left.count, 1), min(right.count, 1))
    }
}
