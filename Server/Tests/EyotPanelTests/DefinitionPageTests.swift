import EyotContract
import EyotDomain
import EyotHTTP
import Testing

@testable import EyotPanel

/// Definitions.
@Suite("Pages of definitions", .timeLimit(.minutes(10)))
struct DefinitionPageTests {
    private static let goal = """
        {"parameters":{"home":{"kind":"integer"},"team":{"kind":"string","default":"ARG"}},
        "declaration":{"type":"Match","contentState":{"homeScore":"{{home}}"},"alert":{"title":"{{team}}","body":"Goal"}}}
        """

    @Test func `A definition is made, shown with its places, changed and removed`() async throws {
        try await PanelRig.run { rig in
            let made = try await rig.post("/panel/definitions", ["name": "goal", "definition": Self.goal])
            #expect(made.headers[.location] == "/panel/definitions/goal?done=saved")
            let list = try await rig.get("/panel/definitions").text
            #expect(list.contains("/panel/definitions/goal") && list.contains("/panel/start?definition=goal"))
            let page = try await rig.get("/panel/definitions/goal").text
            #expect(page.contains("<mark>{{home}}</mark>") && page.contains("contentState.homeScore"))
            #expect(page.contains("integer · required") && page.contains("&quot;ARG&quot;"))
            let changed = Self.goal.replacing("ARG", with: "FRA")
            #expect(try await rig.post("/panel/definitions/goal", ["definition": changed]).status == .seeOther)
            #expect(try await rig.get("/panel/definitions/goal").text.contains("&quot;FRA&quot;"))
            let path = "/panel/definitions/goal/remove"
            #expect(try await rig.post(path, ["typed": "goals"]).status == .unprocessableContent)
            #expect(try await rig.post(path, ["typed": "goal"]).status == .seeOther)
            #expect(try await rig.get("/panel/definitions/goal").status == .notFound)
        }
    }

    @Test(
        "What is wrong is named, and what was typed stays",
        arguments: [("{", "definition is not JSON"), (#"{"declaration":{"colour":1}}"#, "declaration.colour")])
    func wrong(definition: String, message: String) async throws {
        try await PanelRig.run { rig in
            let page = try await rig.post("/panel/definitions", ["name": "goal", "definition": definition])
            #expect(page.status == .unprocessableContent && page.text.contains(message))
            #expect(page.text.contains(definition.replacing("\"", with: "&quot;") + "</textarea>"))
            #expect(page.text.contains(#"name="name" value="goal""#))
        }
    }

    @Test func `Who only reads definitions sees no form, and is refused one`() async throws {
        try await PanelRig.run { rig in
            let json = try JSONValue(parsing: Self.goal)
            try await rig.call(.put, "/v1/definitions/goal", json)
            let page = try await rig.get("/panel/definitions/goal", as: "otto").text
            #expect(!page.contains("<textarea") && !page.contains("/remove") && !page.contains("/panel/start"))
            let form = try await rig.post("/panel/definitions/goal/remove", ["typed": "goal"], as: "otto")
            #expect(form.status == .forbidden)
        }
    }
}
