import EyotContract
import EyotDomain
import EyotHTTP
import EyotTestKit
import HTTPTypes
import Testing

@Suite("Many declarations in one request")
struct DeclarationLineTests {
    private static func start(_ name: String) -> String {
        #"{"name":"\#(name)","verb":"start",\#(Body.start.dropFirst())"#
    }

    private static func update(_ name: String, _ n: Int, more: String = "") -> String {
        #"{"name":"\#(name)","verb":"update","contentState":{"n":\#(n)}\#(more)}"#
    }

    private func send(
        _ rig: Rig, _ lines: [String], headers: [String: String] = [:], query: String = ""
    ) async throws -> (reply: Reply, lines: [JSONValue]) {
        let reply = try await rig.call(
            .post, "/v1/declarations\(query)", lines.joined(separator: "\n"),
            headers: ["Content-Type": "application/x-ndjson"].merging(headers) { $1 })
        return (reply, try reply.text.split(separator: "\n").map { try JSONValue(parsing: String($0)) })
    }

    private func statuses(_ lines: [JSONValue]) -> [Int?] { lines.map { $0.object?["status"]?.integer } }

    @Test func `Each line is judged alone, in its order, and answered on a line of its own`() async throws {
        try await Rig.run { rig in
            try await rig.phone("one")
            let (reply, lines) = try await send(
                rig,
                [
                    Self.start("a"), Self.update("b", 1), "{broken", Self.update("a", 2), Self.update("a", 3), "",
                    #"{"name":"a","verb":"updat"}"#, #"{"name":"c","verb":"put","contentState":{"n":1.50}}"#,
                    Self.update("a", 4, more: #","ifMatch":"9""#),
                    Self.update("a", 5, more: #","x":1"#), #"{"name":"a","verb":"end"}"#,
                    Self.update("a", 6, more: #","ifMatch":"x""#),
                ])
            #expect(reply.status == 200)
            #expect(reply.headers[.contentType] == "application/x-ndjson")
            #expect(statuses(lines) == [202, 404, 400, 202, 202, 400, 422, 202, 412, 422, 202, 422])
            #expect(lines.map { $0.object?["line"]?.integer } == Array(1...12))
            #expect(lines[0].object?["answer"]?.object?["starting"]?.integer == 1)
            #expect(lines[1].object?["problem"]?.object?["code"]?.string == "activityUnknown")
            #expect(lines[4].object?["answer"]?.object?["version"]?.integer == 3)
            #expect(lines[6].object?["problem"]?.object?["field"]?.string == "verb")
            #expect(lines[9].object?["problem"]?.object?["field"]?.string == "x")
            #expect(lines[11].object?["problem"]?.object?["field"]?.string == "ifMatch")
            #expect(try await rig.call(.get, "/v1/activities/a")["contentState", "n"]?.integer == 3)
            #expect(try await rig.call(.get, "/v1/activities/c").text.contains("1.50"))
        }
    }

    @Test func `A line with a NUL character is refused alone`() async throws {
        try await Rig.run { rig in
            let (reply, lines) = try await send(
                rig,
                [
                    Self.start("a"), #"{"name":"zz","verb":"update","definition":"\u0000"}"#,
                    #"{"name":"a\u0000","verb":"end"}"#, Self.update("a", 1),
                ])
            #expect(reply.status == 200)
            #expect(statuses(lines) == [202, 422, 422, 202])
            #expect(lines[1].object?["problem"]?.object?["field"]?.string == "definition")
            #expect(lines[2].object?["problem"]?.object?["field"]?.string == "name")
        }
    }

    @Test func `A request that comes again does what was not done, and nothing twice`() async throws {
        try await Rig.run { rig in
            let key = ["Idempotency-Key": "k"]
            _ = try await send(rig, [Self.start("a")])
            let lines = [
                Self.update("a", 1), Self.update("b", 1), Self.update("a", 2, more: #","idempotencyKey":"own""#),
            ]
            let first = try await send(rig, lines, headers: key).lines
            #expect(statuses(first) == [202, 404, 202])
            _ = try await send(rig, [Self.start("b")])
            let second = try await send(rig, lines, headers: key).lines
            #expect(statuses(second) == [202, 202, 202])
            #expect(second[0] == first[0])
            #expect(second[2] == first[2])
            #expect(try await rig.call(.get, "/v1/activities/a")["version"]?.integer == 3)
            // A line's own key holds in any request, and for that line alone.
            let alone = try await send(rig, [lines[2]]).lines
            #expect(alone[0].object?["answer"] == first[2].object?["answer"])
            let other = try await send(rig, [Self.update("a", 7)], headers: key).lines
            #expect(other[0].object?["problem"]?.object?["code"]?.string == "idempotencyConflict")
        }
    }

    @Test func `A dry run does nothing, and definitions are filled line by line`() async throws {
        try await Rig.run { rig in
            let definition = #"{"parameters":{"n":{"kind":"integer"}},"declaration":{"contentState":{"n":"{{n}}"}}}"#
            _ = try await rig.call(.put, "/v1/definitions/score", definition)
            _ = try await send(rig, [Self.start("a")])
            let line = #"{"name":"a","verb":"update","definition":"score","parameters":{"n":N}}"#
            let tried = try await send(rig, [line.replacing("N", with: "8")], query: "?dryRun=true").lines
            #expect(tried[0].object?["answer"]?.object?["dryRun"]?.bool == true)
            let done = try await send(rig, ["8", #""x""#].map { line.replacing("N", with: $0) }).lines
            #expect(statuses(done) == [202, 422])
            #expect(try await rig.call(.get, "/v1/activities/a")["version"]?.integer == 2)
        }
    }

    @Test func `Requests and lines have their limits`() async throws {
        try await Rig.run { rig in
            _ = try await send(rig, [Self.start("a")])
            let many = Array(repeating: "{}", count: 20_001)
            #expect(try await send(rig, many).reply.code == "bodyTooLarge")
            let long = Self.update("a", 1, more: #","asOf":"\#(String(repeating: "x", count: 65_536))""#)
            #expect(statuses(try await send(rig, [long]).lines) == [413])
            #expect(try await send(rig, []).lines == [])
            let json = try await rig.call(.post, "/v1/declarations", Self.update("a", 1))
            #expect(json.code == "contentTypeUnsupported")
            let wide = (0..<300).map { Self.start("w\($0)") }
            #expect(statuses(try await send(rig, wide).lines) == Array(repeating: 202, count: 300))
        }
    }

    @Test func `Each line counts as a call, and from the first one beyond the limit on nothing is done`() async throws {
        var limits = CallLimits()
        limits.keyCallsPerHour = 6
        try await Rig.run(limits: limits) { rig in
            let lines = [Self.start("a"), "{broken"] + (1...6).map { Self.update("a", $0) }
            let (reply, answers) = try await send(rig, lines, headers: ["Idempotency-Key": "k"])
            #expect(reply.status == 200)
            // A line that is none is a call that is none, and counts.
            #expect(statuses(answers) == [202, 400, 202, 202, 202, 202, 429, 429])
            let problem = answers[7].object?["problem"]?.object
            #expect(problem?["code"]?.string == "tooManyCalls")
            #expect(problem?["detail"]?.string?.contains("600 seconds") == true)
            let remaining = try #require(HTTPField.Name("x-ratelimit-remaining"))
            #expect(reply.headers[remaining] == "0")
            #expect(try await rig.call(.get, "/v1/activities/a").status == 429)
            rig.clock.advance(3_600)
            // What was not done is done when it comes again, and the rest is no second call's worth of work.
            let again = try await send(rig, lines, headers: ["Idempotency-Key": "k"]).lines
            #expect(statuses(again) == [202, 400, 202, 202, 202, 202, 429, 429])
            rig.clock.advance(3_600)
            let rest = try await send(rig, Array(lines.dropFirst(6))).lines
            #expect(statuses(rest) == [202, 202])
            #expect(try await rig.call(.get, "/v1/activities/a")["contentState", "n"]?.integer == 6)
        }
    }

    @Test func `What waits for its time keeps later lines of its activity waiting, and no others`() async throws {
        try await Rig.run(over: BusyStore.init) { rig, store in
            _ = try await send(rig, [Self.start("a"), Self.start("b")])
            let key = ["Idempotency-Key": "k"]
            let lines = [Self.update("a", 1), Self.update("a", 2), Self.update("b", 3), Self.update("a", 4)]
            store.refuseNext()
            let first = try await send(rig, lines, headers: key).lines
            #expect(statuses(first) == [503, 503, 202, 503])
            #expect(first[3].object?["problem"] == first[0].object?["problem"])
            let second = try await send(rig, lines, headers: key).lines
            #expect(statuses(second) == [202, 202, 202, 202])
            #expect(try await rig.call(.get, "/v1/activities/a")["contentState", "n"]?.integer == 4)
        }
    }

    @Test func `Lines count for the app, too, and one line alone is one call`() async throws {
        var limits = CallLimits()
        limits.appCallsPerHour = 3
        try await Rig.run(limits: limits) { rig in
            let first = try await send(rig, [Self.start("a")]).lines
            #expect(statuses(first) == [202])
            let beyond = try await send(rig, (1...3).map { Self.update("a", $0) }).lines
            #expect(statuses(beyond) == [202, 202, 429])
            rig.clock.advance(1_200)
            let later = try await send(rig, [Self.update("a", 9)]).lines
            #expect(statuses(later) == [202])
        }
    }
}
