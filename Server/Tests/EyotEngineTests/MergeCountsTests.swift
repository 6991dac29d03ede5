import EyotDomain
import EyotEngine
import EyotTestKit
import Testing

@Suite("Kept numbers get coarser with age")
struct MergeCountsTests {
    private static let start = Instant(second: 1_700_000_000 / 86_400 * 86_400)
    private let ledger = MemoryLedger()
    private let app = AppID(rawValue: 1)
    private let activity = ActivityID(rawValue: 1)

    /// One push in each span of ten seconds.
    private func count(seconds: Int) {
        for second in stride(from: 0, to: seconds, by: 10) {
            let counts = ActivityCounts(app: app, activity: activity, at: Self.start + Double(second))
            ledger.count(.accepted, in: counts)
            ledger.count(.longestAccepted, times: second + 1, in: counts)
        }
    }

    private func prune(at seconds: Double) throws {
        var stage: Prune.Stage? = .counts(0)
        while let current = stage, current != .generations {
            stage = try Prune(Transaction(ledger, at: Self.start + seconds), retention: Retention())(current)
        }
    }

    private func widths(_ counter: KeptCounter) -> [Int: [Int]] {
        let found = ledger.counts(of: activity, in: app, limit: .max).filter { $0.key.counter == counter }
        return Dictionary(grouping: found, by: \.key.span.width).mapValues { $0.map(\.value) }
    }

    @Test func `numbers are merged and none is lost, and the longest age stays the longest`() throws {
        count(seconds: 7_200)
        try ledger.storeCounts()
        #expect(widths(.accepted)[10]?.count == 720)
        try prune(at: 7_200)
        // The last half hour stays as it is.
        let (pushes, longest) = (widths(.accepted), widths(.longestAccepted))
        #expect(pushes[600] == [Int](repeating: 60, count: 9))
        #expect(pushes[10] == [Int](repeating: 1, count: 180))
        #expect(longest[600] == [591, 1_191, 1_791, 2_391, 2_991, 3_591, 4_191, 4_791, 5_391])
        try prune(at: 86_400 + 5_400)
        #expect(widths(.accepted) == [600: [60, 60, 60, 60, 60, 60], 3_600: [360]])
        try prune(at: 40 * 86_400)
        #expect(widths(.accepted) == [86_400: [720]])
        #expect(widths(.longestAccepted) == [86_400: [7_191]])
    }

    @Test func `an activity of a year has a bounded number of rows`() throws {
        for day in 0..<365 {
            for hour in 0..<24 {
                let moment = Self.start + Double(day * 86_400 + hour * 3_600)
                ledger.count(.accepted, in: ActivityCounts(app: app, activity: activity, at: moment))
            }
            try ledger.storeCounts()
            try prune(at: Double(day + 1) * 86_400)
        }
        let rows = widths(.accepted)
        let all: [Int] = rows.values.flatMap { $0 }
        let (total, limit) = (all.reduce(0, +), 365 + 31 * 24)
        #expect(all.count <= limit)
        #expect(total == 8_760)
    }
}
