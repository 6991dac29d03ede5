import EyotContract
import EyotTestKit
import Testing

/// Each kind of break, planted in a small API.
@Suite("Clients of an older API")
struct ClientComparisonTests {
    private static let old = """
        {"paths":{"/v1/cards/{id}":{"post":{
          "x-eyot-scopes":["write"],
          "parameters":[{"in":"path","name":"id","required":true,"schema":{"type":"string"}},
            {"in":"query","name":"limit","schema":{"type":"integer","maximum":100}}],
          "requestBody":{"content":{"application/json":{"schema":{"$ref":"#/components/schemas/Card"}}}},
          "responses":{"200":{"content":{"application/json":{"schema":{"$ref":"#/components/schemas/Answer"}}}}}},
         "get":{"responses":{"200":{"description":"none"}}}}},
         "components":{"schemas":{
          "Card":{"type":"object","additionalProperties":false,"required":["name"],"properties":{
            "name":{"type":"string"},"kind":{"type":"string","enum":["goal","card"]},
            "score":{"type":["integer","null"]},"parent":{"$ref":"#/components/schemas/Card"},
            "to":{"anyOf":[{"type":"string"},{"type":"integer"}]}}},
          "Answer":{"type":"object","required":["id"],"properties":{"id":{"type":"string"},
            "warnings":{"type":"array","items":{"type":"object","properties":{"code":{"type":"string"}}}}}},
          "Problem":{"type":"object","properties":{"code":{"type":"string","enum":["fieldWrong","keyInvalid"]}}}}}}
        """

    /// A change of the text, and the sentence about it.
    static let breaks: [(from: String, to: String, sentence: String)] = [
        ("/v1/cards/{id}", "/v2/cards/{id}", "/v1/cards/{id}: the path is gone"),
        (#""get":"#, #""put":"#, "GET /v1/cards/{id}: the method is gone"),
        (#"["write"]"#, #"["write","admin"]"#, "POST /v1/cards/{id}: needs the scope admin now"),
        (#""name":"limit","#, #""name":"count","#, "POST /v1/cards/{id}: the parameter query limit is gone"),
        (
            #""name":"limit","#, #""name":"limit","required":true,"#,
            "POST /v1/cards/{id}: the parameter query limit is required now"
        ),
        (#""maximum":100"#, #""maximum":50"#, "POST /v1/cards/{id}: query limit: maximum is 50.0 now"),
        (
            #""requestBody":{"content""#, #""requestBody":{"required":true,"content""#,
            "POST /v1/cards/{id}: a body is required now"
        ),
        (
            #""requestBody":{"content":{"application/json""#, #""requestBody":{"content":{"text/plain""#,
            "POST /v1/cards/{id}: a body of application/json is not taken any more"
        ),
        (#"["name"]"#, #"["name","kind"]"#, "POST /v1/cards/{id}: body.kind is required now"),
        (#""kind":{"#, #""sort":{"#, "POST /v1/cards/{id}: body.kind is gone"),
        (#"["goal","card"]"#, #"["goal"]"#, #"POST /v1/cards/{id}: body.kind: "card" is not taken any more"#),
        (
            #""name":{"type":"string"}"#, #""name":{"type":"string","enum":["a"]}"#,
            "POST /v1/cards/{id}: body.name: takes only some words now"
        ),
        (
            #"["integer","null"]"#, #""integer""#,
            "POST /v1/cards/{id}: body.score: the type was integer or null and is integer"
        ),
        (
            #"[{"type":"string"},{"type":"integer"}]"#, #"[{"type":"integer"}]"#,
            "POST /v1/cards/{id}: body.to: alternative 1 is not taken any more"
        ),
        (#"{"200":{"content""#, #"{"202":{"content""#, "POST /v1/cards/{id}: the status 200 is gone"),
        (
            #""id":{"type":"string"}"#, #""key":{"type":"string"}"#,
            "POST /v1/cards/{id}: 200.id is gone"
        ),
        (#""required":["id"],"#, "", "POST /v1/cards/{id}: 200.id may be absent now"),
        (
            #""id":{"type":"string"}"#, #""id":{"type":["string","integer"]}"#,
            "POST /v1/cards/{id}: 200.id: the type was string and is integer or string"
        ),
        (
            #""properties":{"code":{"type":"string"}}}}"#, #""properties":{"word":{"type":"string"}}}}"#,
            "POST /v1/cards/{id}: 200.warnings[].code is gone"
        ),
        (#"["fieldWrong","keyInvalid"]"#, #"["fieldWrong"]"#, "error code keyInvalid is gone"),
    ]

    private static func breaks(from old: String = old, to new: String) throws -> [String] {
        try ClientComparison(old: JSONValue(parsing: Array(old.utf8)), new: JSONValue(parsing: Array(new.utf8))).breaks
    }

    @Test("A break is found, and nothing else", arguments: breaks)
    func found(from: String, to: String, sentence: String) throws {
        let new = Self.old.replacing(from, with: to, maxReplacements: 1)
        try #require(new != Self.old)
        #expect(try Self.breaks(to: new) == [sentence])
    }

    @Test(
        "What adds is no break",
        arguments: [
            (#""get":"#, #""put":{},"get":"#), (#"["goal","card"]"#, #"["goal","card","end"]"#),
            (#""maximum":100"#, #""maximum":200"#),
            (#"["fieldWrong","keyInvalid"]"#, #"["fieldWrong","keyInvalid","diskFull"]"#),
            (#""id":{"type":"string"}"#, #""id":{"type":"string"},"more":{"type":"string"}"#),
            (#""required":["name"],"#, ""), (#"["write"]"#, "[]"),
            (#"{"type":"string"},{"type":"integer"}]"#, #"{"type":"string"},{"type":"number"}]"#),
        ])
    func added(from: String, to: String) throws {
        let new = Self.old.replacing(from, with: to, maxReplacements: 1)
        try #require(new != Self.old)
        #expect(try Self.breaks(to: new) == [])
    }
}
