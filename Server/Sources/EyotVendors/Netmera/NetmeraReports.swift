import EyotCommands
import EyotContract
import EyotDomain
import EyotHTTP

/// Routes that report the results of pushes to Netmera's callers. Their keys are those of sends and definitions.
struct NetmeraReports {
    /// The source of operations of this API that no definition made.
    static let source = KeyPlane.netmera.rawValue
    /// The most messages of one answer.
    private static let messageLimit = 1_000

    let backend: Backend

    var routes: [Route] {
        let plane = NetmeraPlane()
        let results = NetmeraResults(backend: backend)
        return [
            .answer(.get, "/rest/3.0/getPushStats", on: plane, .key(.activitiesRead)) { try await stats($0) }
                .asking(["notificationKey", "start", "end"]),
            .answer(.get, "/rest/3.0/getPushResult", on: plane, .key(.activitiesRead)) { try await results.answer($0) }
                .asking(["notificationKey", "nextPage"]),
        ]
    }

    private func stats(_ call: Call) async throws -> Answer {
        if call.query["notificationKey"] == nil, call.query["start"] != nil || call.query["end"] != nil {
            return try await messages(call)
        }
        let key = try NetmeraKey(call)
        guard key.isDefinition else {
            let inspect = backend.commands.inspect
            let report = try await inspect.operation(key.number, of: call.app.id)
            return Answer(.ok, NetmeraStats(report.operation, report.state, report.counts).json)
        }
        return Answer(.ok, try await NetmeraDefinitionStats(backend: backend, app: call.app.id, key: key)().json)
    }

    /// Lists all sends within a time, each with its own results.
    private func messages(_ call: Call) async throws -> Answer {
        let (app, start, end) = (try call.app.id, try Self.moment("start", call), try Self.moment("end", call))
        let found = try await backend.store.read { ledger in
            try ledger.operationsWithSource(in: app, from: start, to: end, limit: Self.messageLimit + 1).map { one in
                (one, try one.activity.flatMap { try ledger.activity($0) })
            }
        }
        guard found.count <= Self.messageLimit else {
            throw EyotError(
                .fieldInvalid, "end must be nearer to start: more than \(Self.messageLimit) messages lie between",
                field: "end")
        }
        let messages = found.map { operation, activity in
            NetmeraStats(operation, operation.state(in: activity), operation.counts(in: activity)).json
        }
        return Answer(.ok, ["messages": .array(messages)])
    }

    /// Reads a moment in milliseconds since 1970.
    private static func moment(_ name: String, _ call: Call) throws(EyotError) -> Instant {
        guard let text = call.query[name] else { throw EyotError(.fieldMissing, "\(name) is missing", field: name) }
        guard let milliseconds = Int64(text), (0...4_102_444_800_000).contains(milliseconds) else {
            throw EyotError(.fieldInvalid, "\(name) must be a moment in milliseconds since 1970", field: name)
        }
        return Instant(microseconds: milliseconds * 1_000)
    }
}

/// A key that a call asks about: that of an operation or a definition.
struct NetmeraKey {
    var number: Int64
    var isDefinition: Bool

    init(_ call: Call) throws(EyotError) {
        guard let text = call.query["notificationKey"] else {
            throw EyotError(.fieldMissing, "notificationKey is missing", field: "notificationKey")
        }
        guard let number = Int64(text), number > 0 else {
            throw EyotError(
                .operationUnknown, "notificationKey must be one that was answered before", field: "notificationKey")
        }
        self.number = number
        isDefinition = NetmeraDefinition.isDefinition(Int(number))
    }

    /// The source by which the operations of a definition are found.
    var source: String { NetmeraDefinition.name(of: Int(number)) }
}

/// The results of a push.
struct NetmeraStats {
    var key: Int64
    var status: String
    var startedAt: Instant
    /// Nil while the push is in progress.
    var endedAt: Instant?
    var sent = 0
    var failed = 0
    /// Devices without a card, by reason.
    var skipped: [StartFailure: Int] = [:]

    var json: JSONValue {
        var object = JSONObject([
            ("notificationKey", .integer(Int(key))), ("status", .string(status)),
            ("startDate", .integer(Self.milliseconds(startedAt))),
        ])
        object["endDate"] = endedAt.map { .integer(Self.milliseconds($0)) }
        object["stats"] = [
            ["platform": "IOS", "sent": .integer(sent), "failed": .integer(failed), "clicked": 0]
        ]
        object["skipped"] = Self.skippedJSON(skipped)
        return .object(object)
    }

    /// Nil if no device was skipped.
    static func skippedJSON(_ skipped: [StartFailure: Int]) -> JSONValue? {
        let members = StartFailure.allCases.compactMap { failure in
            skipped[failure].flatMap { $0 > 0 ? (failure.rawValue, JSONValue.integer($0)) : nil }
        }
        return members.isEmpty ? nil : .object(JSONObject(members))
    }

    static let starting = "STARTING"
    static let sending = "SENDING"
    static let finished = "FINISHED"

    static func status(_ state: OperationState) -> String {
        switch state {
        case .accepted: starting
        case .delivering: sending
        case .done, .superseded: finished
        }
    }

    private static func milliseconds(_ moment: Instant) -> Int { Int(moment.microseconds / 1_000) }
}

extension NetmeraStats {
    init(_ operation: Operation, _ state: OperationState, _ counts: DeliveryCounts) {
        self.init(
            key: operation.id, status: Self.status(state), startedAt: operation.acceptedAt,
            endedAt: operation.completion?.at, sent: counts.accepted, failed: counts.refused + counts.unknown,
            skipped: operation.skipped)
    }
}
