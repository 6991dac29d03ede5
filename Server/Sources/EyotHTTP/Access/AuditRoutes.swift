import EyotCommands
import EyotContract
import EyotDomain

/// Routes that list recorded changes, reads and refusals.
struct AuditRoutes {
    let backend: Backend

    var routes: [Route] {
        [
            .get("/v1/audit", .key(.auditRead), query: ["limit", "before"], list),
            .get("/v1/audit/access", .key(.auditRead), query: ["limit", "before"], access),
        ]
    }

    /// Lists reads of people's data and refusals, newest first.
    private func access(_ call: Call) async throws -> Answer {
        let (app, limit, before) = (try call.caller.app, try call.limit(), try call.before())
        let rows = try await backend.store.read {
            try $0.accessEntries(of: app?.id, before: before, limit: limit + 1)
        }
        var object = JSONObject([("entries", .array(rows.prefix(limit).map(\.json)))])
        if rows.count > limit { object["next"] = .string(String(rows[limit - 1].call.number)) }
        return Answer(.ok, .object(object))
    }

    /// Lists changes, newest first.
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

extension AccessEntry {
    fileprivate var json: JSONValue {
        var object = call.object
        object["kind"] = .string(kind.rawValue)
        if repeated > 0 { object["repeated"] = .integer(repeated) }
        return .object(object)
    }
}

extension AuditEntry {
    fileprivate var json: JSONValue { .object(object) }

    fileprivate var object: JSONObject {
        var object = JSONObject([
            ("number", .integer(number)), ("at", .string(at.rfc3339)), ("key", .string(String(key))),
            ("hint", .string(hint)), ("method", .string(method)), ("route", .string(route)),
            ("subject", .string(subject)), ("status", .integer(status)),
        ])
        object["address"] = address.map(JSONValue.string)
        return object
    }

    /// Makes the record of a call that changed something; nil if the route is not recorded.
    init?(of call: Call, _ route: Route, _ answer: Answer) {
        guard route.isRecorded else { return nil }
        self.init(call, route, status: answer.status.code, made: answer.made)
    }

    /// Makes the record of a call with a key; nil if the call has none.
    ///
    /// - Parameter made: the name of the created thing, or further text for the record.
    init?(_ call: Call, _ route: Route, status: Int, made: String? = nil) {
        guard case .key(let caller) = call.credentials else { return nil }
        self.init(call, route, key: caller.key, app: caller.app, status: status, made: made)
    }

    /// - Parameters:
    ///   - key: nil if the key is not known.
    ///   - app: the app that the call is about.
    init(_ call: Call, _ route: Route, key: APIKey?, app: App?, status: Int, made: String? = nil) {
        let named = call.parameters.sorted { $0.key < $1.key }.map { name, value in
            // A value that names a person is hashed, because the record outlasts the person's removal. A reader who has
            // the value can still find the calls.
            "\(name)=\(route.namesPerson(by: name) ? Keyring.trace(of: value) : value)"
        }
        let names = (named + [made].compactMap(\.self)).joined(separator: " ")
        self.init(
            // An operator's call stays on the operator's record even after the app is removed.
            app: route.isOperators ? nil : app?.id, at: call.now, key: key?.id ?? 0, hint: key?.hint ?? "",
            method: route.method.rawValue, route: route.path,
            subject: String(decoding: names.utf8.prefix(Self.subjectBytes), as: UTF8.self), status: status,
            address: call.address?.ipAddress)
        bundleID = app?.bundleID
    }
}
