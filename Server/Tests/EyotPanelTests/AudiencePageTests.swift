import EyotContract
import EyotDomain
import EyotHTTP
import Testing

@testable import EyotPanel

/// Audiences and segments.
@Suite("Pages of audiences", .timeLimit(.minutes(10)))
struct AudiencePageTests {
    @Test func `An audience is counted with those left out by reason`() async throws {
        try await PanelRig.run { rig in
            _ = try await rig.phone("one", user: "anna")
            _ = try await rig.phone("two", user: "bert")
            let form = ["act": "count", "audience": #"{"user":["anna","bert"]}"#, "type": "Other"]
            let page = try await rig.post("/panel/audiences", form)
            #expect(page.status == .ok)
            #expect(page.text.contains("What a start would find now") && page.text.contains("noStartToken"))
            #expect(page.text.contains("The phone has sent no start token of the type"))
            #expect(page.text.contains("{&quot;user&quot;:[&quot;anna&quot;,&quot;bert&quot;]}"))
            let all = try await rig.post("/panel/audiences", ["act": "count", "audience": "\"all\"", "type": "Match"])
            #expect(all.text.contains("100.0 %"))
        }
    }

    @Test(
        "What is wrong stands beside the field, which keeps what was typed",
        arguments: [
            ("{", "audience is not JSON"), (#"{"sign":"lion"}"#, "audience"),
            (#"{"segment":"none"}"#, "segmentUnknown"),
        ])
    func wrong(audience: String, message: String) async throws {
        try await PanelRig.run { rig in
            let page = try await rig.post("/panel/audiences", ["act": "count", "audience": audience])
            #expect(page.status.code >= 400 && page.text.contains(message))
            #expect(page.text.contains(audience.replacing("\"", with: "&quot;") + "</textarea>"))
        }
    }

    @Test func `A segment is kept, changed and removed`() async throws {
        try await PanelRig.run { rig in
            _ = try await rig.phone("one", user: "anna")
            let form = ["act": "save", "audience": #"{"user":"anna"}"#, "name": "early / birds"]
            let saved = try await rig.post("/panel/audiences", form)
            let path = "/panel/audiences/early%20%2F%20birds"
            #expect(saved.headers[.location] == "\(path)?done=saved")
            #expect(try await rig.get("/panel/audiences").text.contains(path))
            #expect(try await rig.get(path).text.contains("{&quot;user&quot;:&quot;anna&quot;}"))
            let changed = try await rig.post(path, ["audience": #"{"tag":"fans"}"#])
            #expect(changed.status == .seeOther)
            let wrong = try await rig.post(path, ["audience": #"{"tag":7}"#])
            #expect(wrong.status == .unprocessableContent && wrong.text.contains("{&quot;tag&quot;:7}"))
            #expect(try await rig.get(path).text.contains("{&quot;tag&quot;:&quot;fans&quot;}"))
            #expect(try await rig.get("\(path)/remove").text.contains("0 cards change."))
            #expect(try await rig.post("\(path)/remove", ["typed": "early"]).status == .unprocessableContent)
            #expect(try await rig.post("\(path)/remove", ["typed": "early / birds"]).status == .seeOther)
            #expect(try await rig.get(path).status == .notFound)
        }
    }

    @Test func `Who only reads people cannot save`() async throws {
        try await PanelRig.run { rig in
            let page = try await rig.get("/panel/audiences", as: "otto").text
            #expect(!page.contains("Save as segment"))
            let form = ["act": "save", "audience": "\"all\"", "name": "all"]
            #expect(try await rig.post("/panel/audiences", form, as: "otto").status == .forbidden)
        }
    }
}
