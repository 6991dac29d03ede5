import EyotContract
import EyotDomain
import EyotEngine
import HTTPTypes
import Testing

@Suite("Repeated requests")
struct IdempotencyTests {
    /// One call of the control plane that changes something.
    struct Change: Sendable, CustomTestStringConvertible {
        var path: String
        var body: String?
        /// Another body of the same call; nil where it takes none.
        var other: String?

        var testDescription: String { path }
    }

    /// Every POST of the control plane. Those that show a secret have a test of their own.
    static let changes: [Change] = [
        Change(
            path: "/v1/activities/final/start", body: Body.start,
            other: Body.start.replacing(#""n":1"#, with: #""n":9"#)),
        Change(path: "/v1/activities/final/update", body: Body.update, other: #"{"contentState":{"n":9}}"#),
        Change(path: "/v1/activities/final/end", body: "{}", other: #"{"contentState":{"n":9}}"#),
        Change(path: "/v1/activities/final/halt"), Change(path: "/v1/activities/final/resume"),
        Change(path: "/v1/types/Match/halt"), Change(path: "/v1/types/Match/resume"),
        Change(path: "/v1/apps/org.example.match/halt"), Change(path: "/v1/apps/org.example.match/resume"),
        Change(path: "/v1/tokens/restore", body: #"{"all":true}"#, other: #"{"activity":"final"}"#),
    ]

    private static let key = ["Idempotency-Key": "k"]

    @Test("The same key and body get the first answer, and act once", arguments: changes)
    func repeats(_ change: Change) async throws {
        try await Rig.run { rig in
            #expect(try await rig.call(.post, "/v1/activities/final/start", Body.start).status == 202)
            let first = try await rig.call(.post, change.path, change.body, headers: Self.key)
            #expect((200..<300).contains(first.status), "\(first.text)")
            rig.clock.advance(3_600)
            _ = try await rig.call(.put, "/v1/activities/final", #"{"contentState":{"n":7},"audience":"all"}"#)
            let before = try await rig.call(.get, "/v1/activities/final").etag
            let again = try await rig.call(.post, change.path, change.body, headers: Self.key)
            #expect(again.text == first.text)
            #expect(again.status == first.status)
            #expect(again.etag == first.etag)
            #expect(try await rig.call(.get, "/v1/activities/final").etag == before)
            if let other = change.other {
                let conflict = try await rig.call(.post, change.path, other, headers: Self.key)
                #expect(conflict.code == "idempotencyConflict")
                #expect(conflict.field == "Idempotency-Key")
            }
            let elsewhere = try await rig.call(.post, "/v1/types/Other/halt", headers: Self.key)
            #expect(elsewhere.code == "idempotencyConflict")
        }
    }

    @Test func `A repeated call is answered though what it names is gone and its time has passed`() async throws {
        try await Rig.run { rig in
            let fans = try await rig.call(.put, "/v1/segments/early", #"{"audience":{"tag":"fans"}}"#)
            #expect(fans.status < 300, "\(fans.text)")
            let start = Body.start.replacing(#""audience":"all""#, with: #""audience":{"segment":"early"}"#)
            #expect(start != Body.start)
            let first = try await rig.call(.post, "/v1/activities/final/start", start, headers: Self.key)
            #expect(first.status == 202, "\(first.text)")
            #expect(try await rig.call(.delete, "/v1/segments/early").status == 204)
            let again = try await rig.call(.post, "/v1/activities/final/start", start, headers: Self.key)
            #expect(again.status == 202)
            #expect(again.text == first.text)
        }
    }

    @Test func `A call that shows a secret acts once, and shows it once`() async throws {
        try await Rig.run { rig in
            let first = try await rig.call(.post, "/v1/keys", #"{"name":"ci"}"#, headers: Self.key)
            #expect(first.status == 201)
            let secret = try #require(first["key"]?.string)
            let again = try await rig.call(.post, "/v1/keys", #"{"name":"ci"}"#, headers: Self.key)
            #expect(again.status == 409)
            #expect(again.code == "answerNotKept")
            #expect(again["detail"]?.string?.contains("key \(first["id"]?.string ?? "?"),") == true, "\(again.text)")
            #expect(!again.text.contains(secret))
            #expect(again.headers[.contentType] == "application/problem+json")
            #expect(try await rig.call(.get, "/v1/keys")["keys"]?.array?.count == 2)
            #expect(try await rig.call(.get, "/v1/devices", key: secret).status == 200)
        }
    }

    @Test func `The operator's calls are told apart from those of apps`() async throws {
        try await Rig.run { rig in
            let body = #"{"bundleID":"org.example.third","name":"Third"}"#
            let made = try await rig.call(.post, "/v1/apps", body, key: rig.operatorKey, headers: Self.key)
            #expect(made.status == 201)
            let again = try await rig.call(.post, "/v1/apps", body, key: rig.operatorKey, headers: Self.key)
            #expect(again.code == "answerNotKept")
            #expect(try await rig.call(.post, "/v1/types/T/halt", headers: Self.key).status == 200)
            #expect(try await rig.call(.post, "/v1/types/U/halt", key: rig.other.api, headers: Self.key).status == 200)
        }
    }

    @Test func `A key is good again after a day, and what was refused is judged anew`() async throws {
        try await Rig.run { rig in
            let path = "/v1/activities/final/update"
            let refused = try await rig.call(.post, path, Body.update, headers: Self.key)
            #expect(refused.code == "activityUnknown")
            #expect(try await rig.call(.post, "/v1/activities/final/start", Body.start).status == 202)
            #expect(try await rig.call(.post, path, Body.update, headers: Self.key)["version"]?.integer == 2)
            rig.clock.advance(86_399)
            #expect(try await rig.call(.post, path, Body.update, headers: Self.key)["version"]?.integer == 2)
            rig.clock.advance(2)
            let other = #"{"contentState":{"n":9}}"#
            #expect(try await rig.call(.post, path, other, headers: Self.key)["version"]?.integer == 3)
        }
    }

    @Test func `Of many that come at once one acts`() async throws {
        try await Rig.run { rig in
            #expect(try await rig.call(.post, "/v1/activities/final/start", Body.start).status == 202)
            let texts = try await withThrowingTaskGroup(of: String.self) { group in
                for _ in 0..<20 {
                    group.addTask {
                        try await rig.call(.post, "/v1/activities/final/update", Body.update, headers: Self.key).text
                    }
                }
                return try await group.reduce(into: Set<String>()) { $0.insert($1) }
            }
            #expect(texts.count == 1)
            #expect(try await rig.call(.get, "/v1/activities/final")["version"]?.integer == 2)
        }
    }

    @Test func `Answers that are older than a day go with the next round of the pruner`() async throws {
        try await Rig.run { rig in
            for number in 1...5 {
                _ = try await rig.call(.post, "/v1/types/T/halt", headers: ["Idempotency-Key": "k\(number)"])
            }
            rig.clock.advance(90_000)
            _ = try await rig.call(.post, "/v1/types/T/resume", headers: Self.key)
            let now = rig.clock.now
            try await rig.store.write { ledger in
                _ = try Prune(Transaction(ledger, at: now), retention: Retention())(.audit)
                let app = try #require(try ledger.app(bundleID: "org.example.match")).id
                for number in 1...5 { #expect(try ledger.answeredRequest(key: "k\(number)", of: app) == nil) }
                #expect(try ledger.answeredRequest(key: "k", of: app) != nil)
            }
        }
    }
}
