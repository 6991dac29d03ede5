import EyotContract
import EyotLab
import Foundation
import PhoneSimulator
import Testing

/// The tutorial, typed line by line as a newcomer does, judged by what the phones show.
@Suite("The tutorial", .timeLimit(.minutes(10)))
struct StartPageTests {
    private static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .appendingPathComponent("../../..").standardizedFileURL

    /// The commands of a page behind a `$`, without those that set up a terminal and a lab.
    private static func commands(of page: String) throws -> [String] {
        let text = try String(contentsOf: root.appendingPathComponent(page), encoding: .utf8)
        var commands: [String] = []
        var isCommand = false
        for line in text.split(separator: "\n") {
            if line.hasPrefix("$ ") {
                commands.append(String(line.dropFirst(2)))
                isCommand = true
            } else if isCommand, line.hasPrefix("    ") {
                commands[commands.count - 1] += "\n" + line
            } else {
                isCommand = false
            }
        }
        return commands.filter { !$0.hasPrefix("PATH=") && !$0.hasPrefix("eyot lab") }
    }

    /// What the phones show soon after a command that begins so.
    private static func expectation(_ command: String) -> (([LabPhone]) -> Bool)? {
        func shows(_ phone: LabPhone, _ status: String, _ phase: CardPhase = .active) -> Bool {
            phone.state.cards.first.map { $0.content.state == ["status": .string(status)] && $0.phase == phase }
                ?? false
        }
        return switch command {
        case _ where command.hasPrefix("eyot activity start final"):
            { phones in phones.allSatisfy { shows($0, "Kick-off") } }
        case _ where command.hasPrefix("eyot operation show 2"):
            { phones in phones.allSatisfy { shows($0, "1–0, 23rd minute") } }
        case _ where command.hasPrefix("eyot activity end"):
            { phones in
                shows(phones[0], "1–0, 23rd minute") && shows(phones[1], "Full time", .ended)
                    && phones[2].cardsInView.isEmpty
            }
        case _ where command.contains("phone-1/online"): { phones in shows(phones[0], "Full time", .ended) }
        case _ where command.contains("semi-1"):
            { phones in
                phones.allSatisfy { phone in
                    phone.cardsInView.contains { $0.content.state == ["status": "Lusail, 20:00"] }
                }
            }
        default: nil
        }
    }

    @Test func `Each command does to the phones what the page says`() async throws {
        var configuration = Rig.configuration(phones: 3)
        configuration.types = LabType.builtIn
        let commands = try Self.commands(of: "docs/start.md")
        try #require(commands.count > 10)
        try await Lab.run(configuration) { lab in
            try await lab.untilStartable(3, tag: "fans")
            let description = await lab.description
            for command in commands {
                let (code, output) = try await Rig.type(command, description)
                if command.contains("activity start derby") {
                    #expect(
                        code != 0 && output.contains("content-state.homeScore: expected a number (Int)"), "\(output)")
                } else {
                    #expect(code == 0, "\(command): \(output)")
                }
                guard let holds = Self.expectation(command) else { continue }
                try await lab.until { holds(lab.phones) }
            }
            #expect(lab.phones.allSatisfy { phone in !phone.state.cards.contains { $0.type == "MatchAttributes" } })
        }
    }

    @Test func `The five minutes of README are those of the tutorial`() throws {
        let tutorial = try Self.commands(of: "docs/start.md")
        let short = try Self.commands(of: "README.md")
        #expect(short.count >= 5)
        for command in short { #expect(tutorial.contains(command), "\(command)") }
    }
}
