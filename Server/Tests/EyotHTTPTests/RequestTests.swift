import EyotContract
import EyotDomain
import HTTPTypes
import Testing

@testable import EyotHTTP

extension Rig {
    /// Stores the refused calls that wait to be, as the server does once a second.
    func storeRefusals() async throws { try await api.backend.refusedCalls.write(by: api.backend.commands) }
}

/// Ids of requests lead to what became of them, and refused calls stand in the log of errors.
@Suite("Requests by their ids", .timeLimit(.minutes(10)))
struct RequestTests {
    private func log(_ rig: Rig, _ query: String) async throws -> [JSONObject] {
        try await rig.storeRefusals()
        return try await rig.call(.get, "/v1/log\(query)")["entries"]?.array?.compactMap(\.object) ?? []
    }

    @Test func `An accepted call is found by both of its ids, with its operation and in the story`() async throws {
        try await Rig.run { rig in
            try await rig.phone("one", user: "ana")
            let started = try await rig.call(
                .post, "/v1/activities/final/start", Body.start, headers: ["X-Request-Id": "mine-1"])
            let own = try #require(started.headers[.requestID])
            #expect(started.status == 202 && own != "mine-1")
            for id in [own, "mine-1"] {
                let found = try await rig.call(.get, "/v1/requests/\(id)")
                #expect(found["operations", "0", "operation"] == started["operation"], "\(found.text)")
                #expect(found["operations", "0", "requestId"] == .string(own))
                #expect(found["refused"] == [])
            }
            let operation = try await rig.call(.get, "/v1/operations/1")
            #expect(operation["callerRequestId"] == "mine-1" && operation["requestId"] == .string(own))
            let story = try await rig.call(.get, "/v1/why?user=ana&activity=final")["story"]?.array?.compactMap(
                \.object)
            #expect(story?.first { $0["event"] == "activity.declared" }?["requestId"] == .string(own))
            #expect(try await rig.call(.get, "/v1/requests/none").status == 404)
        }
    }

    @Test func `A refused call is an error of the log, with what to do, and changes nothing`() async throws {
        try await Rig.run { rig in
            try await rig.phone("one", user: "ana")
            #expect(try await rig.call(.post, "/v1/activities/final/start", Body.start).status == 202)
            let refused = try await rig.call(
                .post, "/v1/activities/final/update", #"{"contentState":{"n":2},"priority":7}"#,
                headers: ["X-Request-Id": "mine-2"])
            #expect(refused.status == 422 || refused.status == 400, "\(refused.text)")
            let entries = try await log(rig, "?errors=true")
            let entry = try #require(entries.first)
            #expect(entries.count == 1 && entry["type"] == "call.refused" && entry["activity"] == "final")
            #expect(entry["reason"] == refused["code"] && entry["field"] == refused["field"])
            #expect(entry["call"] == "POST /v1/activities/{name}/update" && entry["callerRequestId"] == "mine-2")
            let found = try await rig.call(.get, "/v1/requests/mine-2")
            #expect(found["refused", "0", "id"] == entry["id"] && found["operations"] == [])
            let story = try await rig.call(.get, "/v1/why?user=ana&activity=final")["story"]?.array?.compactMap(
                \.object)
            #expect(story?.last { $0["event"] == "call.refused" }?["reason"] == refused["code"])
        }
    }

    @Test func `A dry run, a read and a call without a key are no refused calls, and a flood of them is bounded`()
        async throws
    {
        try await Rig.run { rig in
            _ = try await rig.call(.post, "/v1/activities/final/update?dryRun=true", Body.update)
            _ = try await rig.call(.get, "/v1/activities/final")
            _ = try await rig.call(.post, "/v1/activities/final/update", Body.update, key: "eyot_sk_wrong")
            #expect(try await log(rig, "?types=call.*") == [])
            for _ in 0..<70 { _ = try await rig.call(.post, "/v1/activities/final/update", Body.update) }
            #expect(try await log(rig, "?types=call.*&limit=100").count == 60)
            // The limit is one of each minute, and forgets the one before.
            rig.clock.advance(60)
            _ = try await rig.call(.post, "/v1/activities/final/update", Body.update)
            #expect(try await log(rig, "?types=call.*&limit=100").count == 61)
        }
    }

    @Test func `A refused line of many declarations stands in the log`() async throws {
        try await Rig.run { rig in
            let lines = #"{"name":"final","verb":"update","contentState":{"n":1}}"# + "\n"
            let answer = try await rig.call(
                .post, "/v1/declarations", lines, headers: ["Content-Type": "application/x-ndjson"])
            #expect(answer.status == 200, "\(answer.text)")
            let entries = try await log(rig, "?errors=true")
            #expect(entries.map { $0["reason"] } == ["activityUnknown"], "\(entries)")
        }
    }

    @Test func `A call that came too late is told, and is no error`() async throws {
        try await Rig.run { rig in
            try await rig.phone("one", user: "ana")
            #expect(try await rig.call(.post, "/v1/activities/final/start", Body.start).status == 202)
            func update(_ second: Int) async throws -> JSONValue? {
                let body = #"{"contentState":{"n":\#(second)},"asOf":"2022-12-18T15:00:0\#(second)Z"}"#
                return try await rig.call(.post, "/v1/activities/final/update", body)["outcome"]
            }
            #expect(try await update(5) == "applied")
            #expect(try await update(4) == "superseded")
            #expect(try await log(rig, "?types=call.*").map { $0["type"] } == ["call.late"])
            #expect(try await log(rig, "?errors=true") == [])
            let story = try await rig.call(.get, "/v1/why?user=ana&activity=final")["story"]?.array?.compactMap(
                \.object)
            #expect(story?.contains { $0["event"] == "call.late" } == true)
        }
    }
}
