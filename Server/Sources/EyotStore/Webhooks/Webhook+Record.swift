import EyotDomain

extension Webhook: SQLRecord {
    static let table = SQLTable(
        "webhooks", key: "id", fixed: ["app", "token", "created_at", "cursor"],
        changing: [
            "name", "url", "types", "master_key_id", "sealed_secret", "former_master_key_id", "former_secret",
            "former_until", "public_key", "disabled_reason", "disabled_at", "vendor",
        ])

    var values: [SQLValue] {
        [
            .integer(id.rawValue), SQLValue(app), SQLValue(token), SQLValue(createdAt), .integer(cursor),
            SQLValue(name), SQLValue(url.text), SQLValue(types.joined(separator: " ")), SQLValue(secret.masterKeyID),
            SQLValue(secret.box), SQLValue(former?.sealed.masterKeyID), SQLValue(former?.sealed.box),
            SQLValue(former?.until), SQLValue(publicKey), SQLValue(disabled?.reason.rawValue), SQLValue(disabled?.at),
            SQLValue(vendor),
        ]
    }

    init(columns: inout SQLColumns) throws {
        let id = WebhookID(rawValue: try columns.number())
        let (app, token) = (AppID(rawValue: try columns.number()), try columns.text())
        let (createdAt, cursor) = (try columns.moment(), try columns.number())
        let (name, url) = (try columns.text(), try columns.url())
        let types = try columns.text().split(separator: " ").map(String.init)
        self.init(
            app: app, token: token, name: name, url: url, types: types,
            secret: SealedSecret(masterKeyID: try columns.text(), box: try columns.bytes()), createdAt: createdAt)
        (self.id, self.cursor) = (id, cursor)
        let (key, box, until) = (
            try columns.optionalText(), try columns.optionalBytes(), try columns.optionalMoment()
        )
        if let key, let box, let until {
            former = FormerSecret(sealed: SealedSecret(masterKeyID: key, box: box), until: until)
        }
        publicKey = try columns.optionalText()
        let (reason, at) = (try columns.optionalWord(Disabling.Reason.self), try columns.optionalMoment())
        if let reason, let at { disabled = Disabling(reason, at: at) }
        vendor = try columns.optionalText()
    }
}

extension WebhookDelivery: SQLRecord {
    static let table = SQLTable(
        "webhook_deliveries", key: "webhook", "event", fixed: ["activity"],
        changing: ["attempts", "claim", "due_at", "dead_at", "failed_at", "status", "failure"])

    var values: [SQLValue] {
        let (status, word): (Int?, String?) =
            switch failure?.answer {
            case .status(let code): (code, nil)
            case .failed(let failure): (nil, failure.rawValue)
            case nil: (nil, nil)
            }
        return [
            .integer(webhook.rawValue), .integer(event), SQLValue(activity), SQLValue(attempts),
            SQLValue(claim), SQLValue(dueAt), SQLValue(deadAt), SQLValue(failure?.at), SQLValue(status), SQLValue(word),
        ]
    }

    init(columns: inout SQLColumns) throws {
        let (webhook, event) = (WebhookID(rawValue: try columns.number()), try columns.number())
        let activity = try columns.optionalNumber().map(ActivityID.init(rawValue:))
        let (attempts, claim, dueAt) = (try columns.integer(), try columns.integer(), try columns.moment())
        self.init(webhook: webhook, event: event, activity: activity, dueAt: dueAt)
        (self.attempts, self.claim, deadAt) = (attempts, claim, try columns.optionalMoment())
        let (at, status) = (try columns.optionalMoment(), try columns.optionalInteger())
        let word = try columns.optionalWord(WebhookAnswer.Failure.self)
        guard let at, let answer = status.map(WebhookAnswer.status) ?? word.map(WebhookAnswer.failed) else { return }
        failure = Failure(at: at, answer: answer)
    }
}

extension SQLColumns {
    fileprivate mutating func url() throws -> WebhookURL {
        let text = try text()
        guard let url = try? WebhookURL(text) else { throw unreadable("a URL") }
        return url
    }
}
