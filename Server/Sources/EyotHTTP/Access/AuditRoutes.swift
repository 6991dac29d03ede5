import EyotCommands
import EyotContract
import EyotDomain

/// What was changed, and by which key.
struct AuditRoutes {
    let backend: Backend

    var routes: [Route] { [.get("/v1/audit", .key(.auditRead), query: ["limit", "before"], list)] }

    /// Newest first.
    private func list(_ call: Call) async throws -> Answer {
        let (app, limit, before) = (try call.caller.app, try call.limit(), try call.before())
        let rows = try await backend.store.read {
            try $0.auditEntries(of: app?.id, before: before, limit: limit + 1)
        }
        var object = JSONObject([("changes", .array(rows.prefix(limit).map(\.json)))])
        if rows.count > limit { object["next"] = .string(String(rows[limit - 1].number)) }
        return Answer(.ok, .object(object))
    }
}

extension AuditEntry {
    fileprivate var json: JSONValue {
        var object = JSONObject([
            ("number", .integer(number)), ("at", .string(at.rfc3339)), ("key", .string(String(key))),
            ("hint", .string(hint)), ("method", .string(method)), ("route", .string(route)),
            ("subject", .string(subject)), ("status", .integer(status)),
        ])
        object["address"] = address.map(JSONValue.string)
        return .object(object)
    }

    /// The record of a call that changed something.
    init?(_ call: Call, _ route: Route, _ answer: Answer) {
        guard route.isRecorded, case .key(let caller) = call.credentials else { return nil }
        let named = call.parameters.sorted { $0.key < $1.key }.map { name, value in
            // A person's id would outlast the person's removal. Whoever has it finds the calls by it still.
            "\(name)=\(name == "externalID" ? Keyring.trace(of: value) : value)"
        }
        let names = (named + [answer.made].compactMap(\.self)).joined(separator: " ")
        self.init(
            app: caller.app?.id, at: call.now, key: caller.key.id, hint: caller.key.hint,
            method: route.method.rawValue, route: route.path,
            subject: String(decoding: names.utf8.prefix(Self.subjectBytes), as: UTF8.self), status: answer.status.code,
            address: call.address?.ipAddress)
    }
}
