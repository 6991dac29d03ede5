import EyotCommands
import EyotContract
import EyotDomain
import Testing

@Suite("Audiences as JSON")
struct AudienceTests {
    static let forms: [(String, Audience)] = [
        (#""all""#, .all),
        (#"{"tag":"fans"}"#, .tag("fans")),
        (#"{"tag":["a","b"]}"#, .or([.tag("a"), .tag("b")])),
        (#"{"user":"u1"}"#, .user("u1")),
        (#"{"user":["u1","u2"]}"#, .users(["u1", "u2"])),
        (#"{"device":["1","2"]}"#, .devices([DeviceID(rawValue: 1), DeviceID(rawValue: 2)])),
        (#"{"tag":{"name":"fans","group":"sport"}}"#, .tag("fans", group: "sport")),
        (#"{"tag":{"name":"fans","of":"backend"}}"#, .tag("fans", of: .backend)),
        (#"{"tag":["a",{"name":"b","group":"g"}]}"#, .or([.tag("a"), .tag("b", group: "g")])),
        (#"{"alias":{"label":"crm","name":"1"}}"#, .alias(UserAlias(label: "crm", name: "1"))),
        (#"{"type":"Match"}"#, .type("Match")),
        (#"{"osBelow":"18"}"#, .osBelow(OSVersion(18))),
        (#"{"environment":"production"}"#, .environment(.production)),
        (#"{"segment":"early"}"#, .segment("early")),
        (#"{"attribute":{"name":"city","is":"Ankara"}}"#, rule("city", .equals("Ankara"))),
        (#"{"attribute":{"name":"city","of":"device","isNot":true}}"#, .not(rule("city", .equals(true), of: .device))),
        (#"{"attribute":{"name":"n","above":1,"atMost":2.5}}"#, .and([rule("n", .above(1)), rule("n", .atMost(2.5))])),
        (#"{"attribute":{"name":"n","exists":false}}"#, .not(rule("n", .exists))),
        (#"{"attribute":{"name":"t","contains":"x"}}"#, rule("t", .contains("x"))),
        (#"{"attribute":{"name":"d","after":"1970-01-01T00:00:01Z"}}"#, rule("d", .after(.at(Instant(second: 1))))),
        (#"{"attribute":{"name":"d","before":{"daysAgo":-3}}}"#, rule("d", .before(.daysAgo(-3)))),
        (#"{"lastSeen":{"withinDays":7}}"#, .seenAfter(.daysAgo(7))),
        (#"{"lastSeen":{"before":"1970-01-01T00:00:01Z"}}"#, .seenBefore(.at(Instant(second: 1)))),
        (#"{"osAtLeast":"17.2"}"#, .osAtLeast(OSVersion(17, 2))),
        (
            #"{"and":[{"tag":"a"},{"not":{"or":[{"user":"u"},"all"]}}]}"#,
            .and([.tag("a"), .not(.or([.user("u"), .all]))])
        ),
    ]

    private static func rule(
        _ name: String, _ test: AttributeRule.Test, of owner: TraitOwner? = nil
    ) -> Audience {
        .attribute(AttributeRule(name, of: owner, test))
    }

    static let refused: [(String, String)] = [
        (#"{"tag":{"group":"g"}}"#, "audience.tag.name"), (#"{"tag":{"name":"fans","of":"app"}}"#, "audience.tag.of"),
        (#"{"tag":{"name":"fans","group":"g","x":1}}"#, "audience.tag.x"),
        (#"{"alias":"one"}"#, "audience.alias"),
        (#"{"user":[]}"#, "audience.user"),
        (#"{"user":["a",1]}"#, "audience.user[1]"),
        (#"{"device":["1","x"]}"#, "audience.device[1]"),
        (#"{"attribute":{"name":"n"}}"#, "audience.attribute.is"),
        (#"{"attribute":{"name":"n","of":"app","is":1}}"#, "audience.attribute.of"),
        (#"{"attribute":{"name":"n","is":["a"]}}"#, "audience.attribute.is"),
        (#"{"attribute":{"name":"n","matches":"a.*"}}"#, "audience.attribute.is"),
        (#"{"attribute":{"name":"n","contains":""}}"#, "audience.attribute.contains"),
        (#"{"attribute":{"name":"n","before":"yesterday"}}"#, "audience.attribute.before"),
        (#"{"attribute":{"name":"n","before":{"daysAgo":1e9}}}"#, "audience.attribute.before.daysAgo"),
        (#"{"lastSeen":{}}"#, "audience.lastSeen.after"),
        (#"{"lastSeen":{"withinDays":-1}}"#, "audience.lastSeen.withinDays"),
        (#"{"appVersionAtLeast":"beta"}"#, "audience.appVersionAtLeast"),
        (#"{"environment":"test"}"#, "audience.environment"),
    ]

    @Test("What is wrong is named", arguments: refused)
    func refuses(_ json: String, _ field: String) throws {
        let error = #expect(throws: EyotError.self) { try Audience(json: JSONValue(parsing: json), at: "audience") }
        #expect(error?.field == field)
    }

    @Test func `A list of users may be long, and only so long`() throws {
        let users = { (count: Int) -> JSONValue in ["user": .array(Array(repeating: "u", count: count))] }
        _ = try Audience(json: users(Audience.listLimit), at: "audience")
        #expect(throws: EyotError.self) { try Audience(json: users(Audience.listLimit + 1), at: "audience") }
        let half = users(Audience.listLimit / 2 + 1)
        #expect(throws: EyotError.self) { try Audience(json: ["or": [half, half]], at: "audience") }
    }

    @Test("Versions are compared number by number")
    func comparesVersions() throws {
        let texts = [
            "0", "1.2 (9)", "1.2 (27)", "1.2.0.1", "1.9", "1.10", "1.10 (1.2)", "1.10 (1.10)", "2", "20240101.5",
        ]
        let versions = try texts.map { try #require(AppVersion($0)) }
        #expect(versions.sorted() == versions)
        #expect(AppVersion("1.2") == AppVersion("1.02.0 (0)"))
        #expect(AppVersion("v1") == nil && AppVersion("") == nil)
    }

    @Test("Each form is read", arguments: forms)
    func reads(_ json: String, _ audience: Audience) throws {
        #expect(try Audience(json: JSONValue(parsing: json), at: "audience") == audience)
    }

    private func nested(_ levels: Int) -> JSONValue {
        (1..<levels).reduce("all") { inner, _ in ["not": inner] }
    }

    @Test func `Depth and size have limits, and reaching them is allowed`() throws {
        _ = try Audience(json: nested(Audience.depthLimit), at: "audience")
        let deep = #expect(throws: EyotError.self) {
            try Audience(json: nested(Audience.depthLimit + 1), at: "audience")
        }
        #expect(deep?.code == .fieldInvalid)
        let tags = { (count: Int) -> JSONValue in ["tag": .array(Array(repeating: "a", count: count))] }
        _ = try Audience(json: tags(Audience.selectorLimit), at: "audience")
        #expect(throws: EyotError.self) { try Audience(json: tags(Audience.selectorLimit + 1), at: "audience") }
        // Spread over several selectors it is as much.
        let half = Audience.selectorLimit / 2 + 1
        #expect(throws: EyotError.self) { try Audience(json: ["or": [tags(half), tags(half)]], at: "audience") }
    }
}
