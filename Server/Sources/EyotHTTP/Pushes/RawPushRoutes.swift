import APNSWire
import EyotCommands
import EyotContract
import EyotDomain

/// The route for a push that a person writes by hand.
struct RawPushRoutes {
    let backend: Backend

    var routes: [Route] {
        [
            // It can put text on any phone of the app, so it needs the scopes for both.
            Route.work("/v1/raw-pushes", .key(.activitiesStart, .peopleWrite), push)
                .asking([Call.dryRun]).checkingEnvironment
        ]
    }

    private func push(_ call: Call) async throws -> Answer {
        let (app, caller) = (try call.app, try call.caller)
        let wanted = try call.fields { fields throws(JSONFieldError) in try Wanted(&fields, app) }
        if let only = caller.key.environment, only != wanted.environment {
            throw EyotError(.keyForbidden, "the key \(caller.key.hint) is limited to \(only.rawValue)")
        }
        let schema = try await schema(of: wanted, in: app)
        let push = RawPush(
            wanted.template, to: wanted.token, in: wanted.environment, schema: schema,
            id: APNSID(high: .random(in: .min ... .max), low: .random(in: .min ... .max)), at: call.now)
        guard try !call.isDryRun else { return Answer(.ok, .object(push.reviewed)) }
        let answer = try await backend.commands.send(push, of: app, by: backend.pusher, sealer: backend.sealer)
        var reply = Answer(.ok, .object(push.reviewed.with(answer, of: push)))
        reply.made = "token=\(Keyring.trace(of: push.token.hex)) environment=\(wanted.environment.rawValue)"
        return reply
    }

    /// The newest schema of the type that the payload names, if one is known.
    private func schema(of wanted: Wanted, in app: App) async throws -> ActivitySchema? {
        guard let type = wanted.type else { return nil }
        let schemas = try await backend.store.read { try $0.schemas(of: type, in: app.id) }
        return try schemas.max { $0.pushedAt < $1.pushedAt }?.schema()
    }

    /// The push as the caller writes it.
    private struct Wanted {
        var environment: PushEnvironment
        var token: PushToken
        var template: PushTemplate
        /// The type against which the payload is checked.
        var type: String?

        init(_ fields: inout JSONFields, _ app: App) throws(JSONFieldError) {
            guard
                let environment = PushEnvironment(
                    rawValue: try fields.required("environment", fields.string("environment")))
            else { throw fields.invalid("environment", "must be sandbox or production") }
            self.environment = environment
            guard let token = PushToken(hex: try fields.required("token", fields.string("token"))) else {
                throw fields.invalid("token", "must be hexadecimal digits, and is never longer than 400")
            }
            self.token = token
            type = try fields.string("type")
            let pushType = try fields.string("pushType") ?? APNSPushType.liveActivity.rawValue
            guard let pushType = APNSPushType(rawValue: pushType) else {
                throw fields.invalid(
                    "pushType", "must be one of \(APNSPushType.allCases.map(\.rawValue).joined(separator: ", "))")
            }
            guard let priority = APNSPriority(rawValue: try fields.integer("priority") ?? 10) else {
                throw fields.invalid("priority", "must be 1, 5 or 10")
            }
            let payload = try fields.required("payload", fields.object("payload"))
            template = PushTemplate(
                topic: pushType.topic(bundleID: app.bundleID), pushType: pushType, priority: priority,
                expiration: try fields.integer("expiration"), collapseID: try fields.string("collapseID"),
                body: payload.utf8)
        }
    }
}

extension RawPush {
    /// The push as it leaves, and what phones would make of it.
    fileprivate var reviewed: JSONObject {
        var headers = JSONObject([
            (APNSHeader.topic, .string(template.topic)), (APNSHeader.pushType, .string(template.pushType.rawValue)),
            (APNSHeader.priority, .string("\(template.priority.rawValue)")), (APNSHeader.id, .string(id.description)),
        ])
        headers[APNSHeader.expiration] = template.expiration.map { .string("\($0)") }
        headers[APNSHeader.collapseID] = template.collapseID.map(JSONValue.string)
        return JSONObject([
            ("bytes", .integer(template.body.count)), ("limitBytes", .integer(APNSLimits.payloadBytes)),
            ("problems", .array(review.problems.map(JSONValue.string))),
            ("remarks", .array(review.remarks.map(JSONValue.string))), ("headers", .object(headers)),
        ])
    }
}

extension JSONObject {
    /// The object with Apple's answer.
    fileprivate func with(_ answer: RawPushAnswer, of push: RawPush) -> JSONObject {
        var object = self
        let verdict = answer.verdict
        object["verdict"] = .string(verdict.reason == nil ? verdict.description : "refused")
        object["meaning"] = .string(verdict.meaning(isDropped: !push.review.isGood))
        object["status"] = verdict.reason.map { .integer($0.status) }
        object["reason"] = verdict.reason.map { .string($0.name) }
        object["deadSince"] = answer.deadSince.map { .string(Instant(microseconds: $0 * 1_000).rfc3339) }
        return object
    }
}
