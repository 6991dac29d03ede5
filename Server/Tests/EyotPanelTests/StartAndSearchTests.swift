import EyotContract
import EyotDomain
import EyotHTTP
import HTTPTypes
import Testing

@testable import EyotPanel

/// The form that starts, the reports, and the search.
@Suite("Start, reports and search", .timeLimit(.minutes(10)))
struct StartAndSearchTests {
    private static let form = [
        "type": "MatchAttributes", "name": "final", "audience.kind": "all", "attributes": #"{"home":"A"}"#,
        "contentState": #"{"homeScore":0}"#, "alert.title": "Kick-off", "alert.body": "A plays",
    ]

    @Test func `A start is tried out, and then made once`() async throws {
        try await PanelRig.run { rig in
            try await rig.addPhones(1)
            let form = Self.form
            let dry = try await rig.post("/panel/start", form.merging(["step": "dry"]) { $1 }).text
            #expect(dry.contains("1 would be started") && dry.contains("Nothing was sent."))
            #expect(dry.contains("of 4,096 bytes") && dry.contains("apns-push-type: liveactivity"))
            #expect(HTMLCheck.fault(in: dry) == nil)
            #expect(try await rig.get("/panel").text.contains("Nothing runs."))
            let done = try await rig.post("/panel/start", form.merging(["step": "all"]) { $1 })
            #expect(done.headers[.location] == "/panel/activities/final?done=started")
            let again = try await rig.post("/panel/start", form.merging(["step": "all"]) { $1 }).text
            #expect(again.contains("An activity of this name runs already"))
        }
    }

    @Test func `An audience is counted, by reason`() async throws {
        try await PanelRig.run { rig in
            try await rig.addPhones(2)
            let page = try await rig.post("/panel/start", Self.form.merging(["step": "count"]) { $1 }).text
            #expect(page.contains("2 devices of 0 users are in the audience."))
            #expect(page.contains("Would get a card"))
            #expect(HTMLCheck.fault(in: page) == nil)
        }
    }

    @Test func `What is wrong stands beside its field`() async throws {
        try await PanelRig.run { rig in
            let wrong = ["step": "all", "audience.kind": "json", "audience": "{"]
            let page = try await rig.post("/panel/start", Self.form.merging(wrong) { $1 }).text
            #expect(page.contains("is not valid JSON"))
            #expect(page.contains(#"value="{""#), "what was typed is kept")
            let nameless = try await rig.post("/panel/start", Self.form.merging(["step": "all", "name": ""]) { $1 })
                .text
            #expect(nameless.contains("this field is missing"))
            let silent = try await rig.post(
                "/panel/start", Self.form.merging(["step": "all", "alert.title": "", "alert.body": ""]) { $1 }
            ).text
            #expect(silent.contains("Some fields are not right.") && !silent.contains("Send `alert"))
            #expect(try await rig.get("/panel").text.contains("Nothing runs."))
        }
    }

    @Test func `A report is a page, a table and JSON, and stands beside another`() async throws {
        try await PanelRig.run { rig in
            try await rig.start("final", state: ["homeScore": 0], phones: 2)
            try await rig.start("semi", state: ["homeScore": 0])
            let list = try await rig.get("/panel/reports").text
            #expect(list.contains("/panel/reports/final?generation=1") && list.contains("/panel/reports/semi"))
            let page = try await rig.get("/panel/reports/final?with=semi").text
            #expect(page.contains("beside <bdi>semi</bdi>") && page.contains("funnel compared"))
            #expect(page.contains("semi: shown"))
            #expect(HTMLCheck.fault(in: page) == nil && HTMLCheck.fault(in: list) == nil)
            let csv = try await rig.get("/panel/reports/final/csv")
            #expect(csv.headers[.contentType] == "text/csv; charset=utf-8")
            #expect(csv.text.contains("final,1,,,funnel.eligible,2"))
            #expect(csv.headers[.contentDisposition] == "attachment; filename=\"report.csv\"")
            for name in ["Content-Security-Policy", "Referrer-Policy", "X-Content-Type-Options"] {
                let name = try #require(HTTPField.Name(name))
                #expect(try await csv.headers[name] == rig.get("/panel/reports").headers[name], "\(name)")
            }
            #expect(try await rig.get("/panel/reports/final/json").text.contains("\"eligible\": 2"))
            #expect(try await rig.get("/panel/reports/none").status == .notFound)
        }
    }

    @Test func `A search goes to the one thing that it finds, and lists several`() async throws {
        try await PanelRig.run { rig in
            try await rig.start("final", state: ["homeScore": 0], phones: 2)
            #expect(try await rig.get("/panel/search?q=final").headers[.location] == "/panel/activities/final")
            #expect(try await rig.get("/panel/search?q=+2+").headers[.location] == "/panel/devices/2")
            let several = try await rig.get("/panel/search?q=1").text
            #expect(several.contains("/panel/devices/1") && several.contains("/panel/operations/1"))
            let none = try await rig.get("/panel/search?q=%3Cb%3E").text
            #expect(none.contains("Nothing is called <bdi>&lt;b&gt;</bdi>"))
            #expect(HTMLCheck.fault(in: none) == nil && HTMLCheck.fault(in: several) == nil)
            let asVera = try await rig.get("/panel/search?q=2", as: "vera").text
            #expect(asVera.contains("Nothing is called"), "a viewer may not read devices")
        }
    }

    @Test func `An operation has a page`() async throws {
        try await PanelRig.run { rig in
            try await rig.start("final", state: ["homeScore": 0])
            let page = try await rig.get("/panel/operations/1").text
            #expect(page.contains("Operation 1") && page.contains("<bdi>final</bdi>"))
            #expect(HTMLCheck.fault(in: page) == nil)
        }
    }
}
