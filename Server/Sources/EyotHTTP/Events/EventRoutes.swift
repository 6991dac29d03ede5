import EyotCommands
import EyotContract
import EyotDomain
import HTTPTypes

/// Routes for what happened: the events of an app, and the log that is made of them.
struct EventRoutes {
    /// The most events of an answer in lines.
    private static let lines = 10_000
    /// The header with the cursor of the next page.
    static let next = HTTPField.Name.known("Eyot-Next")

    private static let lastEvent = HTTPField.Name.known("Last-Event-ID")

    let backend: Backend
    /// The vendors with forms of events.
    let vendors: [Vendor]

    var routes: [Route] {
        [
            .lines(
                "/v1/events", .key(.eventsRead),
                query: ["after", "limit", "types", "activity", "user", "device", "errors", "vendor"], events),
            .get(
                "/v1/log", .key(.eventsRead),
                query: ["before", "limit", "types", "activity", "user", "device", "since", "errors"], log),
        ]
    }

    /// Answers events after a cursor, oldest first, a line each.
    private func events(_ call: Call) async throws -> Answer {
        let form = try EventForm(named: call.query["vendor"], types: call.query["types"], of: vendors)
        var query = try query(call)
        form.restrict(&query)
        if call.headers[.accept]?.contains(EventStream.contentType) == true {
            return try await follow(call, query, form)
        }
        let page = try await backend.commands.events(
            query, of: call.app.id, from: .after(call.after()), limit: call.limit(default: 1_000, most: Self.lines))
        var answer = Answer(.ok, nil)
        answer.lines = page.events.flatMap { form.lines(of: $0).map(\.json) }
        answer.headers[.contentType] = BodyReader.lines
        answer.headers[Self.next] = String(page.cursor.id)
        return answer
    }

    /// Answers events as they happen. The browser's `EventSource` names the last one that it got, in a header.
    private func follow(_ call: Call, _ query: EventQuery, _ form: EventForm) async throws -> Answer {
        let app = try call.app.id
        guard backend.feed.hasRoom(for: app) else {
            throw EyotError(.unavailable, "the app has its share of the callers that follow events: try again later")
        }
        let last = call.headers[Self.lastEvent] ?? call.query["after"]
        let cursor: Int64
        if let last {
            guard let id = Int64(last), id >= 0 else {
                throw EyotError(.fieldInvalid, "after must be the id of an event", field: "after")
            }
            cursor = id
        } else {
            cursor = try await backend.commands.newestEntry(of: app, for: query)
        }
        // An unknown activity or user is an error now, and not a silent stream.
        _ = try await backend.commands.events(query, of: app, from: .after(.max), limit: 1)
        var answer = Answer(.ok, nil)
        answer.stream = EventStream(
            commands: backend.commands, feed: backend.feed, app: app, query: query, form: form, cursor: cursor)
        answer.headers[.contentType] = EventStream.contentType
        return answer
    }

    /// Answers the newest events first.
    private func log(_ call: Call) async throws -> Answer {
        let query = try query(call)
        let before = try call.before().map { Int64($0) } ?? .max
        let page = try await backend.commands.events(
            query, of: call.app.id, from: .before(before), limit: call.limit())
        var object = JSONObject([("entries", .array(page.events.map(\.json)))])
        if !page.isComplete { object["next"] = .string(String(page.cursor.id)) }
        return Answer(.ok, .object(object))
    }

    private func query(_ call: Call) throws -> EventQuery {
        var query = EventQuery()
        query.kinds = try call.query["types"].map { try EventQuery.kinds($0, foreign: vendors.eventNames) }
        if try call.flag("errors") {
            query.isOfErrors = true
            query.kinds = (query.kinds ?? Set(EventKind.recorded)).filter(\.isError)
        }
        query.depth.showsTokens = try call.caller.key.allows(.tokensRead)
        (query.activity, query.user) = (call.query["activity"], call.query["user"])
        query.device = try call.query["device"].map { text in
            guard let number = Call.number(text) else {
                throw EyotError(.deviceUnknown, "there is no device \(text)", field: "device")
            }
            return DeviceID(rawValue: number)
        }
        query.since = try call.moment("since")
        guard query.user == nil || query.device == nil else {
            throw EyotError(.fieldInvalid, "user and device cannot be combined", field: "device")
        }
        return query
    }
}
