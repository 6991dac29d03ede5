import EyotContract
import EyotDomain
import EyotHTTP
import Testing

@testable import EyotPanel

/// The log, its filters, its pages, and what open pages are sent.
@Suite("The page of the log", .timeLimit(.minutes(10)))
struct LogPageTests {
    /// Records an error of a phone's card, as the engine would.
    private func refuse(_ rig: PanelRig, _ phone: PanelRig.Phone) async throws {
        let now = rig.clock.now
        try await rig.store.write { ledger in
            guard let app = try ledger.apps().first?.id else { return }
            try ledger.record(
                Event(
                    app: app, at: now, Fact(.startTokenDead, reason: "BadDeviceToken"),
                    device: DeviceID(rawValue: Int64(phone.id) ?? 0)))
        }
    }

    @Test func `The first tab has errors alone, each with its meaning and what to do`() async throws {
        try await PanelRig.run { rig in
            let phone = try await rig.phone("one", user: "anna")
            try await refuse(rig, phone)
            let page = try await rig.get("/panel/log").text
            #expect(page.contains(#"class="on" aria-current="page">Errors of Live Activities"#))
            #expect(page.contains("Apple refused the start token.") && page.contains("BadDeviceToken"))
            #expect(page.contains("Let the person open the app: the phone then sends a new start token."))
            #expect(!page.contains("<code>device.registered"))
            #expect(page.contains(#"data-live="log?tab=errors""#))
        }
    }

    @Test func `Each kind of event has one tab of its own`() throws {
        let tabs = LogFilter.tabs.compactMap(\.types)
        let kinds = tabs.flatMap { $0.split(separator: ",").flatMap { EventKind.matching(String($0)) } }
        #expect(kinds.count == EventKind.recorded.count)
        #expect(Set(kinds) == Set(EventKind.recorded))
    }

    @Test func `Filters are kept by links, and lists go on by a cursor`() async throws {
        try await PanelRig.run { rig in
            let phone = try await rig.phone("one", user: "anna")
            for _ in 0..<60 { try await refuse(rig, phone) }
            let page = try await rig.get("/panel/log?user=anna").text
            #expect(page.components(separatedBy: "BadDeviceToken").count > 50)
            let next = try #require(page.firstMatch(of: /href="([^"]*before=\d+)"/)?.output.1)
            let path = String(next).replacing("&amp;", with: "&")
            #expect(path.contains("user=anna") && path.contains("tab=errors"))
            let second = try await rig.get(path)
            #expect(second.status == .ok && second.text.contains("First page"))
            #expect(!second.text.contains("data-live"))
            let all = try await rig.get("/panel/log?tab=phones").text
            #expect(all.contains("<code>device.registered") && !all.contains("BadDeviceToken"))
        }
    }

    @Test func `A filter that names nothing known says so beside the fields, which keep their values`() async throws {
        try await PanelRig.run { rig in
            let page = try await rig.get("/panel/log?user=none&activity=")
            #expect(page.status == .notFound)
            #expect(page.text.contains("userUnknown") && page.text.contains(#"name="user" value="none""#))
        }
    }

    @Test func `A misspelt filter is refused, and not a list without it`() async throws {
        try await PanelRig.run { rig in
            let page = try await rig.get("/panel/log?usr=anna")
            #expect(
                page.status == .unprocessableContent && page.text.contains("usr is not a parameter"), "\(page.text)")
        }
    }

    /// What open pages of a topic show now.
    private func shown(_ look: LiveHub.Look) async throws -> String {
        let fragments = try await look()
        #expect(fragments.map(\.id) == ["events"])
        return fragments.first?.html ?? ""
    }

    @Test func `An open page gets what happens, at the top of what it shows`() async throws {
        try await PanelRig.run { rig in
            let phone = try await rig.phone("one", user: "anna")
            try await refuse(rig, phone)
            let look = try #require(try LogPage(panel: rig.panel).look(at: "log?tab=all", for: await rig.visit()))
            let first = try await shown(look)
            #expect(first.contains("device.registered") && first.contains("token.start.dead"))
            #expect(try await shown(look) == first)
            try await rig.change(phone, ["sequence": 2, "kind": "logout"])
            let second = try await shown(look)
            let places = ["device.loggedOut", "token.start.dead", "device.registered"].map {
                second.range(of: $0)?.lowerBound
            }
            #expect(places.allSatisfy { $0 != nil } && places.compactMap(\.self) == places.compactMap(\.self).sorted())
        }
    }

    @Test func `An open page of errors is sent errors alone`() async throws {
        try await PanelRig.run { rig in
            let phone = try await rig.phone("one", user: "anna")
            let look = try #require(try LogPage(panel: rig.panel).look(at: "log?tab=errors", for: await rig.visit()))
            #expect(try await shown(look).contains("device.registered") == false)
            _ = try await rig.phone("two")
            try await refuse(rig, phone)
            let news = try await shown(look)
            #expect(news.contains("token.start.dead") && !news.contains("device.registered"))
        }
    }

    @Test func `A flood shows its newest events`() async throws {
        try await PanelRig.run { rig in
            let phone = try await rig.phone("one", user: "anna")
            let look = try #require(try LogPage(panel: rig.panel).look(at: "log?tab=all", for: await rig.visit()))
            _ = try await shown(look)
            for _ in 0..<300 { try await refuse(rig, phone) }
            try await rig.change(phone, ["sequence": 2, "kind": "logout"])
            let news = try await shown(look)
            #expect(news.contains("device.loggedOut"))
            #expect(news.components(separatedBy: "<li").count == EventList.size + 1)
        }
    }
}
