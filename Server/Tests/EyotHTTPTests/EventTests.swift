import EyotCommands
import EyotContract
import EyotDomain
import Foundation
import HTTPTypes
import Testing

@Suite("Events", .timeLimit(.minutes(10)))
struct EventTests {
    @Test func `the reference lists each kind of event`() throws {
        let page = URL(filePath: #filePath).deletingLastPathComponent().appending(
            path: "../../../docs/reference/api/events.md")
        let text = try String(contentsOf: page, encoding: .utf8)
        let parts = text.components(separatedBy: "<!-- kinds -->\n")
        let rest = try #require(parts.last?.components(separatedBy: "<!-- /kinds -->"))
        let rows = EventKind.allCases.map { "| `\($0.rawValue)` | \($0.isError ? "✗" : "") | \($0.meaning) |\n" }
        let table = "\n| type | | what happened |\n|---|---|---|\n" + rows.joined() + "\n"
        if ProcessInfo.processInfo.environment["WRITE_GOLDEN"] != nil {
            let written = parts[0] + "<!-- kinds -->\n" + table + "<!-- /kinds -->" + rest[1]
            try Data(written.utf8).write(to: page)
        }
        #expect(rest[0] == table)
    }

    /// A phone with a card of `final` that its person has dismissed.
    private func dismissed(_ rig: Rig) async throws -> String {
        let phone = try await rig.phone("one", user: "ana")
        #expect(try await rig.call(.post, "/v1/activities/final/start", Body.start).status == 202)
        _ = try await rig.changes(phone.secret, Rig.card(2, "card-1", token: "update"))
        rig.clock.advance(60)
        _ = try await rig.changes(
            phone.secret,
            #"{"sequence":3,"kind":"cardEvent","event":"dismissed","instance":"card-1","name":"final","type":"Match"}"#)
        return phone.secret
    }

    @Test func `what happens to a card is read in order, and newest first in the log`() async throws {
        try await Rig.run { rig in
            _ = try await dismissed(rig)
            let all = try await rig.events()
            #expect(
                all.types == [
                    "device.registered", "device.identified", "token.start.set", "activity.declared", "card.appeared",
                    "token.update.set", "card.dismissed",
                ])
            #expect(all.lines.allSatisfy { $0["text"]?.string?.hasSuffix(".") == true })
            #expect(all.lines.last?["activity"] == "final" && all.lines.last?["user"] == "ana")
            #expect(all.lines[3]["reason"] == "start" && all.lines[3]["version"] == 1)
            #expect(try await rig.events("?activity=final&types=card.*").types == ["card.appeared", "card.dismissed"])
            #expect(try await rig.events("?user=ana&activity=final&types=card.*").lines.count == 2)
            let cursor = try #require(all.lines[4]["id"]?.string)
            #expect(try await rig.events("?after=\(cursor)").types == ["token.update.set", "card.dismissed"])
            let first = try await rig.events("?limit=2")
            #expect(try await rig.events("?after=\(first.next)").types == Array(all.types.dropFirst(2)))
            let log = try await rig.call(.get, "/v1/log?activity=final&limit=1")
            #expect(log["entries", "0", "type"] == "card.dismissed")
            let next = try #require(log["next"]?.string)
            let earlier = try await rig.call(.get, "/v1/log?activity=final&before=\(next)")
            #expect(earlier["entries"]?.array?.count == 3 && earlier["next"] == nil)
            let recent = try await rig.call(.get, "/v1/log?since=\((Rig.start + 30).rfc3339)")
            #expect(recent["entries"]?.array?.count == 1)
            #expect(try await rig.call(.get, "/v1/log?errors=true")["entries"] == [])
        }
    }

    @Test func `a dry run, a refused call and a repetition record nothing`() async throws {
        try await Rig.run { rig in
            _ = try await dismissed(rig)
            let before = try await rig.events().types
            let path = "/v1/activities/final/update"
            #expect(try await rig.call(.post, path + "?dryRun=true", Body.update).status == 200)
            #expect(
                try await rig.call(.post, path, Body.update, headers: ["If-Match": "\"1-9\""]).status == 412)
            #expect(try await rig.events().types == before)
            for _ in 1...2 {
                let reply = try await rig.call(.post, path, Body.update, headers: ["Idempotency-Key": "once"])
                #expect(reply.status == 202)
            }
            #expect(try await rig.events().types == before + ["activity.declared"])
        }
    }

    @Test func `events of a former user do not carry the new one, and go with the device`() async throws {
        try await Rig.run { rig in
            let secret = try await dismissed(rig)
            rig.clock.advance(60)
            _ = try await rig.changes(secret, #"{"sequence":4,"kind":"identify","user":"bo"}"#)
            let users = try await rig.events("?types=card.dismissed,device.identified").lines.map { $0["user"] }
            #expect(users == [nil, nil, "bo"])
            #expect(try await rig.events("?user=ana").status == 404)
            #expect(try await rig.events("?user=bo").types == ["device.identified"])
            let story = try await rig.call(.get, "/v1/why?user=bo&activity=final")["story"]?.array ?? []
            #expect(story.map { $0.object?["event"] } == ["activity.declared", "device.identified"])
            #expect(try await rig.call(.delete, "/v1/users/bo").status == 204)
            #expect(try await rig.events().types == ["activity.declared"])
        }
    }

    @Test func `a query that makes no sense is refused by its name`() async throws {
        try await Rig.run { rig in
            for (query, code, field) in [
                ("?types=card.flew", "fieldInvalid", "types"), ("?activity=unheard", "activityUnknown", nil),
                ("?user=x&device=1", "fieldInvalid", "device"), ("?device=x", "deviceUnknown", "device"),
                ("?limit=10001", "fieldInvalid", "limit"),
            ] {
                let reply = try await rig.call(.get, "/v1/events\(query)")
                #expect(reply.code == code && reply.field == field, "\(reply.text)")
            }
            #expect(try await rig.call(.get, "/v1/log?since=yesterday").field == "since")
            #expect(try await rig.call(.get, "/v1/events", key: rig.other.api).status == 200)
        }
    }
}

extension Rig {
    struct Events {
        var status: Int
        var lines: [JSONObject]
        var next: String

        var types: [String] { lines.compactMap { $0["type"]?.string } }
    }

    func events(_ query: String = "") async throws -> Events {
        let reply = try await call(.get, "/v1/events\(query)")
        let lines = try reply.text.split(separator: "\n").map {
            try JSONValue(parsing: Array($0.utf8)).object ?? JSONObject()
        }
        let next = reply.headers.first { $0.name.canonicalName == "eyot-next" }?.value
        return Events(status: reply.status, lines: lines, next: next ?? "")
    }
}
