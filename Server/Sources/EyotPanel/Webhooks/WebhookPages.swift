import EyotContract
import EyotDomain
import EyotHTTP

/// The pages of webhooks: what waits, the last tries, and what can be done.
struct WebhookPages {
    static let path = "/panel/webhooks"
    private static let one = path + "/{id}"

    let panel: Panel

    var routes: [Route] {
        [
            panel.page(Self.path) { try await list($0) },
            panel.form(Self.path, needs: [.webhooksWrite, .eventsRead], make),
            panel.page(Self.one, query: ["state", "after"]) { visit in
                visit.show("Webhook", "webhook", try await WebhookView(visit))
            },
            form("/test", test), form("/rotate", rotate), form("/replay", replay), form("/remove", remove),
            form("/deliveries/{event}/retry", retry),
        ]
            + ["enable", "disable"].map { verb in
                form("/" + verb) { visit, _ in
                    _ = try await visit.ask(LocalCall(.post, try Self.path(of: visit, verb)))
                    return back(visit, .saved)
                }
            }
    }

    /// A form that changes one webhook.
    private func form(
        _ path: String, _ act: @escaping @Sendable (Visit, FormFields) async throws -> Answer
    ) -> Route {
        panel.form(Self.one + path, needs: [.webhooksWrite], act)
    }

    private struct ListView {
        struct Form {
            var name: String
            var title: String
        }

        var webhooks: [WebhookRow]
        /// The vendors with forms of events.
        var forms: [Form]
        var mayWrite: Bool
        var action: String
    }

    private func list(_ visit: Visit) async throws -> Answer {
        let webhooks = try await visit.read("/v1/webhooks").list("webhooks").map { WebhookRow($0, visit) }
        return visit.show(
            "Webhooks", "webhooks",
            ListView(
                webhooks: webhooks,
                forms: panel.api.vendors.filter { $0.events != nil }
                    .map { ListView.Form(name: $0.name, title: $0.name.capitalized) },
                mayWrite: visit.may(.webhooksWrite, .eventsRead), action: visit.link(Self.path)))
    }

    // MARK: Forms

    private func make(_ visit: Visit, _ fields: FormFields) async throws -> Answer {
        let types = (fields["types"] ?? "").split { $0.isWhitespace || $0 == "," }.map(String.init)
        var body = JSONObject([
            ("name", .string(try fields.required("name"))), ("url", .string(try fields.required("url"))),
        ])
        if !types.isEmpty { body["types"] = .array(types.map(JSONValue.string)) }
        body["vendor"] = fields["vendor"].flatMap { $0.isEmpty ? nil : .string($0) }
        let made = try await visit.ask(LocalCall(.post, "/v1/webhooks", json: .object(body)))
        return visit.show("A new webhook", "app.secret", NewSecretView(made.json ?? .null, visit))
    }

    private func test(_ visit: Visit, _ fields: FormFields) async throws -> Answer {
        let answer = try await visit.ask(LocalCall(.post, try Self.path(of: visit, "test"))).json ?? .null
        var view = try await WebhookView(visit)
        view.tested = WebhookView.Test(
            isGood: answer["delivered"]?.bool ?? false, text: answer.text("text"),
            milliseconds: answer["milliseconds"]?.integer ?? 0)
        return visit.show("Webhook", "webhook", view)
    }

    private func rotate(_ visit: Visit, _ fields: FormFields) async throws -> Answer {
        let made = try await visit.ask(LocalCall(.post, try Self.path(of: visit, "rotate"), json: [:]))
        return visit.show("A new secret", "app.secret", NewSecretView(made.json ?? .null, visit))
    }

    private func replay(_ visit: Visit, _ fields: FormFields) async throws -> Answer {
        let since = try fields.required("since")
        _ = try await visit.ask(
            LocalCall(
                .post, try Self.path(of: visit, "replay"), json: ["since": .string("\(since):00Z")]))
        return back(visit, .queued)
    }

    private func retry(_ visit: Visit, _ fields: FormFields) async throws -> Answer {
        let event = try visit.call.parameter("event")
        _ = try await visit.ask(LocalCall(.post, try Self.path(of: visit, "deliveries", event, "retry")))
        return back(visit, .queued)
    }

    private func remove(_ visit: Visit, _ fields: FormFields) async throws -> Answer {
        let path = try Self.path(of: visit)
        try fields.requireTyped(try await visit.read(path).text("name"))
        _ = try await visit.ask(LocalCall(.delete, path))
        return visit.redirect(to: Self.path, saying: .removed)
    }

    private func back(_ visit: Visit, _ notice: Notice) -> Answer {
        visit.redirect(to: "\(Self.path)/\(visit.call.parameters["id"] ?? "")", saying: notice)
    }

    /// The path of the webhook in the API.
    static func path(of visit: Visit, _ more: String...) throws -> String {
        ([try visit.call.parameter("id")] + more).reduce("/v1/webhooks") { $0 + LocalCall.path($1) }
    }
}
