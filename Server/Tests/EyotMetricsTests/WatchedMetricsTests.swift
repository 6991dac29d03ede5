import EyotDomain
import Testing

@testable import EyotMetrics

@Suite("Metrics of watched activities") struct WatchedMetricsTests {
    private let meters = Meters()
    private let watched = WatchedActivity(app: AppID(rawValue: 1), name: "final")

    /// Numbers of a generation after some answers of Apple.
    private func numbers(
        generation: Int64 = 1, accepted: Int, refused: Int = 0, phases: [String: Int] = [:],
        showing: [String: Int] = [:], stale: Version = 0
    ) -> WatchedNumbers {
        var activity = Activity(
            id: ActivityID(rawValue: generation), app: watched.app, name: "final", generation: Int(generation),
            type: nil,
            createdAt: Instant(second: 0))
        activity.common.state = 2
        activity.tally.refused = refused
        activity.tally.ages.record(seconds: 0.25, count: accepted)
        return WatchedNumbers(
            watched, activity, phases: phases, shown: ShownNumbers(showing, beside: activity.common) { $0 == stale })
    }

    private func value(_ series: String) -> String? {
        meters.text(at: Instant(second: 0)).split(separator: "\n").first { $0.hasPrefix(series + " ") }
            .map { String($0.dropFirst(series.count + 1)) }
    }

    @Test func `what happens while an activity is watched is counted once, in each generation`() {
        var metrics = WatchedMetrics()
        let labels = #"{app="other",activity="final"}"#
        let ages = "eyot_activity_state_age_seconds_count" + labels
        metrics.write([numbers(accepted: 7, refused: 2)], to: meters)
        #expect(value(ages) == "0")
        metrics.write([numbers(accepted: 10, refused: 3)], to: meters)
        metrics.write([numbers(accepted: 10, refused: 3)], to: meters)
        #expect(value(ages) == "3")
        #expect(value("eyot_activity_refused_total" + labels) == "1")
        metrics.write([numbers(generation: 2, accepted: 4, refused: 1)], to: meters)
        #expect(value(ages) == "7")
        #expect(value("eyot_activity_refused_total" + labels) == "2")
        let bucket = #"eyot_activity_state_age_seconds_bucket{app="other",activity="final",le="0.256"}"#
        #expect(value(bucket) == "7")
        #expect(value(bucket.replacing("0.256", with: "0.064")) == "0")
    }

    @Test func `gauges say what is now, and become 0 when the watch ends`() {
        var metrics = WatchedMetrics()
        let cards = #"eyot_activity_cards{app="other",activity="final",phase="live"}"#
        let shown = #"eyot_activity_shown_ratio{app="other",activity="final"}"#
        let stale = #"eyot_activity_stale_cards{app="other",activity="final"}"#
        let showing = ["2": 1, "1": 2, "0": 1]
        metrics.write([numbers(accepted: 1, phases: ["live": 3], showing: showing, stale: 1)], to: meters)
        #expect(value(cards) == "3")
        #expect(value(shown) == "0.25")
        #expect(value(stale) == "2")
        metrics.write([], to: meters)
        #expect(value(cards) == "0")
        #expect(value(shown) == "0")
        #expect(value(stale) == "0")
    }
}
