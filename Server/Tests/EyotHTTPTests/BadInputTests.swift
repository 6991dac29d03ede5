import EyotContract
import HTTPTypes
import Testing

/// One request that is wrong in one way, and how it is answered.
struct BadInput: Sendable, CustomStringConvertible {
    var name: String
    var method = HTTPRequest.Method.post
    var path: String
    var body: String?
    var bytes: [UInt8]?
    var headers: [String: String] = [:]
    var status: Int
    var code: String
    var field: String?

    var description: String { name }

    init(
        _ name: String, _ method: HTTPRequest.Method, _ path: String, _ body: String? = nil, bytes: [UInt8]? = nil,
        headers: [String: String] = [:], is status: Int, _ code: String, _ field: String? = nil
    ) {
        (self.name, self.method, self.path, self.body, self.bytes) = (name, method, path, body, bytes)
        (self.headers, self.status, self.code, self.field) = (headers, status, code, field)
    }

    init(
        _ name: String, _ path: String, _ body: String? = nil, bytes: [UInt8]? = nil, headers: [String: String] = [:],
        is status: Int, _ code: String, _ field: String? = nil
    ) {
        self.init(name, .post, path, body, bytes: bytes, headers: headers, is: status, code, field)
    }
}

extension BadInput {
    private static let started = "/v1/activities/final/start"
    private static let updated = "/v1/activities/final/update"
    private static let ended = "/v1/activities/final/end"

