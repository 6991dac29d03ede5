import EyotCommands
import EyotContract
import EyotDomain

/// Routes for what is on its way to a webhook: tests, replays, deliveries.
struct WebhookDeliveryRoutes {
    let backend: Backend

    var routes: [Route] {
        [
            Route(
                method: .post, path: "/v1/webhooks/{id}/test", access: .key(.webhooksWrite), bodyLimit: nil, query: [],
                action: .answer(test)),
            .work("/v1/webhooks/{id}/replay", .key(.webhooksWrite), replay),
            .get(
                "/v1/webhooks/{id}/deliveries", .key(.webhooksRead), query: ["after", "limit", "state"], deliveries),
            .post("/v1/webhooks/{id}/deliveries/{event}/retry", .key(.webhooksWrite), bodyLimit: nil, retry),
        ]
    }

    private func test(_ call: Call) async throws -> Answer {
        let result = try await backend.commands.test(
            call.webhook(), of: call.app.id, sealer: backend.sealer, poster: backend.webhooks)
        var object = JSONObject([("delivered", .bool(result.answer.verdict == .delivered))])
        object.add(result.answer)
        object["milliseconds"] = .integer(result.milliseconds)
        return Answer(.ok, .object(object))
    }

    private func replay(_ call: Call) async throws -> Answer {
        let range = try call.fields { fields throws(JSONFieldError) in
            var range = ReplayRange()
            (range.after, range.before) = (try fields.event("after"), try fields.event("before"))
            (range.since, range.until) = (try fields.moment("since"), try fields.moment("until"))
            guard range.after != nil || range.since != nil else {
                throw fields.invalid("after", "or since must say where the range begins")
            }
            return range
        }
        let replay = try await backend.commands.replay(range, to: call.webhook(), of: call.app.id)
        var object = JSONObject([("queued", .integer(replay.queued))])
        object["next"] = replay.next.map { .string(String($0)) }
        return Answer(.ok, .object(object))
    }

    private func deliveries(_ call: Call) async throws -> Answer {
        let (app, id) = (try call.app.id, try call.webhook())
        let (after, limit) = (try call.after(), try call.limit())
        let isDead: Bool? =
            switch call.query["state"] {
            case nil: nil
            case "pending": false
            case "dead": true
            default: throw EyotError(.fieldInvalid, "state must be pending or dead", field: "state")
            }
        let found = try await backend.store.read { ledger in
            _ = try Webhooks.known(id, of: app, in: ledger)
            return try ledger.deliveries(to: id, isDead: isDead, after: after, limit: limit + 1)
        }
        var object = JSONObject([("deliveries", .array(found.prefix(limit).map(\.json)))])
        if found.count > limit { object["next"] = .string(String(found[limit - 1].event)) }
        return Answer(.ok, .object(object))
    }

    private func retry(_ call: Call) throws -> Route.Command {
        let (app, id, text) = (try call.app.id, try call.webhook(), try call.parameter("event"))
        guard let event = Call.number(text) else {
            throw EyotError(.deliveryUnknown, "webhook \(id.rawValue) has no delivery of event \(text)")
        }
        return { ledger in
            Answer(.ok, try Webhooks(Transaction(ledger, at: call.now), app: app).retry(event, of: id).json)
        }
    }
}

extension WebhookDelivery {
    fileprivate var json: JSONValue {
        var object = JSONObject([
            ("event", .string(String(event))), ("state", deadAt == nil ? "pending" : "dead"),
            ("attempts", .integer(attempts)),
        ])
        object["nextTryAt"] = deadAt == nil ? .string(dueAt.rfc3339) : nil
        object["deadAt"] = deadAt.map { .string($0.rfc3339) }
        if let failure {
            object["failedAt"] = .string(failure.at.rfc3339)
            object.add(failure.answer)
        }
        return .object(object)
    }
}

extension JSONObject {
    /// Adds what a receiver answered, or why it did not.
    fileprivate mutating func add(_ answer: WebhookAnswer) {
        switch answer {
        case .status(let code): self["status"] = .integer(code)
        case .failed(let failure): self["error"] = .string(failure.rawValue)
        }
        self["text"] = .string(answer.meaning)
    }
}

extension JSONFields {
    /// Reads the id of an event.
    fileprivate mutating func event(_ name: String) throws(JSONFieldError) -> Int64? {
        guard let text = try string(name) else { return nil }
        guard let id = Call.number(text) else { throw invalid(name, "must be the id of an event") }
        return id
    }
}
