import EyotContract
import EyotDomain
import Testing

@testable import EyotPanel

/// Pages of an app, its keys, webhooks, the console, the audit log and the server.
@Suite("Settings in the panel", .timeLimit(.minutes(10)))
struct SettingsTests {
    @Test(
        "Each page answers, and shows no other markup than its own",
        arguments: ["/panel/app", "/panel/webhooks", "/panel/console", "/panel/audit", "/panel/server"])
    func pages(path: String) async throws {
        try await PanelRig.run { rig in
            let page = try await rig.get(path)
            #expect(page.status == .ok, "\(page.text)")
            #expect(page.text.hasPrefix("<!doctype html>"))
            #expect(!page.text.contains("{{"))
            let refused = try await rig.get(path, as: "vera")
            #expect(refused.status == .forbidden || path == "/panel/console" || path == "/panel/server")
        }
    }

    @Test func `The page of the server lists the nodes where several share a database`() async throws {
        try await PanelRig.run { rig in
            #expect(try await !rig.get("/panel/server").text.contains("<h2>Nodes</h2>"))
            let now = rig.clock.now
            try await rig.store.write { ledger in
                try ledger.put(NodeRecord(id: NodeID(rawValue: "1"), name: "<b>east", version: "0.2.0", at: now))
            }
            let page = try await rig.get("/panel/server").text
            #expect(page.contains("<h2>Nodes</h2>") && page.contains("&lt;b&gt;east") && page.contains("idle"))
            #expect(!page.contains("<b>east"))
        }
    }

    @Test func `A key is shown once, works, and is revoked after its name was typed`() async throws {
        try await PanelRig.run { rig in
            let made = try await rig.post(
                "/panel/app/keys", ["name": "feed <b>", "plane": "eyot", "scope:activities:read": "1"])
            #expect(made.status == .ok)
            let secret = try #require(made.text.firstMatch(of: /eyot_sk_[A-Za-z0-9_-]{43}/)).output
            let page = try await rig.get("/panel/app").text
            #expect(page.contains("feed &lt;b&gt;") && page.contains("activities:read") && !page.contains(secret))
            let id = try #require(page.firstMatch(of: /\/panel\/app\/keys\/(\d+)\/revoke/)).output.1
            // The form does not say what has to be typed.
            for fields in [["typed": "feed"], ["name": "feed", "typed": "feed"]] {
                let wrong = try await rig.post("/panel/app/keys/\(id)/revoke", fields)
                #expect(wrong.status == .unprocessableContent)
            }
            let right = try await rig.post("/panel/app/keys/\(id)/revoke", ["typed": "feed <b>"])
            #expect(right.status == .seeOther)
            #expect(try await !rig.get("/panel/app").text.contains("feed"))
        }
    }

    @Test func `An app is halted at once, and resumed when its bundle id was typed`() async throws {
        try await PanelRig.run { rig in
            #expect(try await rig.post("/panel/app/halt", [:]).status == .seeOther)
            let page = try await rig.get("/panel?done=halted").text
            #expect(page.contains("role=\"alert\"") && page.contains("The app is halted, so nothing is sent."))
            #expect(page.contains("Halted. Nothing is pushed"))
            #expect(try await rig.post("/panel/app/resume", [:]).status == .unprocessableContent)
            #expect(try await rig.post("/panel/app/resume", ["typed": "org.example.match"]).status == .seeOther)
            #expect(try await !rig.get("/panel").text.contains("The app is halted"))
        }
    }

    @Test func `Forms of other sites, without the session's token, or beyond the role are refused`() async throws {
        try await PanelRig.run { rig in
            #expect(try await rig.post("/panel/app/halt", [:], site: "cross-site").status == .forbidden)
            #expect(try await rig.post("/panel/app/halt", [:], site: nil).status == .forbidden)
            #expect(try await rig.post("/panel/app/halt", ["token": "token-of-vera"]).status == .forbidden)
            let refused = try await rig.post("/panel/app/halt", [:], as: "vera")
            #expect(refused.status == .forbidden && refused.text.contains("activities:halt"))
            #expect(try await rig.store.read { try $0.apps().allSatisfy { $0.haltedAt == nil } })
        }
    }

    @Test func `The console checks a payload, keeps what was typed, and says why it was not sent`() async throws {
        try await PanelRig.run { rig in
            let draft = ["environment": "sandbox", "pushToken": "00ff", "payload": #"{"aps":{"event":"<i>"}}"#]
            let checked = try await rig.post("/panel/console", draft)
            #expect(checked.text.contains("aps.event must be one of start, update, end"))
            #expect(checked.text.contains("&lt;i&gt;") && !checked.text.contains("<i>"))
            let part = try await rig.post("/panel/console/check", draft)
            #expect(!part.text.contains("<!doctype") && part.text.contains("of 4,096 bytes"))
            let sent = try await rig.post("/panel/console", draft.merging(["do": "send"]) { $1 })
            #expect(sent.text.contains("the app has no APNs key for sandbox"))
            let broken = try await rig.post("/panel/console", draft.merging(["payload": "{"]) { $1 })
            #expect(broken.text.contains("the payload is not JSON"))
        }
    }

    @Test func `The audit log has what a member did`() async throws {
        try await PanelRig.run { rig in
            _ = try await rig.post("/panel/app/halt", [:])
            let page = try await rig.get("/panel/audit").text
            #expect(page.contains("POST /v1/apps/{bundleID}/halt") && page.contains("<bdi>ana</bdi>"))
        }
    }

    @Test func `A webhook is added, turned off and removed`() async throws {
        try await PanelRig.run { rig in
            let made = try await rig.post(
                "/panel/webhooks", ["name": "crm", "url": "https://example.org/in", "types": "card.*, push.refused"])
            #expect(made.status == .ok && made.text.contains("whsec_"))
            let list = try await rig.get("/panel/webhooks").text
            let id = try #require(list.firstMatch(of: /\/panel\/webhooks\/(\d+)"/)).output.1
            #expect(try await rig.post("/panel/webhooks/\(id)/disable", [:]).status == .seeOther)
            #expect(try await rig.get("/panel/webhooks/\(id)").text.contains("off: "))
            #expect(try await rig.post("/panel/webhooks/\(id)/remove", ["typed": "no"]).status == .unprocessableContent)
            #expect(try await rig.post("/panel/webhooks/\(id)/remove", ["typed": "crm"]).status == .seeOther)
        }
    }
}
