import EyotContract
import EyotLab
import EyotTestKit
import Foundation
import PhoneSimulator
import Testing

/// The guides for apps that move from another vendor, run as they stand. Each block of shell runs, and then the test
/// checks what phones show.
@Suite(.serialized, .timeLimit(.minutes(10))) struct `The guides for those who move` {
    /// What phones show.
    enum Shown: Sendable {
        case card(String, JSONValue, CardPhase)
        case nothing
    }

    struct Guide: Sendable, CustomTestStringConvertible {
        var vendor: String
        var types: Set<String>
        /// After each block; nil where phones show what they did before.
        var steps: [Shown?]

        var testDescription: String { vendor }
    }

    static let guides = [
        Guide(
            vendor: "netmera", types: ["MatchLiveScoreWidgetAttributes"],
            steps: [
                nil, .card("matchStatus", "1st Half", .active), .card("matchStatus", "2nd Half", .active),
                .card("matchStatus", "2nd Half", .ended), nil, nil, nil,
            ]),
        Guide(
            vendor: "airship", types: ["SportsActivityAttributes"],
            steps: [
                nil, .card("status", "Game about to begin!", .active), .card("status", "Game starting!", .active), nil,
                .card("status", "Game starting!", .ended), nil, nil, nil,
            ]),
        Guide(
            vendor: "braze", types: ["SportsActivityAttributes"],
            steps: [
                nil, .card("teamOneScore", 0, .active), .card("teamOneScore", 2, .active), .nothing, nil, nil,
            ]),
        Guide(
            vendor: "insider", types: ["OrderActivityAttributes"],
            steps: [
                nil, nil, nil, .card("minutesLeft", 9, .active), .card("minutesLeft", 5, .active),
                .card("minutesLeft", 0, .ended), nil,
            ]),
    ]

    private static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .appendingPathComponent("../../../docs/guides").standardizedFileURL

    /// The blocks of a page that are shell.
    private static func blocks(of vendor: String) throws -> [String] {
        let page = try String(
            contentsOf: folder.appendingPathComponent("move-from-\(vendor).md"), encoding: .utf8)
        return page.components(separatedBy: "\n```sh\n").dropFirst().compactMap {
            $0.components(separatedBy: "\n```").first
        }
    }

    /// Runs a block in a shell that knows the variables of those before it.
    private func run(_ block: String, in folder: URL) async throws {
        let script = "set -a\n[ ! -f variables ] || . ./variables\n\(block)\nexport -p > variables"
        let ended = try await Program("bash", ["-euo", "pipefail", "-c", script], in: folder).run()
        try #require(ended.code == 0, "\(ended.code): \(ended.words)\n\(block)")
    }

    private func untilShown(_ shown: Shown, _ lab: Lab) async throws {
        try await lab.until {
            lab.phones.allSatisfy { phone in
                let cards = phone.cardsInView
                switch shown {
                case .nothing: return cards.isEmpty
                case .card(let member, let value, let phase):
                    return cards.count == 1 && cards[0].phase == phase
                        && cards[0].content.state.object?[member] == value
                }
            }
        }
    }

    /// Waits until the server could push to every phone's card.
    private func untilLive(_ lab: Lab) async throws {
        try await lab.untilServer {
            let list = try await lab.api.call("GET", "/v1/activities").body.object?["activities"]?.array ?? []
            for name in list.compactMap({ $0.object?["name"]?.string }) {
                let report = try await lab.api.call("GET", APIClient.path("v1", "activities", name)).body
                if report.object?["phases"]?.object?["live"]?.integer == lab.phones.count { return true }
            }
            return false
        }
    }

    @Test(arguments: guides) func `Every call of a guide does what it says`(_ guide: Guide) async throws {
        let blocks = try Self.blocks(of: guide.vendor)
        try #require(blocks.count == guide.steps.count)
        var configuration = Rig.configuration(phones: 3)
        configuration.types = LabType.builtIn.filter { guide.types.contains($0.name) }
        try await Lab.run(configuration) { lab in
            try await lab.untilStartable(3, tag: "fans")
            let folder = FileManager.default.temporaryDirectory.appendingPathComponent("guide-\(UUID().uuidString)")
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            try await lab.description.json.text.write(
                to: folder.appendingPathComponent("lab.json"), atomically: true, encoding: .utf8)
            var isStarted = false
            for (block, shown) in zip(blocks, guide.steps) {
                try await run(block, in: folder)
                guard let shown else { continue }
                try await untilShown(shown, lab)
                if !isStarted { try await untilLive(lab) }
                isStarted = true
            }
            try FileManager.default.removeItem(at: folder)
        }
    }

    @Test func `There is a guide for each vendor, and no other`() throws {
        let pages = try FileManager.default.contentsOfDirectory(atPath: Self.folder.path)
        #expect(
            Set(pages.filter { $0.hasPrefix("move-from-") })
                == Set(Self.guides.map { "move-from-\($0.vendor).md" }))
    }
}
