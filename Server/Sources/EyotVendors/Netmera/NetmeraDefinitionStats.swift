import EyotDomain
import EyotHTTP

/// The results of all sends of a definition, added up.
struct NetmeraDefinitionStats {
    /// How many sends are added up. For more, a caller must ask by time.
    private static let sendLimit = 20_000
    /// How many sends one transaction reads.
    private static let pageSize = 200

    let backend: Backend
    let app: AppID
    let key: NetmeraKey

    func callAsFunction() async throws -> NetmeraStats {
        var sum = Sum()
        while true {
            let (activity, id) = (sum.activity, sum.id)
            let page = try await backend.store.read { ledger in
                try ledger.operations(of: key.source, in: app, after: activity, id: id, limit: Self.pageSize).map {
                    ($0, try $0.activity.flatMap { try ledger.activity($0) })
                }
            }
            for (operation, activity) in page { sum.add(operation, activity) }
            guard sum.count <= Self.sendLimit else {
                throw EyotError(
                    .fieldInvalid, "more than \(Self.sendLimit) were sent of it: ask by start and end",
                    field: "notificationKey")
            }
            guard page.count == Self.pageSize else { break }
        }
        return try await stats(sum)
    }

    private func stats(_ sum: Sum) async throws -> NetmeraStats {
        let definition = try await backend.store.read { try $0.definition(key.source, in: app) }
        guard let startedAt = sum.startedAt ?? definition?.changedAt else {
            throw EyotError(
                .definitionUnknown, "there is no definition with notificationKey \(key.number)",
                field: "notificationKey")
        }
        return NetmeraStats(
            key: key.number, status: sum.status, startedAt: startedAt, endedAt: sum.isOver ? sum.endedAt : nil,
            sent: sum.sent, failed: sum.failed)
    }

    /// A sum of sends, activity by activity. A push of an activity counts once, even if several sends were in progress.
    private struct Sum {
        var count = 0
        var activity = ActivityID(rawValue: 0)
        var id: Int64 = 0
        var startedAt: Instant?
        var endedAt: Instant?
        var isOver = true
        var hasBegun = false
        var sent = 0
        var failed = 0
        /// How many of the activity's pushes have been counted.
        private var seen = (sent: 0, failed: 0)

        var status: String {
            if count > 0, isOver { return NetmeraStats.finished }
            return hasBegun ? NetmeraStats.sending : NetmeraStats.starting
        }

        mutating func add(_ operation: Operation, _ activity: Activity?) {
            guard let own = operation.activity else { return }
            if own != self.activity { seen = (0, 0) }
            (self.activity, id, count) = (own, operation.id, count + 1)
            startedAt = min(startedAt ?? operation.acceptedAt, operation.acceptedAt)
            let state = NetmeraStats.status(operation.state(in: activity))
            isOver = isOver && state == NetmeraStats.finished
            hasBegun = hasBegun || state != NetmeraStats.starting
            if let end = operation.completion?.at { endedAt = max(endedAt ?? end, end) }
            let counts = operation.counts(in: activity)
            let before = (operation.before.accepted, operation.before.refused + operation.before.unknown)
            Self.take(&seen.sent, &sent, before.0, before.0 + counts.accepted)
            Self.take(&seen.failed, &failed, before.1, before.1 + counts.refused + counts.unknown)
        }

        private static func take(_ seen: inout Int, _ sum: inout Int, _ from: Int, _ upTo: Int) {
            sum += max(0, upTo - max(from, seen))
            seen = max(seen, upTo)
        }
    }
}
