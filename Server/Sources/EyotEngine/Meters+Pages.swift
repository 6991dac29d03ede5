import APNSWire
import EyotContract
import EyotDomain
import EyotMetrics

/// The metrics of pages. Each page is counted once, under a few locks.
extension Meters {
    /// Counts the verdicts of a page. Equal neighbours are counted together, because most pushes of a page are alike.
    func count(_ verdicts: PageVerdicts, of page: TakenPage) {
        let (app, environment) = (names.name(of: page.app), page.page.environment.rawValue)
        var first = 0
        for slot in 1...max(1, page.count) where slot <= page.count {
            let event = page.sent[first].push.event
            if slot < page.count, verdicts.verdicts[slot] == verdicts.verdicts[first],
                page.sent[slot].push.event == event
            {
                continue
            }
            count(verdicts.verdicts[first], event.rawValue, app, environment, times: slot - first)
            first = slot
        }
    }

    /// Counts the verdict of a broadcast.
    func count(_ verdict: PushVerdict, ofBroadcastIn environment: PushEnvironment, app: App) {
        note(app)
        count(verdict, "broadcast", names.name(of: app.id), environment.rawValue, times: 1)
    }

    private func count(
        _ verdict: PushVerdict, _ event: String, _ app: String, _ environment: String, times: Int
    ) {
        count(.pushes, app, environment, event, verdict.word, verdict.reason?.name ?? "", by: times)
        count(.verdicts, app, environment, verdict.word, by: times)
    }

    /// Records how long the replicas of a page were behind.
    func record(_ ages: [SettledPage.Age], of page: TakenPage) {
        guard !ages.isEmpty else { return }
        record(
            .stateAge, [names.name(of: page.app), page.page.environment.rawValue],
            ages.lazy.map { (value: $0.seconds, count: $0.count) })
    }

    /// Sends a page, and records how many of its pushes are on their way and how long it took.
    func timed(_ page: PushPage, of app: AppID, _ send: () async -> PageVerdicts) async -> PageVerdicts {
        let name = names.name(of: app)
        raise(.pushesInFlight, name, by: page.count)
        let began = ContinuousClock.now
        let verdicts = await send()
        let seconds = began.duration(to: .now) / .seconds(1)
        raise(.pushesInFlight, name, by: -page.count)
        record(.pushDuration, [page.environment.rawValue], CollectionOfOne((value: seconds, count: page.count)))
        return verdicts
    }
}

extension PushVerdict {
    /// The outcome as a label.
    fileprivate var word: String {
        switch self {
        case .accepted: "accepted"
        case .unknown: "unknown"
        case .notProcessed: "notProcessed"
        default: "refused"
        }
    }
}
