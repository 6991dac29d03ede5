import EyotContract
import EyotDomain
import EyotHTTP
import EyotTestKit
import Testing

@testable import EyotPanel

/// The page of an activity, and the forms that declare.
@Suite("The page of an activity", .timeLimit(.minutes(10)))
struct ActivityPageTests {
    private static let page = "/panel/activities/final"

    @Test func `It shows the card, the story with what changed, and the numbers`() async throws {
        try await PanelRig.run { rig in
            try await rig.start("final", state: ["homeScore": 0, "clock": "1"], ["home": "Argentina"])
            try await rig.declare("final", ["homeScore": 1, "clock": "1"])
            let page = try await rig.get(Self.page).text
            #expect(page.contains("Lock Screen, approximate. Argentina 1"))
            #expect(page.contains("<bdi>homeScore</bdi> <bdi>0</bdi> → <bdi>1</bdi>"))
            #expect(page.components(separatedBy: "<bdi>clock</bdi>").count == 2, "what stayed is no change")
            #expect(page.contains("Updated, version 2") && page.contains("Started, version 1"))
            #expect(HTMLCheck.fault(in: page) == nil)
        }
    }

    @Test func `A dry run shows what would be sent, and sends nothing`() async throws {
        try await PanelRig.run { rig in
            try await rig.start("final", state: ["homeScore": 0])
            let page = try await rig.post(
                Self.page + "/update", ["step": "dry", "seen": "1-1", "contentState": #"{"homeScore":1}"#]
            ).text
            #expect(page.contains("Nothing was sent."))
            #expect(page.contains("&quot;homeScore&quot;:1"), "what was typed is kept")
            #expect(HTMLCheck.fault(in: page) == nil)
            let still = try await rig.get(Self.page).text
            #expect(still.contains("version 1") && !still.contains("version 2"))
        }
    }

    @Test func `An update by the form is declared once, under the version that was on the screen`() async throws {
        try await PanelRig.run { rig in
            try await rig.start("final", state: ["homeScore": 0])
            let form = ["step": "all", "seen": "1-1", "contentState": #"{"homeScore":1}"#]
            let first = try await rig.post(Self.page + "/update", form)
            #expect(first.status == .seeOther)
            #expect(first.headers[.location] == "/panel/activities/final?done=declared")
            let again = try await rig.post(
                Self.page + "/update", form.merging(["contentState": #"{"homeScore":9}"#]) { $1 })
            #expect(again.text.contains("Version 2 was declared after you opened this form"))
            #expect(again.text.contains("you typed <bdi>9</bdi>, now <b><bdi>1</bdi></b>"))
            #expect(again.text.contains("&quot;homeScore&quot;:9"), "what was typed is kept")
            #expect(again.text.contains(#"name="seen" value="1-1""#), "and nothing is taken over unasked")
            let refreshed = try await rig.post(
                Self.page + "/update", form.merging(["step": "refresh", "contentState": #"{"homeScore":9}"#]) { $1 })
            #expect(refreshed.text.contains(#"name="seen" value="1-2""#))
            #expect(refreshed.text.contains("&quot;homeScore&quot;:9"))
        }
    }

    @Test func `With a schema there is a field for each member, and a wrong one is named beside it`() async throws {
        try await PanelRig.run { rig in
            try await rig.start("final", state: ["homeScore": 0])
            try await rig.store.write { ledger in
                let schema = ActivitySchema(
                    type: "MatchAttributes", attributes: .object(ObjectShape()),
                    contentState: .object(ObjectShape([.init("homeScore", .number(.int))])))
                try ledger.put(
                    TypeSchema(
                        app: AppID(rawValue: 1), type: "MatchAttributes", build: "", json: schema.json.utf8,
                        pushedAt: rig.clock.now))
            }
            let page = try await rig.get(Self.page + "/update").text
            #expect(page.contains(#"name="contentState.homeScore" value="0""#))
            for wrong in ["two", "2.5"] {
                let answer = try await rig.post(
                    Self.page + "/update", ["step": "all", "seen": "1-1", "contentState.homeScore": wrong]
                ).text
                #expect(answer.contains(#"value="\#(wrong)" dir="auto""#), "what was typed is kept")
                #expect(answer.contains("aria-invalid"))
                #expect(answer.contains("Nothing was sent"))
                #expect(HTMLCheck.fault(in: answer) == nil)
            }
        }
    }

    @Test func `An end wants the name, and a canary is a canary`() async throws {
        try await PanelRig.run { rig in
            try await rig.start("final", state: ["homeScore": 0])
            let canary = try await rig.post(
                Self.page + "/update", ["step": "canary", "seen": "1-1", "contentState": #"{"homeScore":1}"#])
            #expect(canary.headers[.location] == "/panel/activities/final?done=canary")
            let wrong = try await rig.post(Self.page + "/end", ["step": "all", "seen": "1-2", "typed": "Final"]).text
            #expect(wrong.contains("type final to confirm"))
            #expect(try await rig.get(Self.page).text.contains(">running<"))
            let done = try await rig.post(
                Self.page + "/end", ["step": "all", "seen": "1-2", "typed": "final", "dismissal": "now"])
            #expect(done.headers[.location] == "/panel/activities/final?done=ended")
            let page = try await rig.get(Self.page).text
            #expect(page.contains(">ended<") && !page.contains(">Update<"))
        }
    }

    @Test func `An end carries a state that was typed, and none that was not`() async throws {
        try await PanelRig.run { rig in
            try await rig.start("final", state: ["homeScore": 4], phones: 1)
            let form = ["step": "dry", "seen": "1-1", "typed": "final"]
            let same = try await rig.post(
                Self.page + "/end", form.merging(["contentState": #"{"homeScore":4}"#]) { $1 })
            #expect(!same.text.contains(#"name="state" value="yes" checked"#))
            let typed = try await rig.post(
                Self.page + "/end", form.merging(["contentState": #"{"homeScore":5}"#]) { $1 })
            #expect(typed.text.contains("checked") && typed.text.contains("&quot;homeScore&quot;:5"))
            _ = try await rig.post(
                Self.page + "/end", form.merging(["step": "all", "contentState": #"{"homeScore":5}"#]) { $1 })
            let newest = try await rig.visit().read("/v1/activities/final")
            #expect(newest.at("contentState", "homeScore")?.integer == 5)
        }
    }

    @Test func `While nothing is sent, a page says that what was declared is kept`() async throws {
        try await PanelRig.run { rig in
            try await rig.start("final", state: ["homeScore": 4])
            _ = try await rig.post(Self.page + "/halt", [:])
            let page = try await rig.get(Self.page + "?done=declared").text
            #expect(page.contains("Done and kept.") && !page.contains("brought up to date now"))
        }
    }

    @Test func `Phones with builds from Xcode alone are not called production`() async throws {
        try await PanelRig.run { rig in
            #expect(try await rig.get("/panel").text.contains("PRODUCTION"), "no phone is known")
            let now = rig.clock.now
            try await rig.store.write { ledger in
                let device = try ledger.insert(NewDevice.phone("phone", in: AppID(rawValue: 1), at: now))
                Transaction(ledger, at: now).countAdoption(ofNew: device)
            }
            #expect(try await rig.get("/panel").text.contains("SANDBOX"))
        }
    }

    @Test func `A test device that is missing is said, and nothing goes to all`() async throws {
        try await PanelRig.run { rig in
            try await rig.start("final", state: ["homeScore": 0])
            let form = ["step": "test", "seen": "1-1", "contentState": #"{"homeScore":1}"#]
            let page = try await rig.post(Self.page + "/update", form).text
            #expect(page.contains("choose a test device"))
            #expect(try await rig.get(Self.page).text.contains("version 1"))
        }
    }

    @Test func `A viewer sees no form that declares, and is refused by each`() async throws {
        try await PanelRig.run { rig in
            try await rig.start("final", state: ["homeScore": 0])
            let page = try await rig.get(Self.page, as: "vera").text
            #expect(!page.contains("/update") && !page.contains("/end\"") && !page.contains("<button"))
            let calls = [
                (Self.page + "/update", ["step": "all", "seen": "1-1", "contentState": "{}"]),
                (Self.page + "/end", ["step": "all", "seen": "1-1", "typed": "final"]),
                ("/panel/start", ["step": "all", "type": "T", "name": "x", "contentState": "{}", "attributes": "{}"]),
            ]
            for (path, fields) in calls {
                let answer = try await rig.post(path, fields, as: "vera").text
                #expect(answer.contains("does not have the scope") || answer.contains("scope"), "\(path)")
            }
            #expect(try await rig.get(Self.page).text.contains("version 1"))
        }
    }

    @Test func `The numbers lead to cards, filtered`() async throws {
        try await PanelRig.run { rig in
            try await rig.start("final", state: ["homeScore": 0], phones: 3)
            let page = try await rig.get(Self.page).text
            #expect(page.contains("/panel/activities/final/cards?phase=starting"))
            let cards = try await rig.get(Self.page + "/cards?phase=starting").text
            #expect(cards.contains("device 1") && cards.contains("device 3"))
            #expect(cards.contains(#"<option value="starting" selected>"#))
            let others = try await rig.get(Self.page + "/cards", as: "vera").text
            #expect(!others.contains("device 1") && !others.contains("/panel/why"))
            let none = try await rig.get(Self.page + "/cards?phase=dead").text
            #expect(none.contains("No card fits."))
            #expect(HTMLCheck.fault(in: cards) == nil && HTMLCheck.fault(in: none) == nil)
        }
    }
}
