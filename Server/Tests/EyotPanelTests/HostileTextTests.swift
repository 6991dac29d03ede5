import EyotContract
import EyotDomain
import EyotHTTP
import HummingbirdTesting
import Testing

@testable import EyotPanel

/// Names and states that try to be markup, to hide, or to turn the direction of the page.
@Suite("Hostile text", .timeLimit(.minutes(10)))
struct HostileTextTests {
    /// Markup, a quotation mark that Swift takes for another character, an override that turns the direction, the
    /// end of an isolate, a control character, and a mark.
    static let hostile = "<b>x</b>\"\u{301} autofocus='&\u{202E}evil\u{2069}\u{7}\u{200F}"

    /// The same without the control character, which names of activities may not have.
    static let named = hostile.replacing("\u{7}", with: "")

    private static func world(_ rig: PanelRig) async throws -> PanelRig.Phone {
        let phone = try await rig.phone(hostile, user: hostile)
        try await rig.start(named, on: phone, state: [hostile: .string(hostile)])
        let path = PercentEncoding.encoded(named)
        try await rig.call(
            .put, "/v1/users/\(PercentEncoding.encoded(hostile))",
            [
                "tags": [.string(hostile)], "tagGroups": [named: [.string(hostile)]],
                "attributes": [named: .string(hostile)], "aliases": [named: .string(hostile)],
            ])
        try await rig.call(.put, "/v1/segments/\(path)", ["audience": ["tag": .string(hostile)]])
        try await rig.call(
            .put, "/v1/definitions/\(path)",
            ["declaration": ["type": .string(named), "contentState": [hostile: .string(hostile)]]])
        try await rig.call(
            .put, "/v1/types/\(path)/schemas",
            [
                "builds": [.string(named)],
                "schema": [
                    "attributes": ["type": "object"],
                    "contentState": ["type": "object", "properties": [hostile: ["type": "integer"]]],
                ],
            ])
        return phone
    }

    @Test func `It appears as text on each page, and cannot turn or hide anything`() async throws {
        try await PanelRig.run { rig in
            let phone = try await Self.world(rig)
            let (user, path) = (PercentEncoding.encoded(Self.hostile), PercentEncoding.encoded(Self.named))
            for page in [
                "why?user=\(user)", "why?user=\(user)&activity=\(path)", "why?q=\(user)&activity=none",
                "people", "people?tab=devices", "people?q=\(user)", "users/\(user)", "users/\(user)?tab=events",
                "users/\(user)/remove", "devices/\(phone.id)", "devices/\(phone.id)?tab=events", "log?tab=all",
                "log?user=\(user)", "log?activity=\(path)&tab=all", "insight?activity=\(path)",
                "insight/card.appeared?code=\(path)", "insight/card.appeared", "audiences", "audiences/\(path)",
                "audiences/\(path)/remove", "types", "types/\(path)", "definitions", "definitions/\(path)",
                "definitions/\(path)/remove", "start", "start?type=\(path)", "start?definition=\(path)",
                "activities/\(path)/update", "activities/\(path)/end",
            ] {
                let answer = try await rig.get("/panel/\(page)")
                Self.check(answer, page)
            }
        }
    }

    private static func check(_ answer: TestResponse, _ page: String) {
        #expect(answer.status.code < 500, "\(page)")
        let scalars = Array(answer.text.unicodeScalars)
        #expect(!answer.text.contains("<b>x"), "\(page)")
        // A quotation mark with an accent over it ends an attribute as one without does.
        let accents = scalars.indices.filter { scalars[$0] == "\u{301}" }
        #expect(accents.allSatisfy { scalars[$0 - 1] != "\"" }, "\(page)")
        let text = withoutFields(answer.text)
        for hidden in ["\u{202E}", "\u{2069}", "\u{7}", "\u{200F}"] as [Unicode.Scalar] {
            #expect(!scalars.contains(hidden), "\(page) \(hidden.value)")
            // The values of fields alone have such characters, by their numbers.
            let number = "&#x\(String(hidden.value, radix: 16, uppercase: true));"
            #expect(!text.contains(number), "\(page) \(number)")
        }
        #expect(!answer.text.contains(PanelRig.token(of: hostile)), "\(page)")
    }

    /// The page without the names and values of its fields, which have to stay as they are.
    private static func withoutFields(_ text: String) -> String {
        text.replacing(/(?:value|name)="[^"]*"/, with: "").replacing(/<textarea[^>]*>[^<]*<\/textarea>/, with: "")
    }

    @Test func `The value of a field is what was typed, hidden characters included`() {
        let text = "a\u{202E}b\u{7}\tc\u{E0001}\"\u{301}\u{85}"
        let written = PanelText().escapeText(text)
        #expect(written == "a&#x202E;b&#x7;&#x9;c&#xE0001;&quot;\u{301}\u{85}")
    }

    @Test func `Hidden characters are written by their numbers, and in JSON by escapes`() throws {
        #expect(Shown.text("a\u{202E}b\u{7}") == "a⟨U+202E⟩b⟨U+0007⟩")
        #expect(Shown.text("Zoë\nمرحبا 👩‍👧") == "Zoë\nمرحبا 👩‍👧")
        let value: JSONValue = ["x": "a\u{202E}b\u{E0001}"]
        let shown = Shown.json(value)
        #expect(shown.contains(#"a\u202Eb\uDB40\uDC01"#))
        #expect(try JSONValue(parsing: shown) == value)
    }

    @Test func `A name with hidden characters is typed as it is shown`() async throws {
        try await PanelRig.run { rig in
            try await rig.call(.put, "/v1/users/\(PercentEncoding.encoded("a\u{202E}b"))", ["tags": ["x"]])
            let path = "/panel/users/\(PercentEncoding.encoded("a\u{202E}b"))/remove"
            #expect(try await rig.post(path, ["typed": "ab"]).status == .unprocessableContent)
            #expect(try await rig.post(path, ["typed": "a⟨U+202E⟩b"]).status == .seeOther)
        }
    }
}
