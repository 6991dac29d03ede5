import EyotDomain

/// A report on an activity: its newest state, and how its replicas stand.
package struct ActivityReport: Sendable {
    package var activity: Activity
    /// The newest common state, without one that a canary tries out.
    package var newest: Declaration?
    package var endedBy: Declaration?
    /// The operator's halt that applies to it, or nil.
    package var halt: Halt?
    package var channels: [Channel] = []
    /// Replicas by ``Replica/Phase/word``.
    package var phases: [String: Int] = [:]
    /// Replicas that were not started, by reason.
    package var failures: [StartFailure: Int] = [:]
    /// Replicas with a dead token, by Apple's reason.
    package var deaths: [String: Int] = [:]
    /// Replicas that are behind and can be pushed to.
    package var behind = 0
    /// Whether only some of the replicas were looked at, and the number that are behind follows from them.
    package var isBehindEstimated = false
    /// Seconds for which the longest of them has been behind.
    package var behindSeconds = 0.0
}

/// The reader of reports. Replicas are counted as they change, so a report costs the same for any number of them.
package struct InspectActivity: Sendable {
    let store: any Store
    let clock: any WallClock
    let pushing: PushingState

    /// - Parameter pushing: Knows for how long replicas have been behind, even if the clock was set back.
    package init(store: any Store, clock: any WallClock, pushing: PushingState) {
        self.store = store
        self.clock = clock
        self.pushing = pushing
    }

    /// - Throws: `activityUnknown`.
    package func report(on name: String, of app: AppID) async throws -> ActivityReport {
        let found = try await store.read { ledger in
            guard let found = try ledger.newestActivity(named: name, in: app) else {
                throw try ledger.unknownActivity(name, in: app)
            }
            return found
        }
        return try await report(on: found)
    }

    /// The newest generations of the names after `name`, and whether there are more.
    package func reports(
        after name: String, limit: Int, of app: AppID
    ) async throws -> (reports: [ActivityReport], hasMore: Bool) {
        let found = try await store.read { try $0.listedActivities(in: app, after: name, limit: limit + 1) }
        var reports: [ActivityReport] = []
        for activity in found.prefix(limit) { reports.append(try await report(on: activity)) }
        return (reports, found.count > limit)
    }

    private func report(on activity: Activity) async throws -> ActivityReport {
        var report = try await store.read { ledger in
            var report = ActivityReport(activity: activity)
            report.newest = try ledger.declaration(activity.common.state, of: activity.id)
            report.halt = try ledger.app(activity.app)?.halt(of: activity)
            report.endedBy = try activity.end.flatMap { try ledger.declaration($0, of: activity.id) }
            report.channels = try ledger.channels(of: activity.id)
            try report.readCounts(in: ledger)
            return report
        }
        try await lookBehind(activity, &report)
        return report
    }
}

// MARK: - Operations

/// An operation and its progress.
package struct OperationReport: Sendable {
    package var operation: Operation
    package var state: OperationState
    package var counts: DeliveryCounts
    /// The version that superseded it.
    package var supersededBy: VersionTag?
    /// The canary that tries it out.
    package var canary: Canary?
}

extension InspectActivity {
    /// - Throws: `operationUnknown`.
    package func operation(_ id: Int64, of app: AppID) async throws -> OperationReport {
        let found = try await store.read { ledger -> (Operation, Activity?)? in
            guard let operation = try ledger.operation(id, in: app) else { return nil }
            return (operation, try operation.activity.flatMap { try ledger.activity($0) })
        }
        guard let (operation, activity) = found else {
            throw EyotError(.operationUnknown, "there is no operation \(id)")
        }
        var report = OperationReport(
            operation: operation, state: operation.state(in: activity), counts: operation.counts(in: activity))
        if let canary = activity?.canary, operation.outcome.isTaken, canary.version == operation.version {
            report.canary = canary
        }
        if !operation.outcome.isTaken {
            // The version that existed when the call came. Nil if the call named an unknown activity.
            let newest = VersionTag(generation: operation.generation, version: operation.version)
            report.supersededBy = newest.generation > 0 ? newest : nil
        } else if report.state == .superseded {
            let successor = operation.completion?.supersededBy ?? activity.flatMap(operation.successor(in:))
            report.supersededBy = successor.map { VersionTag(generation: operation.generation, version: $0) }
        }
        return report
    }
}
