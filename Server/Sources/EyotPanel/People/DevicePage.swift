import EyotContract
import EyotDomain
import EyotHTTP

/// A device: who it is, what it can, its tokens by their first and last digits, its cards, and what happened.
struct DevicePage {
    let panel: Panel

    var routes: [Route] {
        [
            panel.page("/panel/devices/{id}", query: ["tab", "before", KindFilter.parameter], show),
            panel.page("/panel/devices/{id}/remove", needs: [.peopleWrite]) { try await removal($0).show($0) },
            panel.form("/panel/devices/{id}/remove", needs: [.peopleWrite]) { visit, fields in
                let device = try visit.call.parameter("id")
                return try await removal(visit).perform(visit, fields) {
                    _ = try await visit.ask(LocalCall(.delete, "/v1/devices/\(PercentEncoding.encoded(device))"))
                    return visit.redirect(to: PeoplePage.path, ["tab": "devices"], saying: .removed)
                }
            },
            panel.form("/panel/devices/{id}/restore", needs: [.peopleWrite], restore),
        ]
    }

    private struct Token {
        var type: String
        var fingerprint: String
        var environment: String
        var setAt: Moment?
        var state: String
        var tone: String
        var meaning: String?

        init(_ reply: Reply) {
            type = reply["type"].text ?? ""
            fingerprint = reply["token"].fingerprint ?? ""
            environment = reply["environment"].text ?? ""
            setAt = reply["setAt"].moment
            let death = reply["death"]
            state = death.json == nil ? "in use" : death["isQuarantine"].isTrue ? "set aside" : "dead"
            tone = death.json == nil ? "good" : "bad"
            meaning = death.json == nil ? nil : "\(death["reason"].text ?? ""): \(death["meaning"].text ?? "")"
        }

        var isDead: Bool { tone == "bad" }
    }

    private struct View {
        var id: String
        var why: String
        var remove: String?
        var restore: String?
        var dead: Int
        var formToken: String
        var tabs: SubjectTabs
        var isOverview: Bool
        var row: DeviceRow
        var proof: String?
        var permissions: String
        var createdAt: Moment?
        var own: TraitsView
        var backend: TraitsView
        var tokens: [Token]
        var hasTokens: Bool
        var cards: [CardRow] = []
        var hasCards = false
        var events: EventList?
    }

    private func show(_ visit: Visit) async throws -> Answer {
        let id = try visit.call.parameter("id")
        let path = Self.path(id)
        let reply = try await visit.reply("/v1/devices/\(PercentEncoding.encoded(id))")
        let tabs = SubjectTabs(path, visit)
        let tokens = reply["startTokens"].all.map(Token.init)
        var view = View(
            id: Shown.text(id), why: visit.link(WhyPage.path, ["device": id]),
            remove: visit.may(.peopleWrite) ? visit.link("\(path)/remove") : nil,
            dead: tokens.count(where: \.isDead), formToken: visit.member.formToken, tabs: tabs,
            isOverview: !tabs.isEvents, row: DeviceRow(reply, in: visit), proof: Self.proof(reply),
            permissions: Self.permissions(reply["permissions"]), createdAt: reply["createdAt"].moment,
            own: TraitsView(reply), backend: TraitsView(reply["backend"]), tokens: tokens,
            hasTokens: !tokens.isEmpty)
        if tabs.isEvents {
            view.events = try await EventList(visit, path: path, ["device": id])
        } else {
            let cards = try await visit.reply("/v1/devices/\(PercentEncoding.encoded(id))/cards")["cards"].all
            view.cards = cards.map { CardRow($0, in: visit) }
            view.hasCards = !cards.isEmpty
            view.dead += cards.count { ["dead", "quarantined"].contains($0["card"]["phase"].raw) }
        }
        if view.dead > 0, visit.may(.peopleWrite) { view.restore = visit.link("\(path)/restore") }
        return visit.show("Device", "device", view)
    }

    private static func proof(_ reply: Reply) -> String? {
        guard reply["user"].json != nil else { return nil }
        if reply["isProven"].isTrue { return reply["provenBy"].text.map { "proven by the key \($0)" } ?? "proven" }
        return reply["isImported"].isTrue ? "imported, and not proven" : "not proven"
    }

    private static func permissions(_ reply: Reply) -> String {
        let names = reply.members.map { name, value in
            "\(Shown.text(name)) \(value.json.map { $0.bool.map { $0 ? "yes" : "no" } ?? Shown.json($0) } ?? "")"
        }
        return names.joined(separator: " · ")
    }

    // MARK: Changes

    private func restore(_ visit: Visit, _ fields: FormFields) async throws -> Answer {
        let id = try visit.call.parameter("id")
        _ = try await visit.ask(LocalCall(.post, "/v1/tokens/restore", json: ["device": .string(id)]))
        return visit.redirect(to: Self.path(id), saying: .restored)
    }

    private func removal(_ visit: Visit) async throws -> Confirmation {
        guard visit.may(.peopleWrite) else {
            throw EyotError(.keyForbidden, "your role may not remove devices")
        }
        let id = try visit.call.parameter("id")
        let export = try await visit.reply("/v1/devices/\(PercentEncoding.encoded(id))/export")
        let cards = export["device"]["cards"].all
        let running = cards.count { ["live", "starting", "waitingForToken"].contains($0["phase"].raw) }
        let tokens = export["device"]["startTokens"].all.count
        return Confirmation(
            heading: "Forget this device",
            lead:
                "What is kept of device \(Shown.text(id)) is removed. Its app registers it as another one when it runs.",
            effects: [
                "\(Figures.count(tokens, "start token")), with tags and attributes",
                "\(Figures.count(cards.count, "card")), of which \(Figures.count(running)) run: they stay on the screen "
                    + "until iOS ends them.",
                "its events. Counts without names stay.",
            ],
            name: id, button: "Forget device", path: "\(Self.path(id))/remove", back: Self.path(id))
    }
}
