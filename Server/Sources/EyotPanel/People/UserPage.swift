import EyotContract
import EyotDomain
import EyotHTTP

/// A user: what is said of the person, devices, cards, and what happened.
struct UserPage {
    private static let devices = 100

    let panel: Panel

    var routes: [Route] {
        [
            panel.page("/panel/users/{externalID}", query: ["tab", "before", KindFilter.parameter], show),
            panel.page("/panel/users/{externalID}/remove", needs: [.peopleWrite]) { visit in
                try await confirmation(visit).show(visit)
            },
            panel.form("/panel/users/{externalID}/remove", needs: [.peopleWrite]) { visit, fields in
                let user = try visit.call.parameter("externalID")
                return try await confirmation(visit).perform(visit, fields) {
                    _ = try await visit.ask(LocalCall(.delete, "/v1/users/\(PercentEncoding.encoded(user))"))
                    return visit.redirect(to: PeoplePage.path, saying: .removed)
                }
            },
        ]
    }

    private struct View {
        var id: String
        var why: String
        var remove: String?
        var tabs: SubjectTabs
        var traits: TraitsView?
        var devices: [DeviceRow] = []
        var hasDevices = false
        var cards: [CardRow] = []
        var hasCards = false
        var events: EventList?
        var isOverview: Bool
    }

    private func show(_ visit: Visit) async throws -> Answer {
        let user = try visit.call.parameter("externalID")
        let path = Self.path(user)
        let tabs = SubjectTabs(path, visit)
        var view = View(
            id: Shown.text(user), why: visit.link(WhyPage.path, ["user": user]),
            remove: visit.may(.peopleWrite) ? visit.link("\(path)/remove") : nil, tabs: tabs,
            isOverview: !tabs.isEvents)
        if tabs.isEvents {
            view.events = try await events(user, path, visit)
        } else {
            try await read(user, into: &view, visit)
        }
        return visit.show("User", "user", view)
    }

    private func read(_ user: String, into view: inout View, _ visit: Visit) async throws {
        let encoded = PercentEncoding.encoded(user)
        // It knows users by their devices too, and says if there is no such user at all.
        let cards = try await visit.reply("/v1/users/\(encoded)/cards")
        view.cards = cards["cards"].all.map { CardRow($0, in: visit) }
        let devices = try await visit.reply("/v1/devices", ["user": user, "limit": String(Self.devices)])
        view.devices = devices["devices"].all.map { DeviceRow($0, in: visit) }
        (view.hasCards, view.hasDevices) = (!view.cards.isEmpty, !view.devices.isEmpty)
        do {
            view.traits = TraitsView(try await visit.reply("/v1/users/\(encoded)"))
        } catch let problem as Problem where problem.error.code == .userUnknown {
            // The backend has said nothing of the user.
        }
    }

    private func events(_ user: String, _ path: String, _ visit: Visit) async throws -> EventList {
        do {
            return try await EventList(visit, path: path, ["user": user])
        } catch let problem as Problem where problem.error.code == .userUnknown {
            return EventList()
        }
    }

    /// What a removal concerns, from the export of the user.
    private func confirmation(_ visit: Visit) async throws -> Confirmation {
        guard visit.may(.peopleWrite) else {
            throw EyotError(.keyForbidden, "your role may not remove people")
        }
        let user = try visit.call.parameter("externalID")
        let export = try await visit.reply("/v1/users/\(PercentEncoding.encoded(user))/export")
        let devices = export["devices"].all
        let cards = devices.flatMap { $0["cards"].all }
        let running = cards.count { ["live", "starting", "waitingForToken"].contains($0["phase"].raw) }
        let more = export["isComplete"].isTrue ? "" : " or more"
        let named = export["named"]
        let segments = named["segments"].all.compactMap(\.text)
        return Confirmation(
            heading: "Erase this user",
            lead: "Everything that is kept of \(Shown.text(user)) is removed, and cannot be brought back.",
            effects: [
                "\(Figures.count(devices.count, "device"))\(more), with tokens, tags and attributes",
                "\(Figures.count(cards.count, "card"))\(more), of which \(Figures.count(running)) run: they stay on the "
                    + "screen until iOS ends them. End them first, if they should go.",
                segments.isEmpty
                    ? "no segment names the user" : "the name in the segments \(segments.joined(separator: ", "))",
                "the devices' events. Counts without names stay.",
            ],
            name: user, button: "Erase user", path: "\(Self.path(user))/remove", back: Self.path(user))
    }
}

/// The two sides of a person or a device: what there is, and what happened.
struct SubjectTabs {
    let overview: String
    let events: String
    let isEvents: Bool
    let hasEvents: Bool

    init(_ path: String, _ visit: Visit) {
        overview = visit.link(path)
        events = visit.link(path, ["tab": "events"])
        hasEvents = visit.may(.eventsRead)
        isEvents = visit.call.query["tab"] == "events" && hasEvents
    }
}
