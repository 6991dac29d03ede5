import EyotContract
import EyotDomain
import EyotHTTP
import Testing

@testable import EyotPanel

/// Counts of events over time, the people of an event, and adoption.
@Suite("The page of insight", .timeLimit(.minutes(10)))
struct InsightPageTests {
    @Test func `Events are counted by kind and drawn, with a link to the people`() async throws {
        try await PanelRig.run { rig in
            let phone = try await rig.phone("one", user: "anna")
            try await rig.start("final", on: phone)
            let page = try await rig.get("/panel/insight").text
            #expect(page.contains("The phone reported a new card.") && page.contains("<rect class=\"fill\""))
            #expect(page.contains("/panel/insight/card.appeared?range=day"))
            #expect(!page.contains("/panel/insight/activity.declared"))
            let people = try await rig.get("/panel/insight/card.appeared?range=day").text
            #expect(people.contains("/panel/users/anna") && people.contains("/panel/devices/\(phone.id)"))
            let cards = try await rig.get("/panel/insight?group=cards&range=month").text
            #expect(cards.contains("<code>card.appeared") && !cards.contains("<code>device.registered"))
            // One choice has Eyot's names, Netmera's and Braze's.
            #expect(cards.contains("<optgroup label=\"Netmera\">") && cards.contains("n:lac LiveActivityClose"))
            let named = try await rig.get("/panel/insight?type=n:lst").text
            #expect(named.contains("<code>token.start.set") && !named.contains("<code>card.appeared"))
        }
    }

    @Test func `A bar is as high as its share of the highest`() {
        let bars = Bars(.init(first: 0, step: 3_600, counts: [1, 0, 4]), width: 30, height: 8, label: "x").bars
        #expect(bars.map(\.height) == ["2.00", "8.00"] && bars.map(\.x) == ["0.00", "20.00"])
        #expect(bars.map(\.title) == ["1 · 1970-01-01 00:00 UTC", "4 · 1970-01-01 02:00 UTC"])
    }

    @Test func `Adoption has each level with its share`() async throws {
        try await PanelRig.run { rig in
            _ = try await rig.phone("one", user: "anna")
            _ = try await rig.phone("two")
            let page = try await rig.get("/panel/insight").text
            #expect(page.contains("Have a user") && page.contains("50.0 %"))
        }
    }

    @Test func `Who may not read events sees adoption alone`() async throws {
        try await PanelRig.run { rig in
            _ = try await rig.phone("one", user: "anna")
            let page = try await rig.get("/panel/insight", as: "vera")
            #expect(page.status == .ok && page.text.contains("Allow Live Activities"))
            #expect(!page.text.contains("device.registered"))
        }
    }

    @Test func `An activity that is not known is named beside the form`() async throws {
        try await PanelRig.run { rig in
            let page = try await rig.get("/panel/insight?activity=none")
            #expect(page.status == .notFound && page.text.contains("activityUnknown"))
            #expect(page.text.contains(#"name="activity" value="none""#))
        }
    }
}
