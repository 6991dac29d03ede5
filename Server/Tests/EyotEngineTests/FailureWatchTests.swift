import APNSWire
import EyotContract
import EyotDomain
import Testing

@testable import EyotEngine

/// What is said of an app while no push gets through for a reason that is not the app's.
@Suite("While no push gets through", .timeLimit(.minutes(10)))
struct FailureWatchTests {
    private static let place = Trial(of: AppID(rawValue: 1), in: .sandbox)
    private let start = Instant(second: 1_700_000_000)

    private func count(_ watch: inout FailureWatch, _ verdicts: [PushVerdict], after seconds: Double) -> AppleNews? {
        watch.count(verdicts, of: Self.place, at: start + seconds)
    }

    @Test(
        "It is told after some seconds, once, and that it is over as soon as a push gets through",
        arguments: [
            (PushVerdict.refused(.serviceUnavailable), APNSReason?.some(.serviceUnavailable)),
            (.refused(.expiredProviderToken), .expiredProviderToken), (.notProcessed, APNSReason?.none),
            (.unknown, APNSReason?.none),
        ])
    func outage(_ verdict: PushVerdict, _ reason: APNSReason?) {
        var watch = FailureWatch()
        #expect(count(&watch, [.accepted], after: 0) == AppleNews(place: Self.place))
        #expect(count(&watch, [.accepted], after: 1) == nil)
        #expect(count(&watch, [verdict, verdict], after: 2) == nil)
        #expect(count(&watch, [verdict], after: 6) == nil)
        func failure(_ last: Double) -> AppleFailure {
            AppleFailure(reason: reason, since: start + 2, last: start + last)
        }
        #expect(count(&watch, [verdict], after: 7) == AppleNews(place: Self.place, failure: failure(7)))
        #expect(count(&watch, [verdict], after: 60) == nil)
        // It is known to go on.
        #expect(count(&watch, [verdict], after: 67)?.failure == failure(67))
        watch.repeats()
        #expect(count(&watch, [verdict], after: 68)?.failure == failure(68))
        #expect(count(&watch, [verdict, .accepted], after: 69) == AppleNews(place: Self.place))
    }

    @Test func `A few pushes without an answer say nothing of all, unless nothing else gets through for long`() {
        var watch = FailureWatch()
        _ = count(&watch, Array(repeating: .accepted, count: 400) + Array(repeating: .unknown, count: 100), after: 0)
        var told: [Double] = []
        for second in stride(from: 5.0, through: 90, by: 5) {
            if count(&watch, [.unknown, .unknown], after: second)?.failure != nil { told.append(second) }
        }
        #expect(told.first.map { (30...60).contains($0) } == true, "\(told)")
        _ = count(&watch, Array(repeating: .accepted, count: 400), after: 100)
        _ = count(&watch, [.notProcessed], after: 101)
        #expect(count(&watch, [.notProcessed], after: 106)?.failure != nil, "the connection says it of all")
    }

    @Test("An answer about a push says that Apple works", arguments: [APNSReason.unregistered, .tooManyRequests])
    func works(_ reason: APNSReason) {
        var watch = FailureWatch()
        _ = count(&watch, [.refused(.serviceUnavailable)], after: 0)
        _ = count(&watch, [.refused(reason)], after: 4)
        #expect(count(&watch, [.refused(.serviceUnavailable)], after: 8) == nil)
    }

    @Test func `One outage has one beginning, whatever Apple says of it, and is not written with each page`() {
        var watch = FailureWatch()
        _ = count(&watch, [.notProcessed], after: 0)
        var told: [AppleFailure] = []
        for second in 1...20 {
            let verdict: PushVerdict = second.isMultiple(of: 2) ? .notProcessed : .refused(.shutdown)
            if let news = count(&watch, [verdict], after: Double(second)), let failure = news.failure {
                told.append(failure)
            }
        }
        #expect(told.allSatisfy { $0.since == start })
        #expect((1...4).contains(told.count), "\(told.count)")
    }

    @Test func `The store knows it, and its end, and what happened`() throws {
        let drive = EngineDrive()
        let app = try drive.app("m", cards: 3)
        func stored() -> AppleFailure? { drive.ledger.app(app.id)?.failures[.production] }
        var isDown = true
        drive.verdict = { _ in isDown ? .refused(.serviceUnavailable) : .accepted }
        for _ in 1...20 {
            try drive.declare(app)
            try drive.run()
            drive.now = drive.now + 1
        }
        #expect(stored()?.reason == .serviceUnavailable)
        isDown = false
        for _ in 1...10 {
            try drive.declare(app)
            try drive.run()
            drive.now = drive.now + 1
        }
        #expect(stored() == nil)
        let kinds = drive.ledger.events(of: app.id, about: .app, after: 0, limit: 9_999).map(\.fact.kind)
        #expect(kinds.filter { [.appFailing, .appRecovered].contains($0) } == [.appFailing, .appRecovered])
    }
}
