import EyotDomain

/// What became of the requests that have an id.
package struct RequestReport: Sendable {
    /// The operations that were accepted, oldest first.
    package var operations: [Operation]
    /// The events of calls that were refused, oldest first.
    package var refused: [EventView]
}

extension Commands {
    /// The most operations, and refused calls, of one id. Callers choose ids of their own, and may use one again.
    private static let ofRequest = 100

    /// Reads what became of a request.
    ///
    /// - Parameter id: The server's id of it, or the caller's own.
    /// - Throws: `requestUnknown`.
    package func request(_ id: String, of app: AppID) async throws -> RequestReport {
        try await store.read { ledger in
            let report = RequestReport(
                operations: try ledger.operations(ofRequest: id, in: app, limit: Self.ofRequest),
                refused: try ledger.events(ofRequest: id, in: app, limit: Self.ofRequest)
                    .map { try EventView($0, in: ledger) })
            guard !report.operations.isEmpty || !report.refused.isEmpty else {
                throw EyotError(.requestUnknown, "no request with the id \(id) declared anything or was refused")
            }
            return report
        }
    }

    /// Records calls that were refused. Nothing else changes.
    package func record(_ refusals: [NotedRefusal]) async throws {
        try await store.write { ledger in
            for refusal in refusals where try ledger.app(refusal.app) != nil {
                let activity = try refusal.activity.flatMap { try ledger.newestActivity(named: $0, in: refusal.app) }
                try Transaction(ledger, at: refusal.at).record(
                    refusal.call, because: refusal.code, of: activity?.id, in: refusal.app)
            }
        }
    }
}

/// A refused call of an app that is to be recorded.
package struct NotedRefusal: Sendable {
    package var app: AppID
    package var at: Instant
    package var call: RefusedCall
    package var code: EyotError.Code
    /// The name of the activity that the call named; nil for none.
    package var activity: String?

    package init(app: AppID, at: Instant, _ call: RefusedCall, because code: EyotError.Code, activity: String?) {
        (self.app, self.at, self.call, self.code, self.activity) = (app, at, call, code, activity)
    }
}
