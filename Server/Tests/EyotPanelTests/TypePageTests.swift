import EyotContract
import EyotDomain
import EyotHTTP
import Testing

@testable import EyotPanel

/// Types: schemas by build and their differences, profiles, halts, hours.
@Suite("Pages of types", .timeLimit(.minutes(10)))
struct TypePageTests {
    private func push(_ rig: PanelRig, _ build: String, _ properties: JSONValue, required: JSONValue) async throws {
        let state: JSONValue = ["type": "object", "properties": properties, "required": required]
        try await rig.call(
            .put, "/v1/types/Match/schemas",
            ["builds": [.string(build)], "schema": ["attributes": ["type": "object"], "contentState": state]])
        rig.clock.advance(60)
    }

    @Test func `Types are listed with their schemas, profiles and halts`() async throws {
        try await PanelRig.run { rig in
            try await push(rig, "1.0 (7)", ["n": ["type": "integer"]], required: ["n"])
            try await rig.call(.put, "/v1/types/Order/profile", ["updateSpacing": 5])
            try await rig.call(.post, "/v1/types/Ride/halt")
            let page = try await rig.get("/panel/types").text
            for type in ["Match", "Order", "Ride"] { #expect(page.contains("/panel/types/\(type)\""), "\(type)") }
            #expect(page.contains("states are not checked") && page.contains(">halted<"))
        }
    }

    @Test func `Two builds are compared: what came, went and changed, and what no longer decodes`() async throws {
        try await PanelRig.run { rig in
            try await push(
                rig, "1.0", ["n": ["type": "integer"], "old": ["type": "string"]], required: ["n", "old"])
            try await push(
                rig, "2.0", ["n": ["type": "string"], "goals": ["type": "array", "items": ["type": "integer"]]],
                required: ["n"])
            let page = try await rig.get("/panel/types/Match").text
            for change in [
                ("came", "contentState.goals"), ("went", "contentState.old"), ("changed", "contentState.n"),
            ] {
                let pattern = "\(change.0)</span> <code><bdi>\(change.1)</bdi>"
                #expect(page.contains(pattern), "\(pattern)")
            }
            #expect(page.contains("<del><bdi>Int</bdi></del>") && page.contains("<ins><bdi>String</bdi></ins>"))
            #expect(page.contains("may not decode on the older one"))
            let back = try await rig.get("/panel/types/Match?from=2.0&to=1.0").text
            #expect(back.contains("went</span> <code><bdi>contentState.goals"))
        }
    }

    @Test func `A profile is saved, and a wrong value stands beside its field`() async throws {
        try await PanelRig.run { rig in
            let path = "/panel/types/Match/profile"
            let saved = try await rig.post(path, ["updateSpacing": "5", "relevanceScore": "0.5", "startsPerHour": ""])
            #expect(saved.headers[.location] == "/panel/types/Match?done=saved")
            let page = try await rig.get("/panel/types/Match").text
            #expect(page.contains(#"name="updateSpacing" value="5""#) && page.contains(#"value="0.5""#))
            let wrong = try await rig.post(path, ["updateSpacing": "soon", "startsPerHour": "7"])
            #expect(wrong.status == .unprocessableContent && wrong.text.contains(#"id="wrong-updateSpacing""#))
            #expect(wrong.text.contains(#"value="soon""#) && wrong.text.contains(#"value="7""#))
            let large = try await rig.post(path, ["updateSpacing": "99999"])
            #expect(large.text.contains("must lie between 0 and 3600"))
            #expect(try await rig.get("/panel/types/Match").text.contains(#"name="updateSpacing" value="5""#))
        }
    }

    @Test func `A type is halted and resumed by one button each`() async throws {
        try await PanelRig.run { rig in
            #expect(try await rig.get("/panel/types/Match").text.contains("Halt this type"))
            #expect(
                try await rig.post("/panel/types/Match/halt", [:]).headers[.location]
                    == "/panel/types/Match?done=halted")
            let page = try await rig.get("/panel/types/Match").text
            #expect(page.contains(">Resume<") && page.contains("The type Match is halted."))
            #expect(try await rig.post("/panel/types/Match/resume", [:], as: "vera").status == .forbidden)
            #expect(try await rig.post("/panel/types/Match/resume", [:]).status == .seeOther)
            #expect(try await rig.get("/panel/types/Match").text.contains("Halt this type"))
        }
    }

    @Test func `The last day of a type is drawn by hour`() async throws {
        try await PanelRig.run { rig in
            try await rig.start("final", on: rig.phone("one", user: "anna"))
            let page = try await rig.get("/panel/types/Match").text
            #expect(page.contains("Cards that appeared by hour, 1 in all"))
            #expect(try await rig.get("/panel/types/Unknown").text.contains("no activity has had this type"))
        }
    }
}
