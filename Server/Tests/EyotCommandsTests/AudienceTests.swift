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
        (#"{"device":["1","2"]}"#, .or([.device(DeviceID(rawValue: 1)), .device(DeviceID(rawValue: 2))])),
        (#"{"osAtLeast":"17.2"}"#, .osAtLeast(OSVersion(17, 2))),
        (
            #"{"and":[{"tag":"a"},{"not":{"or":[{"user":"u"},"all"]}}]}"#,
            .and([.tag("a"), .not(.or([.user("u"), .all]))])
        ),
    ]

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
