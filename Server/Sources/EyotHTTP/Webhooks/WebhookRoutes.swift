import EyotCommands
import EyotContract
import EyotDomain
import HTTPTypes

/// Routes for webhooks.
struct WebhookRoutes {
    let backend: Backend
    /// The vendors with forms of events.
    let vendors: [Vendor]

    var routes: [Route] {
        [
            // Where events go is decided by callers that may read them.
            .post("/v1/webhooks", .key(.webhooksWrite, .eventsRead), create),
            .get("/v1/webhooks", .key(.webhooksRead), list),
            .get("/v1/webhooks/{id}", .key(.webhooksRead), read),
            .patch("/v1/webhooks/{id}", .key(.webhooksWrite, .eventsRead), change),
            .delete("/v1/webhooks/{id}", .key(.webhooksWrite), remove),
            .post("/v1/webhooks/{id}/rotate", .key(.webhooksWrite), rotate),
            .post("/v1/webhooks/{id}/enable", .key(.webhooksWrite), bodyLimit: nil) { call in
                try changing(call) { try $0.enable($1) }
            },
            .post("/v1/webhooks/{id}/disable", .key(.webhooksWrite), bodyLimit: nil) { call in
                try changing(call) { try $0.disable($1) }
            },
        ] + WebhookDeliveryRoutes(backend: backend).routes
    }

    // MARK: Changes

    private func create(_ call: Call) throws -> Route.Command {
        let app = try call.app.id
        let (wanted, url, scheme, vendor) = try call.fields { fields throws(JSONFieldError) in
            let wanted = try Webhooks.Wanted(&fields, backend.webhooks)
            return (
                wanted, try fields.required("url", wanted.url), try fields.scheme("signature"),
                try fields.string("vendor")
            )
        }
        let form = try vendor.map { name in
            Webhooks.Form(vendor: name, kinds: try EventForm.events(of: name, among: vendors).kinds)
        }
        if let name = wanted.name { try FieldRule.name.check(name, field: "name") }
        let token = Keyring.random(9)
        let secret = try secret(scheme, of: app, token: token)
        return { ledger in
            let webhook = try Webhooks(Transaction(ledger, at: call.now), app: app)
                .create(wanted, to: url, as: form, token: token, secret: secret)
            return try Self.answer(.created, webhook, secret.secret, ledger)
        }
    }

    private func change(_ call: Call) throws -> Route.Command {
        let wanted = try call.fields { fields throws(JSONFieldError) in try Webhooks.Wanted(&fields, backend.webhooks) }
        if let name = wanted.name { try FieldRule.name.check(name, field: "name") }
        return try changing(call) { try $0.change($1, to: wanted) }
    }

    private func changing(
        _ call: Call, _ change: @escaping @Sendable (Webhooks, WebhookID) throws -> Webhook
    ) throws -> Route.Command {
        let (app, id) = (try call.app.id, try call.webhook())
        return { ledger in
            let webhook = try change(Webhooks(Transaction(ledger, at: call.now), app: app), id)
            return Answer(.ok, try webhook.json(in: ledger))
        }
    }

    private func rotate(_ call: Call) throws -> Route.Command {
        let (app, id) = (try call.app.id, try call.webhook())
        let (overlap, scheme) = try call.fields { fields throws(JSONFieldError) in
            let overlap = try fields.integer("overlapSeconds") ?? APIKeys.usualOverlap
            guard (0...APIKeys.longestOverlap).contains(overlap) else {
                throw fields.invalid("overlapSeconds", "must lie between 0 and \(APIKeys.longestOverlap)")
            }
            return (overlap, fields.has("signature") ? try fields.scheme("signature") : nil)
        }
        return { ledger in
            let (webhook, new) = try Webhooks(Transaction(ledger, at: call.now), app: app).rotate(
                id, overlap: overlap
            ) { former in
                try secret(scheme ?? (former.publicKey == nil ? .v1 : .v1a), of: app, token: former.token)
            }
            return try Self.answer(.ok, webhook, new, ledger)
        }
    }

    private func secret(_ scheme: WebhookSecret.Scheme, of app: AppID, token: String) throws -> Webhooks.NewSecret {
        let secret = WebhookSecret.make(scheme)
        return Webhooks.NewSecret(secret, sealed: try backend.sealer.seal(secret, of: app, token: token))
    }

