import EyotDomain
import EyotTestKit
import Testing

@testable import EyotMetrics

/// The share of phones that show something else than declared.
@Suite("Phones that report") struct ReportingPhonesTests {
    private let app = AppID(rawValue: 1)
    private let match = ActivityID(rawValue: 1)

    private func counts(
        _ phones: ReportingPhones, at now: ContinuousClock.Instant = .now
    ) -> [Occurrence.Report: Int] { phones.counts(at: now)[app] ?? [:] }

    @Test func `A phone counts once, with what it reported last`() {
        let phones = ReportingPhones()
        for _ in 0..<10 {
            for phone in 1...30 { phones.note(.same, by: DeviceID(rawValue: Int64(phone)), of: match, app: app) }
        }
        #expect(counts(phones) == [.same: 30])
        for phone in 1...20 { phones.note(.unknown, by: DeviceID(rawValue: Int64(phone)), of: match, app: app) }
        #expect(counts(phones) == [.same: 10, .unknown: 20])
        for phone in 1...19 { phones.note(.same, by: DeviceID(rawValue: Int64(phone)), of: match, app: app) }
        #expect(counts(phones) == [.same: 29, .unknown: 1])
    }

    @Test func `Of a phone's cards the worst counts, and another card's good report hides none`() {
        let (phones, phone) = (ReportingPhones(), DeviceID(rawValue: 1))
        phones.note(.unknown, by: phone, of: match, app: app)
        phones.note(.same, by: phone, of: ActivityID(rawValue: 2), app: app)
        phones.note(.older, by: phone, of: ActivityID(rawValue: 3), app: app)
        #expect(counts(phones) == [.unknown: 1])
        for activity in 10..<40 { phones.note(.same, by: phone, of: ActivityID(rawValue: Int64(activity)), app: app) }
        #expect(counts(phones) == [.same: 1], "old reports make room for new ones")
    }

    @Test func `A report counts for ten minutes`() {
        let (phones, now) = (ReportingPhones(), ContinuousClock.now)
        phones.note(.unknown, by: DeviceID(rawValue: 1), of: match, app: app, at: now)
        phones.note(.same, by: DeviceID(rawValue: 2), of: match, app: app, at: now + .seconds(300))
        #expect(counts(phones, at: now + .seconds(599)) == [.unknown: 1, .same: 1])
        #expect(counts(phones, at: now + .seconds(601)) == [.same: 1])
        #expect(counts(phones, at: now + .seconds(901)) == [:])
    }

    @Test func `Of many phones a sample has the same share, and an app's silence gives its room back`() {
        let (phones, now) = (ReportingPhones(), ContinuousClock.now)
        for phone in 1...20_000 {
            let result: Occurrence.Report = phone % 4 == 0 ? .unknown : .same
            phones.note(result, by: DeviceID(rawValue: Int64(phone)), of: match, app: app, at: now)
        }
        let many = counts(phones, at: now)
        let all = many.values.reduce(0, +)
        #expect(all == ReportingPhones.limits.phones)
        #expect((0.18...0.32).contains(Double(many[.unknown] ?? 0) / Double(all)))
        _ = phones.counts(at: now + .seconds(700))
        for phone in 1...100 {
            phones.note(.older, by: DeviceID(rawValue: Int64(phone)), of: match, app: app, at: now + .seconds(701))
        }
        #expect(counts(phones, at: now + .seconds(702)) == [.older: 100])
    }

    @Test func `A scrape has the phones of each app, and counters of a new app begin at 0`() throws {
        let meters = Meters()
        meters.note(App(id: app, bundleID: "org.example", name: "A", publicKey: "", createdAt: Instant(second: 0)))
        let first = try ScrapedMetrics(meters.text(at: Instant(second: 0)))
        for result in ["same", "older", "unknown", "dismissed"] {
            #expect(first.value("eyot_reported_total", ["app": "org.example", "result": result]) == 0)
        }
        for verdict in ["accepted", "refused", "unknown", "notProcessed"] {
            let labels = ["app": "org.example", "environment": "production", "verdict": verdict]
            #expect(first.value("eyot_push_verdicts_total", labels) == 0)
        }
        let seen = Occurrence(.reported(.unknown, by: DeviceID(rawValue: 1), of: match), of: app)
        meters.count([seen: 1])
        let second = try ScrapedMetrics(meters.text(at: Instant(second: 0)))
        #expect(second.value("eyot_phones_reporting", ["app": "org.example", "result": "unknown"]) == 1)
        #expect(second.value("eyot_phones_reporting", ["app": "org.example", "result": "same"]) == 0)
    }
}
