import EyotCommands
import EyotContract
import EyotDomain
import EyotHTTP

/// What became of pushes, as Netmera tells it. Keys are those that the sending calls have answered.
struct NetmeraReports {
    /// People on one page.
    private static let pageSize = 100

    let backend: Backend

    var routes: [Route] {
        let plane = NetmeraPlane()
        return [
            .answer(
                .get, "/rest/3.0/getPushStats", on: plane, .key(.activitiesRead), query: ["notificationKey"]
            ) { try await stats($0) },
            .answer(
                .get, "/rest/3.0/getPushResult", on: plane, .key(.activitiesRead),
                query: ["notificationKey", "nextPage"]
            ) { try await results($0) },
        ]
    }

    private func stats(_ call: Call) async throws -> Answer {
        let report = try await report(call)
        var object = JSONObject([
            ("notificationKey", .integer(Int(report.operation.id))), ("status", .string(Self.status(report.state))),
            ("startDate", .integer(Self.milliseconds(report.operation.acceptedAt))),
        ])
        object["endDate"] = report.operation.completion.map { .integer(Self.milliseconds($0.at)) }
        object["stats"] = [
            [
                "platform": "IOS", "sent": .integer(report.counts.accepted),
                "failed": .integer(report.counts.refused + report.counts.unknown), "clicked": 0,
            ]
        ]
        return Answer(.ok, .object(object))
    }

    private static func status(_ state: OperationState) -> String {
        switch state {
        case .accepted: "STARTING"
        case .delivering: "SENDING"
        case .done, .superseded: "FINISHED"
        }
    }

    private static func milliseconds(_ moment: Instant) -> Int { Int(moment.microseconds / 1_000) }

    // MARK: By person

    private func results(_ call: Call) async throws -> Answer {
        let report = try await report(call)
        let after = try call.query["nextPage"].map { text in
            guard let number = Int(text), number >= 0 else {
                throw EyotError(.fieldInvalid, "nextPage must be what the page before said", field: "nextPage")
            }
            return number
        }
        guard let activity = report.operation.activity else { return Self.page([], next: nil) }
        let rows = try await backend.store.read { ledger in
            try ledger.replicas(of: activity, after: after ?? 0, limit: Self.pageSize + 1).map { replica in
                (replica, try ledger.device(replica.device))
            }
        }
        let next = rows.count > Self.pageSize ? rows[Self.pageSize - 1].0.ordinal : nil
        return Self.page(rows.prefix(Self.pageSize).map(Self.row), next: next)
    }

    private static func page(_ rows: [JSONValue], next: Int?) -> Answer {
        var object = JSONObject([("list", .array(rows))])
        object["nextPage"] = next.map { .string(String($0)) }
        return Answer(.ok, .object(object))
    }

    private static func row(_ replica: Replica, _ device: Device?) -> JSONValue {
        var object = JSONObject([("platform", "IOS")])
        switch replica.phase {
        case .starting: object["status"] = "WAITING"
        case .live, .waitingForToken, .ended, .dismissed, .untracked: object["status"] = "SENT"
        case .dead(let death):
            (object["status"], object["errorCode"]) = ("FAILED", .string(death.reason.name))
            object["errorMsg"] = "Apple takes no pushes to the card's token any more"
        case .notStarted(let failure):
            (object["status"], object["errorCode"]) = ("FAILED", .string(failure.rawValue))
            object["errorMsg"] = "the card was not started"
        }
        object["installationId"] = device.map { .string($0.installation) }
        object["extId"] = device?.user.map(JSONValue.string)
        return .object(object)
    }

    // MARK: The operation

    private func report(_ call: Call) async throws -> OperationReport {
        guard let text = call.query["notificationKey"] else {
            throw EyotError(.fieldMissing, "notificationKey is missing", field: "notificationKey")
        }
        guard let key = Int64(text), !NetmeraDefinition.isOne(Int(key)) else {
            throw EyotError(
                .operationUnknown, "notificationKey must be one that a sending call has answered",
                field: "notificationKey")
        }
        return try await InspectActivity(store: backend.store, clock: backend.clock).operation(key, of: call.app.id)
    }
}
