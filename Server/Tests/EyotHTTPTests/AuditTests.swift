import EyotCommands
import EyotContract
import EyotDomain
import HTTPTypes
import Synchronization
import Testing

@testable import EyotHTTP

/// What is kept of changes.
@Suite("The audit log")
struct AuditTests {
    private func changes(_ rig: Rig, key: String? = Rig.ownKey, _ query: String = "") async throws -> Reply {
        try await rig.call(.get, "/v1/audit\(query)", key: key)
    }

    @Test func `Each change says who made it, what it named and what came of it, and no secret`() async throws {
        try await Rig.run { rig in
            let made = try await rig.call(.post, "/v1/keys", #"{"name":"hush-hush"}"#)
            let secret = try #require(made["key"]?.string)
            let id = try #require(made["id"]?.string)
            rig.clock.advance(60)
            #expect(try await rig.call(.put, "/v1/users/anna", #"{"tags":["vip"]}"#, key: secret).status == 200)
            #expect(try await rig.call(.delete, "/v1/keys/\(id)").status == 204)
            let list = try await changes(rig)
            let rows = (list["changes"]?.array ?? []).compactMap(\.object)
            #expect(rows.map { $0["route"]?.string } == ["/v1/keys/{id}", "/v1/users/{externalID}", "/v1/keys"])
            #expect(rows.map { $0["method"]?.string } == ["DELETE", "PUT", "POST"])
            #expect(rows.map { $0["status"]?.integer } == [204, 200, 201])
            #expect(
                rows.map { $0["subject"]?.string } == ["id=\(id)", "externalID=sha256:55579b557896d0ce", "made=\(id)"])
            #expect(rows.map { $0["key"]?.string } == ["2", id, "2"])
            #expect(rows[1]["at"]?.string == "2022-12-18T15:01:00Z")
            #expect(rows[1]["hint"]?.string.map { secret.hasPrefix($0.dropLast()) } == true)
            for hidden in [secret, rig.match.api, "hush-hush", "vip", "anna"] { #expect(!list.text.contains(hidden)) }
            #expect(try await changes(rig, key: rig.other.api)["changes"] == [])
            let page = try await changes(rig, "?limit=2")
            #expect(page["changes"]?.array?.count == 2)
            let rest = try await changes(rig, "?limit=2&before=\(page["next"]?.string ?? "")")
            #expect(rest["changes"]?.array?.count == 1)
            #expect(rest["next"] == nil)
            #expect(try await changes(rig, "?before=x").field == "before")
        }
    }

    @Test func `What is refused, repeated or only read is no change`() async throws {
        try await Rig.run { rig in
            let headers = ["Idempotency-Key": "k"]
            for _ in 1...2 {
                #expect(try await rig.call(.put, "/v1/users/anna", #"{"tags":[]}"#, headers: headers).status == 200)
            }
            #expect(try await rig.call(.put, "/v1/users/anna", #"{"tags":1}"#).status == 422)
            #expect(try await rig.call(.delete, "/v1/keys/99").status == 404)
            #expect(try await rig.call(.get, "/v1/users/anna").status == 200)
            let list = try await changes(rig)
            #expect(list["changes"]?.array?.count == 1)
        }
    }

    @Test func `Operations say which key made them, and cost the log nothing`() async throws {
        try await Rig.run { rig in
            try await rig.phone("one")
            let made = try await rig.call(.post, "/v1/keys", #"{"name":"sender"}"#)
            let secret = try #require(made["key"]?.string)
            let start = Body.start.replacing(#""audience":"all""#, with: #""audience":{"type":"Match"}"#)
            let started = try await rig.call(.post, "/v1/activities/final/start", start, key: secret)
            #expect(started["operation"]?.string == "1")
            let operation = try await rig.call(.get, "/v1/operations/1")
            #expect(operation["key"] == made["id"])
            #expect(try await rig.call(.post, "/v1/activities/final/update", Body.update).status == 202)
            #expect(try await rig.call(.get, "/v1/operations/2")["key"]?.string == "2")
            #expect(try await rig.call(.post, "/v1/activities/final/end", "{}").status == 202)
            #expect(try await changes(rig)["changes"]?.array?.count == 1)
        }
    }

    @Test func `The operator's own changes are the operator's, and those about an app the app's`() async throws {
        try await Rig.run { rig in
            #expect(
                try await rig.call(
                    .put, "/v1/users/anna", #"{"tags":[]}"#, key: rig.operatorKey,
                    headers: ["Eyot-App": "org.example.match"]
                ).status == 200)
            #expect(try await changes(rig)["changes", "0", "key"]?.string == "1")
            let own = try await changes(rig, key: rig.operatorKey)
            #expect(own["changes"]?.array?.map { $0.object?["route"]?.string } == ["/v1/apps", "/v1/apps"])
        }
    }

    @Test func `Every route that changes something is recorded, save those that make operations`() {
        let unrecorded = AuthorisationTests.routes.filter {
            $0.method != .get && $0.access.scopes != nil && !$0.isRecorded
        }
        #expect(
            Set(unrecorded.map(\.path)) == [
                "/v1/activities/{name}/start", "/v1/activities/{name}/update", "/v1/activities/{name}/end",
                "/v1/activities/{name}", "/v1/declarations", "/v1/audiences/count",
            ])
    }

    @Test func `Reads of people and refusals are on record beside the changes, and the same refusal once a minute`()
        async throws
    {
        let told = ToldLines()
        try await Rig.run(trail: AuditTrail { told.add($0) }) { rig in
            _ = try await rig.phone("one", user: "anna", tags: ["vip"])
            let made = try await rig.call(.post, "/v1/keys", #"{"name":"weak","scopes":["audit:read"]}"#)
            let weak = try #require(made["key"]?.string)
            for path in ["/v1/users/anna", "/v1/users/anna/export", "/v1/devices"] {
                #expect(try await rig.call(.get, path).status == 200)
            }
            for _ in 1...3 { #expect(try await rig.call(.get, "/v1/devices", key: weak).status == 403) }
            for _ in 1...2 { #expect(try await rig.call(.get, "/v1/devices", key: "eyot_sk_guess").status == 401) }
            #expect(
                try await rig.call(.get, "/v1/devices", key: rig.other.api, headers: ["Eyot-App": "org.example.match"])
                    .status == 403)
            #expect(try await rig.call(.get, "/v1/users/none").status == 404)
            #expect(try await rig.trail.write(to: rig.store, at: rig.clock.now) == 0)
            func access(_ key: String? = Rig.ownKey) async throws -> [JSONObject] {
                try await rig.call(.get, "/v1/audit/access", key: key)["entries"]?.array?.compactMap(\.object) ?? []
            }
            let rows = try await access()
            #expect(rows.map { $0["kind"]?.string } == ["refusal", "read", "read", "read"])
            #expect(rows.map { $0["status"]?.integer } == [403, 200, 200, 200])
            #expect(
                rows.map { $0["route"]?.string } == [
                    "/v1/devices", "/v1/devices", "/v1/users/{externalID}/export", "/v1/users/{externalID}",
                ])
            #expect(rows[3]["subject"]?.string == "externalID=sha256:55579b557896d0ce")
            // Calls that concern no app go to the operator's trail: unknown keys, and keys for another app.
            #expect(try await access(rig.operatorKey).map { $0["status"]?.integer } == [403, 401])
            rig.clock.advance(61)
            _ = try await rig.trail.write(to: rig.store, at: rig.clock.now)
            #expect(try await access().first?["repeated"]?.integer == 2)
            let kinds = told.lines.map { $0["kind"]?.string }
            #expect(kinds.filter { $0 == "refusal" }.count == 5)
            #expect(kinds.filter { $0 == "read" }.count == 3)
            #expect(kinds.filter { $0 == "change" }.count == 4, "\(kinds)")
            #expect(told.lines.allSatisfy { !JSONValue.object($0).text.contains("anna") })
            #expect(told.lines.last { $0["kind"]?.string == "read" }?["app"]?.string == "org.example.match")
        }
    }

    @Test func `A declaration is told, and one that opens an activity or starts everybody is a change`() async throws {
        let told = ToldLines()
        try await Rig.run(trail: AuditTrail { told.add($0) }) { rig in
            _ = try await rig.phone("one", user: "anna", tags: ["vip"])
            #expect(try await rig.call(.post, "/v1/activities/final/start", Body.start).status == 202)
            #expect(try await rig.call(.post, "/v1/activities/final/start?dryRun=true", Body.start).status == 200)
            let open = #"{"contentState":{"n":2},"public":true}"#
            #expect(try await rig.call(.post, "/v1/activities/final/update", open).status == 202)
            #expect(try await rig.call(.post, "/v1/activities/final/update", Body.update).status == 202)
            let rows = (try await changes(rig)["changes"]?.array ?? []).compactMap(\.object)
            #expect(
                rows.prefix(2).map { $0["subject"]?.string } == ["name=final public=true", "name=final audience=all"])
            #expect(told.lines.filter { $0["kind"]?.string == "declaration" }.count == 3)
        }
    }
}

/// Lines that were told, in their order.
private final class ToldLines: Sendable {
    private let state = Mutex<[JSONObject]>([])

    var lines: [JSONObject] { state.withLock(\.self) }

    func add(_ line: JSONObject) { state.withLock { $0.append(line) } }
}
