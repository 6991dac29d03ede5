import ActivityKitStandIn
import EyotContract
import Foundation
import PhoneSimulator
import Testing

@testable import EyotLab

/// The type that the page's examples have.
private struct MatchAttributes: ActivityAttributes {
    enum Phase: String, Codable, Sendable {
        case first, second
        case fullTime = "full-time"
    }

    struct ContentState: Codable, Hashable, Sendable {
        var homeScore: Int
        var awayScore: Int
        var phase: Phase
    }

    var match: String
    var eyotActivityName: String?
}

/// The commands of the page that ask a server, judged by what a phone shows.
@Suite("The page of schemas", .timeLimit(.minutes(10)))
struct SchemaPageTests {
    private static let tests = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    /// The schema of that type.
    private static let schema = tests.appendingPathComponent("EyotCLITests/Schemas/Match.schema.json")

    /// Returns the page's command that begins with these words, as a reader types it.
    private static func command(_ beginning: String) throws -> String {
        let page = tests.appendingPathComponent("../../docs/reference/schema.md").standardizedFileURL
        let lines = try String(contentsOf: page, encoding: .utf8).split(separator: "\n")
        let line = lines.first { $0.hasPrefix("$ eyot \(beginning)") }
        return String(try #require(line, "the page has no `eyot \(beginning)`").dropFirst(2))
    }

    /// Types a command in the folder of the schema.
    private static func play(_ command: String, _ lab: Lab) async throws -> (code: Int32, output: String) {
        try await Rig.type(command, in: schema.deletingLastPathComponent(), await lab.description)
    }

    @Test func `What the page refuses leaves the card as it is, and what fits is on it`() async throws {
        var configuration = Rig.configuration(phones: 1)
        configuration.types = [LabType(MatchAttributes.self)]
        configuration.phoneOptions.build = PhoneBuild(version: "1.4 (27)")
        try await Lab.run(configuration) { lab in
            try await lab.untilStartable(1, tag: "fans")
            let phone = lab.phones[0]
            let pushed = try await Self.play(Self.command("schema push"), lab)
            #expect(pushed.code == 0 && pushed.output.contains("1.4 (27)"), "\(pushed.output)")
            let listed = try await Self.play(Self.command("schema list"), lab)
            #expect(listed.output.contains("1.4 (27)"), "\(listed.output)")

            func state(_ score: Int) -> JSONValue {
                ["homeScore": .integer(score), "awayScore": 1, "phase": "first"]
            }
            let start = try await lab.api.call(
                "POST", "/v1/activities/final/start",
                body: [
                    "type": "MatchAttributes", "attributes": ["match": "ARG-FRA", "eyotActivityName": "final"],
                    "contentState": state(2), "audience": "all", "alert": ["title": "Kick-off", "body": "Now"],
                ])
            try #require(start.status == 202 && start.body.object?["starting"] == 1, "\(start.body.text)")
            try await lab.until { phone.shows(score: 2) }

            let update = try Self.command("activity update final")
            let refused = try await Self.play(update, lab)
            #expect(refused.code != 0, "\(refused.output)")
            #expect(
                refused.output.contains("content-state.homeScore: 2.5 does not decode as Int in version 1.4 (27)"),
                "\(refused.output)")
            let leftOut = try await Self.play(update + #" --body '{"onSchemaMismatch":"leaveOut"}'"#, lab)
            #expect(leftOut.code == 0, "\(leftOut.output)")
            let next = try await lab.api.call(
                "POST", "/v1/activities/final/update", body: ["contentState": state(3)])
            try #require(next.status == 202, "\(next.problem)")
            try await lab.until { phone.shows(score: 3) }
            #expect(!phone.state.pushes.entries.contains { $0.effect.reason?.code == "decodeFailed" })
        }
    }
}