    /// An answer with a secret that is shown this once. Of a pair only the public part is of use to a receiver.
    private static func answer(
        _ status: HTTPResponse.Status, _ webhook: Webhook, _ secret: WebhookSecret, _ ledger: any Ledger
    ) throws -> Answer {
        var answer = Answer(status, try webhook.json(in: ledger))
        if secret.publicKey == nil { answer.add("secret", .string(secret.text.text)) }
        answer.made = "made=\(webhook.id.rawValue)"
        guard secret.publicKey == nil else { return answer }
        answer.repetition = EyotError(
            .answerNotKept,
            "the first call gave webhook \(webhook.id.rawValue) a secret, which is shown only once: rotate it")
        return answer
    }

    private func remove(_ call: Call) async throws -> Answer {
        let (app, id) = (try call.app.id, try call.webhook())
        return try await backend.remove(
            orThrow: EyotError.webhookUnknown(id), where: { try $0.webhook(id, of: app) != nil },
            { try $0.removeWebhook(id, of: app) })
    }

    // MARK: Reads

    private func list(_ call: Call) async throws -> Answer {
        let app = try call.app.id
        return Answer(
            .ok,
            try await backend.store.read { ledger in
                ["webhooks": .array(try ledger.webhooks(of: app).map { try $0.json(in: ledger) })]
            })
    }

    private func read(_ call: Call) async throws -> Answer {
        let (app, id) = (try call.app.id, try call.webhook())
        return Answer(
            .ok, try await backend.store.read { try Webhooks.known(id, of: app, in: $0).json(in: $0) })
    }
}

extension Call {
    /// Returns the webhook that the path names.
    func webhook() throws -> WebhookID {
        let text = try parameter("id")
        guard let id = Call.number(text) else { throw EyotError(.webhookUnknown, "there is no webhook \(text)") }
        return WebhookID(rawValue: id)
    }
}

extension Webhook {
    /// The webhook as callers see it, with what waits for it.
    fileprivate func json(in ledger: any Ledger) throws -> JSONValue {
        let counts = try ledger.deliveryCounts(of: id)
        var object = JSONObject([
            ("id", .string(String(id.rawValue))), ("name", .string(name)), ("url", .string(url.text)),
            ("types", .array(types.map(JSONValue.string))),
            ("signature", .string((publicKey == nil ? WebhookSecret.Scheme.v1 : .v1a).rawValue)),
        ])
        object["vendor"] = vendor.map(JSONValue.string)
        object["publicKey"] = publicKey.map(JSONValue.string)
        object["formerSecretUntil"] = former.map { .string($0.until.rfc3339) }
        object["state"] = disabled == nil ? "enabled" : "disabled"
        object["disabledBecause"] = disabled.map { .string($0.reason.rawValue) }
        object["disabledAt"] = disabled.map { .string($0.at.rfc3339) }
        object["createdAt"] = .string(createdAt.rfc3339)
        object["cursor"] = .string(String(cursor))
        object["pending"] = .integer(counts.pending)
        object["deadLetters"] = .integer(counts.dead)
        return .object(object)
    }
}

extension Webhooks.Wanted {
    fileprivate init(_ fields: inout JSONFields, _ poster: any WebhookPoster) throws(JSONFieldError) {
        self.init(
            name: try fields.string("name"), url: try fields.url("url", poster), types: try fields.types("types"))
    }
}

extension JSONFields {
    fileprivate mutating func url(
        _ name: String, _ poster: any WebhookPoster
    ) throws(JSONFieldError) -> WebhookURL? {
        guard let text = try string(name) else { return nil }
        let url: WebhookURL
        do { url = try WebhookURL(text) } catch { throw invalid(name, error.rule) }
        if let rule = poster.refusal(of: url) { throw invalid(name, rule) }
        return url
    }

    fileprivate mutating func types(_ name: String) throws(JSONFieldError) -> [String]? {
        guard let types = try strings(name) else { return nil }
        guard (1...Webhook.typeLimit).contains(types.count) else {
            throw invalid(name, "must name 1 to \(Webhook.typeLimit) kinds of events")
        }
        for (index, type) in types.enumerated() where EventKind.matching(type).isEmpty {
            throw invalid("\(name)[\(index)]", "must be the name of an event, or a beginning such as card.*")
        }
        return types
    }

    fileprivate mutating func scheme(_ name: String) throws(JSONFieldError) -> WebhookSecret.Scheme {
        guard let text = try string(name) else { return .v1 }
        guard let scheme = WebhookSecret.Scheme(rawValue: text) else { throw invalid(name, "must be v1 or v1a") }
        return scheme
    }
}
