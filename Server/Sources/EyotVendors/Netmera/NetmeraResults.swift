import EyotCommands
import EyotContract
import EyotDomain
import EyotHTTP

/// The results of a push, card by card.
struct NetmeraResults {
    /// The most cards on one page.
    private static let pageSize = 100
    /// How many activities are read for one page of a definition.
    private static let groups = 100

    let backend: Backend

    func answer(_ call: Call) async throws -> Answer {
        let key = try NetmeraKey(call)
        guard key.isDefinition else { return try await ofOperation(key, call) }
        return try await ofDefinition(key, call)
    }

    // MARK: One push

    private func ofOperation(_ key: NetmeraKey, _ call: Call) async throws -> Answer {
        let inspect = backend.commands.inspect
        let report = try await inspect.operation(key.number, of: call.app.id)
        let after = try Self.numbers(call, 1)?[0] ?? 0
        guard let activity = report.operation.activity else { return Self.page([], next: nil) }
        let rows = try await rows(
            of: activity, after: after, limit: Self.pageSize + 1, change: NetmeraResult.Change(report.operation))
        let next = rows.count > Self.pageSize ? String(rows[Self.pageSize - 1].ordinal) : nil
        return Self.page(
            rows.prefix(Self.pageSize).compactMap(\.json), next: next, leftOut: report.operation.skipped)
    }

    // MARK: All that was sent of a definition

    private func ofDefinition(_ key: NetmeraKey, _ call: Call) async throws -> Answer {
        let app = try call.app.id
        let start = try Self.numbers(call, 2)
        var (activity, ordinal) = (ActivityID(rawValue: Int64(start?[0] ?? 0)), start?[1] ?? 0)
        var list: [JSONValue] = []
        var isOver = false
        for _ in 0..<Self.groups where list.count < Self.pageSize {
            if activity.rawValue > 0 {
                let rows = try await rows(of: activity, after: ordinal, limit: Self.pageSize - list.count)
                list += rows.compactMap(\.json)
                ordinal = rows.last?.ordinal ?? ordinal
                guard list.count < Self.pageSize else { break }
            }
            let after = activity
            let next = try await backend.store.read { ledger in
                try ledger.operations(of: key.source, in: app, after: after, id: .max, limit: 1).first?.activity
            }
            guard let next else {
                isOver = true
                break
            }
            (activity, ordinal) = (next, 0)
        }
        if activity.rawValue == 0 { try await demandDefinition(key, app) }
        return Self.page(list, next: isOver ? nil : "\(activity.rawValue)-\(ordinal)")
    }

    /// Checks that a definition exists.
    ///
    /// - Throws: `definitionUnknown`.
    private func demandDefinition(_ key: NetmeraKey, _ app: AppID) async throws {
        guard try await backend.store.read({ try $0.definition(key.source, in: app) }) == nil else { return }
        throw EyotError(
            .definitionUnknown, "there is no definition with notificationKey \(key.number)", field: "notificationKey")
    }

    // MARK: Rows

    private struct Row: Sendable {
        var ordinal: Int
        /// Nil for a card that the push did not apply to.
        var json: JSONValue?
    }

    /// - Parameter change: the update or end in question; nil if it is the start.
    private func rows(
        of activity: ActivityID, after ordinal: Int, limit: Int, change: NetmeraResult.Change? = nil
    ) async throws -> [Row] {
        try await backend.store.read { ledger in
            let type = try ledger.activity(activity)?.type
            return try ledger.replicas(of: activity, after: ordinal, limit: limit).map { replica in
                let result = try NetmeraResult(of: replica, after: change) {
                    try type.flatMap { try ledger.startToken(of: replica.device, type: $0) }
                }
                guard let result else { return Row(ordinal: replica.ordinal) }
                return Row(ordinal: replica.ordinal, json: result.json(of: try ledger.device(replica.device)))
            }
        }
    }

    /// - Parameter leftOut: devices of the audience that get no card, by reason.
    private static func page(_ rows: [JSONValue], next: String?, leftOut: [StartFailure: Int] = [:]) -> Answer {
        var object = JSONObject([("list", .array(rows))])
        object["skipped"] = NetmeraStats.skippedJSON(leftOut)
        object["nextPage"] = next.map(JSONValue.string)
        return Answer(.ok, .object(object))
    }

    /// Reads the numbers in `nextPage`, which come from the page before; nil on the first page.
    private static func numbers(_ call: Call, _ count: Int) throws(EyotError) -> [Int]? {
        guard let text = call.query["nextPage"] else { return nil }
        let numbers = text.split(separator: "-", omittingEmptySubsequences: false).compactMap { Int($0) }
        guard numbers.count == count, numbers.map(String.init).joined(separator: "-") == text else {
            throw EyotError(.fieldInvalid, "nextPage must be what the page before said", field: "nextPage")
        }
        return numbers
    }
}