    /// A start's body with members replaced or, where nil, taken away.
    private static func start(_ changes: [String: String?]) -> String {
        var members: [(String, String)] = [
            ("type", #""Match""#), ("attributes", "{}"), ("contentState", "{}"), ("alert", Body.alert),
            ("audience", #""all""#),
        ]
        members.removeAll { changes.keys.contains($0.0) }
        for case (let name, let value?) in changes { members.append((name, value)) }
        return "{" + members.map { #""\#($0.0)":\#($0.1)"# }.joined(separator: ",") + "}"
    }

    private static func update(_ members: String) -> String { #"{"contentState":{},\#(members)}"# }

    static let json: [BadInput] = [
        .init("broken JSON", updated, #"{"contentState":"#, is: 400, "jsonInvalid"),
        .init("no body at all", updated, "", is: 400, "jsonInvalid"),
        .init("text after the value", updated, #"{"contentState":{}} x"#, is: 400, "jsonInvalid"),
        .init("a name twice", updated, #"{"contentState":{},"contentState":{}}"#, is: 400, "jsonInvalid"),
        .init("NaN", updated, #"{"contentState":{"n":NaN}}"#, is: 400, "jsonInvalid"),
        .init(
            "not UTF-8", updated, bytes: Array(#"{"contentState":{"a":""#.utf8) + [0xFF] + Array("\"}}".utf8), is: 400,
            "jsonInvalid"),
        .init(
            "deep nesting", updated,
            #"{"contentState":"# + String(repeating: #"{"a":"#, count: 10_000) + "1"
                + String(repeating: "}", count: 10_001), is: 400, "jsonInvalid"),
        .init("an array as body", updated, "[]", is: 422, "fieldMistyped"),
        .init(
            "a body over the limit", updated, String(repeating: " ", count: 6 * 1_048_576 + 1), is: 413, "bodyTooLarge"),
        .init(
            "no content type", updated, Body.update, headers: ["Content-Type": ""], is: 415, "contentTypeUnsupported",
            "Content-Type"),
        .init(
            "a form", updated, "a=b", headers: ["Content-Type": "application/x-www-form-urlencoded"], is: 415,
            "contentTypeUnsupported", "Content-Type"),
        .init(
            "a compressed body", updated, Body.update, headers: ["Content-Encoding": "gzip"], is: 415,
            "contentEncodingUnsupported", "Content-Encoding"),
        .init("NUL in a member", updated, #"{"definition":"\u0000"}"#, is: 422, "fieldInvalid", "definition"),
        .init(
            "NUL in a state", updated, #"{"contentState":{"clock":["4","\u0000"]}}"#, is: 422, "fieldInvalid",
            "contentState.clock[1]"),
        .init(
            "NUL in the name of a member", updated, #"{"contentState":{"a\u0000":1}}"#, is: 422, "fieldInvalid",
            "contentState"),
        .init(
            "NUL in what is restored", "/v1/tokens/restore", #"{"activity":"\u0000"}"#, is: 422, "fieldInvalid",
            "activity"),
        .init(
            "another charset", updated, Body.update, headers: ["Content-Type": "application/json; charset=latin1"],
            is: 415,
            "contentTypeUnsupported", "Content-Type"),
    ]

    static let kinds: [BadInput] = [
        .init("an unknown field", updated, update(#""contentsState":{}"#), is: 422, "fieldUnknown", "contentsState"),
        .init("a state that is text", updated, #"{"contentState":"2-1"}"#, is: 422, "fieldMistyped", "contentState"),
        .init("a state that is a list", updated, #"{"contentState":[1]}"#, is: 422, "fieldMistyped", "contentState"),
        .init("a state that is null", updated, #"{"contentState":null}"#, is: 422, "fieldMissing", "contentState"),
        .init(
            "attributes that are text", started, start(["attributes": #""x""#]), is: 422, "fieldMistyped", "attributes"),
        .init("a type that is a number", started, start(["type": "1"]), is: 422, "fieldMistyped", "type"),
        .init("an empty type", started, start(["type": #""""#]), is: 422, "fieldInvalid", "type"),
        .init("an alert that is text", updated, update(#""alert":"goal""#), is: 422, "fieldMistyped", "alert"),
        .init(
            "an alert's title that is a number", updated, update(#""alert":{"title":1,"body":"b"}"#), is: 422,
            "fieldMistyped", "alert.title"),
        .init(
            "a misspelt key of the alert", updated, update(#""alert":{"titel":"t","body":"b"}"#), is: 422,
            "fieldUnknown",
            "alert.titel"),
        .init("an empty alert", updated, update(#""alert":{}"#), is: 422, "alertIncomplete", "alert.title"),
        .init(
            "a priority that Apple does not name", updated, update(#""priority":7"#), is: 422, "fieldInvalid",
            "priority"),
        .init("a priority as text", updated, update(#""priority":"10""#), is: 422, "fieldMistyped", "priority"),
        .init(
            "a relevance that is no number", updated, update(#""relevanceScore":"high""#), is: 422, "fieldMistyped",
            "relevanceScore"),
        .init(
            "a relevance beyond all doubles", updated, update(#""relevanceScore":1e999"#), is: 422, "fieldInvalid",
            "relevanceScore"),
        .init(
            "a huge relevance", updated, update(#""relevanceScore":1e300"#), is: 422, "fieldInvalid", "relevanceScore"),
        .init(
            "urgent as a number", updated, update(#""alert":\#(Body.alert),"urgent":1"#), is: 422, "fieldMistyped",
            "urgent"
        ),
        .init(
            "an alert's lifetime of nothing", updated, update(#""alert":\#(Body.alert),"alertLifetime":0"#), is: 422,
            "fieldInvalid", "alertLifetime"),
        .init("an update with attributes", updated, update(#""attributes":{}"#), is: 422, "fieldInvalid", "attributes"),
        .init("an update with an audience", updated, update(#""audience":"all""#), is: 422, "fieldInvalid", "audience"),
        .init(
            "an update with a dismissal date", updated, update(#""dismissalDate":"2022-12-18T16:00:00Z""#), is: 422,
            "fieldInvalid", "dismissalDate"),
        .init(
            "whom to start and whom it concerns", .put, "/v1/activities/final",
            start(["scope": #"{"user":"a"}"#]), is: 422, "fieldInvalid", "scope"),
        .init("a start with a scope", started, start(["scope": #""all""#]), is: 422, "fieldInvalid", "scope"),
        .init(
            "an end that ends later", ended, #"{"endsAt":"2022-12-18T16:00:00Z"}"#, is: 422, "fieldInvalid", "endsAt"),
    ]

    static let needs: [BadInput] = [
        .init("a start without a type", started, start(["type": nil]), is: 422, "fieldMissing", "type"),
        .init("a start without attributes", started, start(["attributes": nil]), is: 422, "fieldMissing", "attributes"),
        .init(
            "a start without a state", started, start(["contentState": nil]), is: 422, "fieldMissing", "contentState"),
        .init("a start without an alert", started, start(["alert": nil]), is: 422, "alertIncomplete", "alert"),
        .init(
            "a start whose alert has no body", started, start(["alert": #"{"title":"t"}"#]), is: 422, "alertIncomplete",
            "alert.body"),
        .init(
            "a start whose alert says nothing", started, start(["alert": #"{"title":"","body":""}"#]), is: 422,
            "alertIncomplete", "alert.title"),
        .init("a start without an audience", started, start(["audience": nil]), is: 422, "audienceMissing", "audience"),
        .init("an update without a state", updated, "{}", is: 422, "fieldMissing", "contentState"),
        .init(
            "a declaration that starts, without an alert", .put, "/v1/activities/other", start(["alert": nil]), is: 422,
            "alertIncomplete", "alert"),
        .init(
            "a declaration without a state", .put, "/v1/activities/final", "{}", is: 422, "fieldMissing", "contentState"
        ),
        .init(
            "a payload that is too large", started,
            start(["contentState": #"{"a":"\#(String(repeating: "x", count: 4_096))"}"#]), is: 413, "payloadTooLarge",
            "contentState"),
        .init(
            "attributes that are too large", started,
            start(["attributes": #"{"a":"\#(String(repeating: "x", count: 4_096))"}"#]), is: 413, "payloadTooLarge",
            "attributes"),
        .init(
            "an update of an unknown activity", "/v1/activities/nobody/update", Body.update, is: 404, "activityUnknown"),
        .init("an end of an unknown activity", "/v1/activities/nobody/end", "{}", is: 404, "activityUnknown"),
        .init(
            "a scope where there is nobody", .put, "/v1/activities/nobody", #"{"contentState":{},"scope":"all"}"#,
            is: 422,
            "scopeWithoutActivity", "scope"),
        .init("an update under another type", updated, update(#""type":"Taxi""#), is: 409, "typeMismatch", "type"),
    ]

    static let dates: [BadInput] = [
        .init(
            "a date without a zone", updated, update(#""staleDate":"2022-12-18T16:00:00""#), is: 422, "fieldInvalid",
            "staleDate"),
        .init("a date as seconds", updated, update(#""staleDate":1671379200"#), is: 422, "fieldMistyped", "staleDate"),
        .init(
            "a day that does not exist", updated, update(#""staleDate":"2022-02-30T16:00:00Z""#), is: 422,
            "fieldInvalid",
            "staleDate"),
        .init(
            "a stale date in 1970", updated, update(#""staleDate":"1970-01-01T00:00:00Z""#), is: 422, "dateOutOfRange",
            "staleDate"),
        .init(
            "an end that is past", updated, update(#""endsAt":"2022-12-18T14:59:59Z""#), is: 422, "dateOutOfRange",
            "endsAt"
        ),
        .init(
            "an end in months", updated, update(#""endsAt":"2023-03-01T00:00:00Z""#), is: 422, "dateOutOfRange",
            "endsAt"),
        .init(
            "a truth of tomorrow", updated, update(#""asOf":"2022-12-19T15:00:00Z""#), is: 422, "dateOutOfRange", "asOf"
        ),
    ]

    static let audiences: [BadInput] = [
        .init("an audience that is a number", started, start(["audience": "5"]), is: 422, "fieldMistyped", "audience"),
        .init(
            "an audience of another word", started, start(["audience": #""everyone""#]), is: 422, "fieldInvalid",
            "audience"
        ),
        .init("an empty audience", started, start(["audience": "{}"]), is: 422, "fieldInvalid", "audience"),
        .init(
            "two selectors side by side", started, start(["audience": #"{"tag":"a","user":"b"}"#]), is: 422,
            "fieldInvalid",
            "audience"),
        .init(
            "an unknown selector", started, start(["audience": #"{"and":[{"tribe":"a"}]}"#]), is: 422, "fieldUnknown",
            "audience.and[0].tribe"),
        .init(
            "a tag that is a number", started, start(["audience": #"{"tag":["a",1]}"#]), is: 422, "fieldMistyped",
            "audience.tag[1]"),
        .init("no tags", started, start(["audience": #"{"tag":[]}"#]), is: 422, "fieldInvalid", "audience.tag"),
        .init(
            "a device that cannot be", started, start(["audience": #"{"device":"x"}"#]), is: 422, "fieldInvalid",
            "audience.device"),
        .init(
            "an OS by a number that does not tell phones apart", started,
            start(["audience": #"{"osAtLeast":"26.0.1"}"#]), is: 422, "fieldInvalid", "audience.osAtLeast"),
        .init(
            "an OS that cannot be", started, start(["audience": #"{"osAtLeast":"new"}"#]), is: 422, "fieldInvalid",
            "audience.osAtLeast"),
        .init(
            "an audience that is too large", started,
            start(["audience": #"{"tag":[\#(Array(repeating: #""a""#, count: 1_001).joined(separator: ","))]}"#]),
            is: 422,
            "fieldInvalid", "audience.tag[1000]"),
        .init("a scope of nothing", updated, update(#""scope":{"or":[]}"#), is: 422, "fieldInvalid", "scope.or"),
    ]

    static let places: [BadInput] = [
        .init(
            "attributes that name another activity", started, start(["attributes": #"{"eyotActivityName":"semi"}"#]),
            is: 422, "fieldInvalid", "attributes.eyotActivityName"),
        .init("a path of nothing", .get, "/v1/nothing", is: 404, "routeUnknown"),
        .init("a wrong method", .delete, "/v1/activities/final", is: 405, "methodNotAllowed"),
        .init(
            "a name that is too long", "/v1/activities/\(String(repeating: "a", count: 257))/update", Body.update,
            is: 422,
            "fieldInvalid", "name"),
        .init("a name with a line break", "/v1/activities/a%0Ab/update", Body.update, is: 422, "fieldInvalid", "name"),
        .init("a name with NUL", "/v1/activities/a%00/update", Body.update, is: 422, "fieldInvalid", "name"),
        .init("a name that is not UTF-8", "/v1/activities/%FF/update", Body.update, is: 422, "fieldInvalid", "name"),
        .init("a name with a broken escape", "/v1/activities/%4/update", Body.update, is: 422, "fieldInvalid", "name"),
        .init("an unknown parameter", .get, "/v1/devices?page=2", is: 422, "fieldUnknown", "page"),
        .init("a parameter twice", .get, "/v1/devices?limit=1&limit=2", is: 422, "fieldInvalid", "limit"),
        .init("a limit of nothing", .get, "/v1/devices?limit=0", is: 422, "fieldInvalid", "limit"),
        .init("a limit that is too large", .get, "/v1/devices?limit=1001", is: 422, "fieldInvalid", "limit"),
        .init("a page that cannot be", .get, "/v1/devices?after=x", is: 422, "fieldInvalid", "after"),
        .init("an unknown activity", .get, "/v1/activities/nobody", is: 404, "activityUnknown"),
        .init("replicas of an unknown activity", .get, "/v1/activities/nobody/replicas", is: 404, "activityUnknown"),
        .init("an unknown operation", .get, "/v1/operations/99", is: 404, "operationUnknown"),
        .init("an operation that cannot be", .get, "/v1/operations/x", is: 404, "operationUnknown"),
        .init("an unknown user", .get, "/v1/users/nobody", is: 404, "userUnknown"),
        .init("an unknown error", .get, "/v1/errors/nothing", is: 404, "routeUnknown", "code"),
        .init(
            "an entity tag that is none", updated, Body.update, headers: ["If-Match": "newest"], is: 422,
            "fieldInvalid",
            "If-Match"),
        .init(
            "an entity tag that must not be", updated, Body.update, headers: ["If-None-Match": #""1-1""#], is: 422,
            "fieldInvalid", "If-None-Match"),
        .init(
            "two conditions", updated, Body.update, headers: ["If-None-Match": "*", "If-Match": "*"], is: 422,
            "fieldInvalid", "If-None-Match"),
        .init(
            "an idempotency key with a space", updated, Body.update, headers: ["Idempotency-Key": "a b"], is: 422,
            "fieldInvalid", "Idempotency-Key"),
        .init(
            "an idempotency key that is too long", updated, Body.update,
            headers: ["Idempotency-Key": String(repeating: "k", count: 256)], is: 422, "fieldInvalid", "Idempotency-Key"
        ),
        .init("tags that are text", .put, "/v1/users/u", #"{"tags":"a"}"#, is: 422, "fieldMistyped", "tags"),
        .init("nothing to merge", .patch, "/v1/users/u", "{}", is: 422, "fieldMissing", "tags"),
        .init("an empty tag", .put, "/v1/users/u", #"{"tags":["a",""]}"#, is: 422, "fieldInvalid", "tags[1]"),
        .init(
            "too many tags", .put, "/v1/users/u",
            #"{"tags":[\#((0...200).map { "\"\($0)\"" }.joined(separator: ","))]}"#, is: 422, "fieldInvalid", "tags"),
        .init("a key without a name", "/v1/keys", "{}", is: 422, "fieldMissing", "name"),
        .init("revoking an unknown key", .delete, "/v1/keys/99", is: 404, "keyUnknown"),
    ]

    static let all = json + kinds + needs + dates + audiences + places
}

@Suite("Bad input")
struct BadInputTests {
    @Test("It is named, and changes nothing", arguments: BadInput.all)
    func isNamed(_ input: BadInput) async throws {
        try await Rig.run { rig in
            try await rig.phone("one")
            #expect(try await rig.call(.post, "/v1/activities/final/start", Body.start).status == 202)
            let commits = await rig.store.commits
            let reply = try await rig.call(
                input.method, input.path, input.body, headers: input.headers, bytes: input.bytes)
            #expect(reply.status == input.status, "\(reply.text)")
            #expect(reply.code == input.code, "\(reply.text)")
            #expect(reply.field == input.field, "\(reply.text)")
            #expect(reply.headers[.contentType] == "application/problem+json")
            #expect(reply["type"]?.string == "/v1/errors/\(input.code)")
            for member in ["title", "detail", "cause", "remedy"] { #expect(reply[member]?.string?.isEmpty == false) }
            #expect(reply["status"]?.integer == input.status)
            #expect(await rig.store.commits == commits)
        }
    }

    @Test func `An ended activity takes no update, and no end that says nothing new`() async throws {
        try await Rig.run { rig in
            #expect(try await rig.call(.post, "/v1/activities/final/start", Body.start).status == 202)
            #expect(try await rig.call(.post, "/v1/activities/final/end", "{}").status == 202)
            let commits = await rig.store.commits
            for (verb, body) in [("update", Body.update), ("end", "{}")] {
                let reply = try await rig.call(.post, "/v1/activities/final/\(verb)", body)
                #expect(reply.status == 409)
                #expect(reply.code == "activityEnded")
            }
            #expect(await rig.store.commits == commits)
        }
    }

    @Test func `A payload of exactly Apple's limit is taken, one byte more is not`() async throws {
        try await Rig.run { rig in
            _ = try await rig.call(.post, "/v1/activities/final/start", Body.start)
            func update(_ count: Int) async throws -> Reply {
                try await rig.call(
                    .post, "/v1/activities/final/update",
                    #"{"contentState":{"a":"\#(String(repeating: "x", count: count))"}}"#)
            }
            let frame = #"{"aps":{"timestamp":0000000000,"event":"update","content-state":{"a":""}}}"#.utf8.count
            #expect(try await update(4_096 - frame).status == 202)
            let refused = try await update(4_097 - frame)
            #expect(refused.code == "payloadTooLarge")
            #expect(refused["detail"]?.string?.contains("4097") == true)
        }
    }
}
