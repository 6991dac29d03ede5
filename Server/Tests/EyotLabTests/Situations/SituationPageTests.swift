import EyotDomain
import Foundation
import Testing

/// The page of all situations is made from them. `WRITE_GOLDEN=1` writes it anew.
@Suite("The page of situations")
struct SituationPageTests {
    private static let page = (0..<5).reduce(URL(fileURLWithPath: #filePath)) { url, _ in
        url.deletingLastPathComponent()
    }
    .appendingPathComponent("docs/internals/situations.md")

    private static let head = """
        # Situations

        What `GET /v1/why` answers in each situation that a test makes on a phone of the lab. The test does literally what the
        finding's remedy says, and looks at the phone again. A check in the last column says what came of it: the card showed the
        newest state, or was gone as it should be.

        A finding is `certain`, `likely` or `possible` ([what is said of a phone](../concepts/explaining.md)). Where it depends on what
        reaches the server first, no word stands there.

        """

    private func row(_ situation: Situation, _ number: Int) -> String {
        let words = situation.name.first.map { $0.uppercased() + situation.name.dropFirst() } ?? ""
        let remedy = situation.outcome == nil ? "" : "✓"
        let confidence = situation.confidence?.rawValue ?? ""
        return "| \(number) | \(words) | `\(situation.code.rawValue)` | \(confidence) | \(remedy) |\n"
    }

    private var text: String {
        Self.head
            + Situation.groups.map { group in
                "\n## \(group.title)\n\n| | situation | finding | | remedy |\n|---|---|---|---|---|\n"
                    + group.situations.enumerated().map { row($1, group.first + $0) }.joined()
            }.joined()
    }

    @Test func `The page lists each situation`() throws {
        if ProcessInfo.processInfo.environment["WRITE_GOLDEN"] == "1" { try Data(text.utf8).write(to: Self.page) }
        #expect(try String(contentsOf: Self.page, encoding: .utf8) == text)
    }

    @Test func `There are enough situations, and each finding that a lab can make is among them`() {
        let all = Situation.groups.flatMap(\.situations)
        #expect(all.count >= 130)
        for group in Situation.groups { #expect(Set(group.situations.map(\.name)).count == group.situations.count) }
        // They need a build, a database or a phone that a lab of one app has not.
        let elsewhere: Set<FindingCode> = [
            .apnsKeyMissing, .capabilityMissing, .infoPlistKeyMissing, .unprovenUser, .restored, .notPushing,
            .tokensSetAside, .wrongEnvironment, .noStartToken, .notResumed, .startUnknown, .startCancelled, .replaced,
            .notShown,
        ]
        #expect(Set(FindingCode.allCases).subtracting(all.map(\.code)) == elsewhere)
    }
}
