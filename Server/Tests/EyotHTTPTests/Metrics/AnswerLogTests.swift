import EyotContract
import EyotDomain
import HTTPConnections
import Logging
import Testing

@testable import EyotHTTP

@Suite("The log of answers", .timeLimit(.minutes(10)))
struct AnswerLogTests {
    @Test func `A refused call is a line of JSON with app, key and route, and without ids of people`() async throws {
        try await MetricsWorld.run { world in
            #expect(try await world.call(.get, "/v1/users/anna%40example.com").status == 404)
            #expect(try await world.call(.get, "/v1/devices/d-4711").status >= 400)
            #expect(try await world.call(.get, "/healthz").status == 200)
            let answered = world.lines.compactMap(\.object).filter { $0["message"] == "answered" }
            #expect(answered.count == 2)
            let line = try #require(answered.first)
            #expect(line["level"] == "info")
            #expect(line["route"] == "/v1/users/{externalID}")
            #expect(line["method"] == "GET")
            #expect(line["status"] == "404")
            #expect(line["code"] == "userUnknown")
            #expect(line["app"] == "org.example.match")
            #expect(line["key"]?.string.flatMap { Int($0) } != nil)
            #expect(line["ms"]?.string.flatMap { Double($0) } != nil)
            #expect(line["hb.request.id"]?.string?.isEmpty == false)
            #expect(line["time"] == .string(Rig.start.rfc3339))
            for secret in ["anna", "4711", world.key] { #expect(!world.text.contains(secret)) }
        }
    }

    @Test func `A flood of refused calls is left out beyond a limit, and counted`() async throws {
        try await MetricsWorld.run { world in
            for _ in 0..<AnswerLog.linesPerMinute + 50 { _ = try await world.call(.get, "/nothing") }
            #expect(world.lines.count { $0.object?["message"] == "answered" } == AnswerLog.linesPerMinute)
        }
    }

    @Test func `Failures have a limit of their own, and a report says how many were left out`() {
        let log = AnswerLog()
        for _ in 0..<AnswerLog.linesPerMinute { #expect(log.take(isFailure: false, at: Rig.start)) }
        #expect(!log.take(isFailure: false, at: Rig.start))
        #expect(log.take(isFailure: true, at: Rig.start))
        #expect(log.take(isFailure: false, at: Rig.start + 60))
        #expect((log.leftOut, log.report(), log.report()) == (1, 1, 0))
    }
}
