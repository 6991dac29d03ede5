import EyotContract
import EyotDomain
import EyotHTTP
import Testing

@testable import EyotPanel

/// The first page.
@Suite("The page Tonight", .timeLimit(.minutes(10)))
struct TonightTests {
    @Test func `Nothing that runs is said, with what to do`() async throws {
        try await PanelRig.run { rig in
            let page = try await rig.get("/panel").text
            #expect(page.contains("Nothing runs."))
            #expect(HTMLCheck.fault(in: page) == nil)
        }
    }

    @Test func `A running activity has a line with what was declared, and a button that halts it`() async throws {
        try await PanelRig.run { rig in
            try await rig.start("final", state: ["homeScore": 1])
            let page = try await rig.get("/panel").text
            #expect(page.contains("<bdi>final</bdi>"))
            #expect(page.contains("MatchAttributes · generation 1 · version 1"))
            #expect(page.contains("1 running"))
            #expect(HTMLCheck.fault(in: page) == nil)
            let answer = try await rig.post("/panel/activities/final/halt", ["from": "tonight"])
            #expect(answer.headers[.location] == "/panel?done=halted")
            let halted = try await rig.get("/panel?done=halted").text
            #expect(
                halted.contains("tag bad\">halted") && halted.contains("formaction=\"/panel/activities/final/resume\""))
            #expect(halted.contains("Nothing is pushed until you resume"))
        }
    }

    @Test func `A viewer has no buttons, and is refused without one`() async throws {
        try await PanelRig.run { rig in
            try await rig.start("final", state: ["homeScore": 1])
            let page = try await rig.get("/panel", as: "vera").text
            #expect(page.contains("<bdi>final</bdi>"))
            #expect(!page.contains("<button") && !page.contains("token-of-vera"))
            let answer = try await rig.post("/panel/activities/final/halt", [:], as: "vera")
            #expect(answer.status == .forbidden)
        }
    }

    @Test func `Live parts carry no token, and viewers with other rights get others`() async throws {
        try await PanelRig.run { rig in
            try await rig.start("final", state: ["homeScore": 1])
            for (member, mayHalt) in [("ana", true), ("vera", false)] {
                let visit = try await rig.visit(as: member)
                let parts = try await TonightPage(panel: rig.panel).look(for: visit)()
                #expect(parts.map(\.id) == ["tonight-now", "tonight-figures", "tonight-rows", "tonight-planned"])
                for part in parts {
                    #expect(!part.html.contains("token-of"))
                    #expect(HTMLCheck.fault(in: part.html) == nil)
                }
                #expect(parts[2].html.contains("/halt") == mayHalt)
            }
            let (ana, vera) = (try await rig.visit(as: "ana"), try await rig.visit(as: "vera"))
            #expect(ana.viewKey != vera.viewKey)
        }
    }

    @Test func `A halted activity stands in the red line of each page, and of open ones`() async throws {
        try await PanelRig.run { rig in
            try await rig.start("final", state: ["homeScore": 1])
            #expect(try await !rig.get("/panel/reports").text.contains("halted"))
            let visit = try await rig.visit(as: "ana")
            _ = try await rig.post("/panel/activities/final/halt", [:])
            #expect(try await rig.get("/panel/reports").text.contains("<b>final is halted.</b>"))
            let alarms = try await PageFrame.Alarms(for: visit)
            #expect(Templates.render(alarms, "alarms").contains("href=\"/panel/activities/final\""))
            for name in ["b", "c", "d"] {
                try await rig.start(name, state: ["homeScore": 1])
                _ = try await rig.post("/panel/activities/\(name)/halt", [:])
            }
            #expect(try await rig.get("/panel/reports").text.contains("<b>d, c, b and more are halted.</b>"))
        }
    }

    @Test func `Small activities of one type share a line`() async throws {
        try await PanelRig.run { rig in
            for number in 1...25 { try await rig.start("order-\(number)", state: ["n": .integer(number)]) }
            let page = try await rig.get("/panel").text
            #expect(page.contains("<bdi>order-25 and 24 like it</bdi>"))
            #expect(page.contains("25 running"))
        }
    }

    @Test(
        "A hostile name is text",
        arguments: ["<img src=x onerror=alert(1)>", "a\"b'c&d", "\u{202E}gnp.exe", "زمالك", "{{token}}", "../../x"])
    func hostile(name: String) async throws {
        try await PanelRig.run { rig in
            try await rig.start(name, state: ["note": .string(name)])
            for path in [
                "/panel", ActivityPath(name).page, ActivityPath(name).page + "/update",
                ActivityPath(name).page + "/end",
                ActivityPath(name).page + "/cards", "/panel/reports/\(PercentEncoding.encoded(name))", "/panel/reports",
            ] {
                let answer = try await rig.get(path)
                #expect(answer.status == .ok, "\(path)")
                #expect(HTMLCheck.fault(in: answer.text) == nil, "\(path)")
                #expect(!answer.text.contains("<img"), "\(path)")
                // What the browser sends back has to be the name itself, so only what is shown is made plain.
                let shown = answer.text.replacing(#/<textarea[^<]*|<[^>]*>/#, with: "")
                #expect(!shown.contains("\u{202E}"), "\(path)")
            }
        }
    }
}
