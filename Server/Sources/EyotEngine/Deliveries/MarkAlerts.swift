import EyotContract
import EyotDomain

/// The durable note of the alerts on a page before it leaves, one row for a page (R4). Part of a transaction.
struct MarkAlerts: UseCase {
    let transaction: Transaction

    init(_ transaction: Transaction) { self.transaction = transaction }

    func callAsFunction(of page: inout TakenPage) throws {
        var mark: AlertMark?
        for run in page.runs {
            var isMarked: [Version: Bool] = [:]
            for slot in run.slots {
                let (push, ordinal) = (page.sent[slot].push, page.sent[slot].ordinal)
                guard push.soundsOnRunningCard else { continue }
                let counts =
                    try isMarked[push.alertVersion] ?? mayNotSoundAgain(push.alertVersion, of: run.activity, page)
                isMarked[push.alertVersion] = counts
                guard counts else { continue }
                let key = AlertMark.Key(activity: run.activity, ordinal: ordinal, second: now.second)
                mark = mark ?? AlertMark(key)
                mark?.add(ordinal, of: run.activity, alert: push.alertVersion)
            }
        }
        page.mark = try mark.map(transaction.note)
    }

    /// Whether an alert counts as given once its push may have left.
    private func mayNotSoundAgain(_ version: Version, of activity: ActivityID, _ page: TakenPage) throws -> Bool {
        let declaration = try page.declarations[activity]?[version] ?? ledger.declaration(version, of: activity)
        return declaration?.content.isUrgent != true
    }
}

extension Push {
    /// Whether it carries an alert for a card that runs. A start's own alert is recorded with its lease.
    fileprivate var soundsOnRunningCard: Bool { alertVersion > 0 && event != .start && !leavesAlertOut }
}
