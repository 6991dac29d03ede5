import EyotContract
import EyotLab
import EyotTestKit
import Foundation
import PhoneSimulator
import Testing

/// The pages for operators, run as they stand. Each has a lab with three phones and runs in the lab's folder.
///
/// A block that is marked as shell runs. A block without a mark needs a machine of one's own, such as a service
/// manager, and does not run: the steps say what happens instead.
@Suite(.serialized, .timeLimit(.minutes(10))) struct `The pages for operators` {
    enum Step: Sendable {
        /// The next blocks run, and each ends with 0.
        case run(Int)
        case stop, start
        /// The lab's own app and a match on all phones take the place of what an operator has by then.
        case labKey, match
        /// As many phones show an active card with this score.
        case shown(Int, phones: Int)
        /// The server could push to the three cards of the match.
        case live
        /// The database of PostgreSQL is empty again.
        case emptied
        /// No phone has an active card.
        case ended
        /// A file has as many lines.
        case lines(String, Int)
    }

    struct Page: Sendable, CustomTestStringConvertible {
        var name: String
        var steps: [Step]
        /// Whether the page makes the app that it names. Otherwise the lab's app has its place.
        var createsApp = false
        /// Whether its servers are on PostgreSQL, beside the lab's.
        var isOnPostgres = false

        var testDescription: String { name }
    }

    static let pages = [
        Page(
            name: "first-hour",
            steps: [
                .run(7), .labKey, .run(3), .shown(0, phones: 3), .live, .run(1), .shown(1, phones: 3), .run(2), .ended,
            ], createsApp: true),
        Page(
            name: "match-night",
            steps: [
                .run(5), .shown(0, phones: 1), .run(1), .shown(0, phones: 3), .live, .run(1), .shown(1, phones: 3),
                .run(3), .shown(2, phones: 3), .run(2), .ended, .run(1), .lines("changes.txt", 10),
            ]),
        Page(name: "backup", steps: [.match, .run(1), .stop, .run(1), .start, .run(1), .shown(1, phones: 3)]),
        Page(name: "keys", steps: [.run(5), .stop, .run(1)]),
        Page(name: "alerts", steps: [.run(1)]),
        Page(name: "sizing", steps: [.run(1)]),
        Page(name: "limits", steps: [.run(3)]),
        Page(name: "trial", steps: [.run(5), .shown(1, phones: 1), .run(2), .ended, .run(1)]),
        Page(name: "moving", steps: [.match, .stop, .run(2)]),
        Page(name: "several-servers", steps: [.run(5), .emptied, .run(1)], isOnPostgres: true),
        Page(
            name: "leaving",
            steps: [
                .match, .run(4), .lines("export/users.ndjson", 3), .lines("export/final-cards.ndjson", 3),
                .lines("export/start-tokens.csv", 4), .lines("export/update-tokens.csv", 4),
            ]),
    ]

    /// Pages that run elsewhere: by `scripts/try-packages`, `UpgradeGuideTests` and `scripts/proxies`.
    private static let others: Set = ["install.md", "upgrade.md", "proxies.md"]

    private static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .appendingPathComponent("../../..").standardizedFileURL
    private static let folder = root.appendingPathComponent("docs/guides/operate")

    private static func blocks(of page: String) throws -> [String] {
        let text = try String(contentsOf: folder.appendingPathComponent("\(page).md"), encoding: .utf8)
        return text.components(separatedBy: "\n```sh\n").dropFirst().compactMap {
            $0.components(separatedBy: "\n```").first
        }
    }

    @Test func `Every page is run`() throws {
        let files = try FileManager.default.contentsOfDirectory(atPath: Self.folder.path)
        #expect(Set(files) == Self.others.union(Self.pages.map { "\($0.name).md" }))
    }

    @Test(arguments: pages) func `Every block of a page does what it says`(_ page: Page) async throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("operate-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        var configuration = Rig.configuration(phones: 3)
        configuration.folder = folder
        try await Lab.run(configuration) { lab in
            try await lab.untilStartable(3, tag: "fans")
            let description = await lab.description
            var blocks = try Self.blocks(of: page.name)
            if !page.createsApp {
                blocks = blocks.map { $0.replacing("org.example.match", with: description.bundleID) }
            }
            let postgres = page.isOnPostgres ? try await TestPostgres.shared.emptyDatabase().text : nil
            try prepare(folder, description, page, postgres)
            var shell = OperatorShell(folder: folder, executable: Rig.executable)
            for step in page.steps {
                try await take(step, lab, folder, &shell, &blocks)
            }
            #expect(blocks.isEmpty, "blocks that no step runs")
        }
    }

    private func take(
        _ step: Step, _ lab: Lab, _ folder: URL, _ shell: inout OperatorShell, _ blocks: inout [String]
    ) async throws {
        switch step {
        case .run(let count):
            try #require(blocks.count >= count)
            for block in blocks.prefix(count) { try await shell.run(block) }
            blocks.removeFirst(count)
        case .stop: await lab.stopServer()
        case .start: try await lab.startServer()
        case .labKey:
            let key = await lab.description.apiKey
            try key.write(to: folder.appendingPathComponent("app.key"), atomically: true, encoding: .utf8)
        case .match:
            try await lab.start()
            try await lab.untilShown(score: 0)
            try await lab.untilTokens(3)
        case .shown(let score, let phones):
            try await lab.until { lab.phones.filter { $0.hasActiveCard(score: score) }.count == phones }
        case .live: try await lab.untilTokens(3)
        case .emptied:
            try await shell.run(
                #"psql --quiet "$EYOT_DATABASE_URL" --command 'DROP SCHEMA public CASCADE; CREATE SCHEMA public'"#)
        case .ended:
            try await lab.until { lab.phones.allSatisfy { !$0.state.cards.contains { $0.phase == .active } } }
        case .lines(let name, let least):
            let text = try String(contentsOf: folder.appendingPathComponent(name), encoding: .utf8)
            #expect(text.split(separator: "\n").count >= least, "\(name): \(text)")
        }
    }

    /// Writes what a reader of a page has at hand: keys, the schema, lists of users, and where the server is.
    private func prepare(_ folder: URL, _ lab: LabDescription, _ page: Page, _ postgres: String?) throws {
        func write(_ name: String, _ text: String) throws {
            try text.write(to: folder.appendingPathComponent(name), atomically: true, encoding: .utf8)
        }
        let secrets = try JSONValue(parsing: Data(contentsOf: folder.appendingPathComponent("lab.json"))).object
        let masterKey = try #require(secrets?["masterKey"]?.string)
        var variables = [
            "EYOT_URL": lab.http, "OPS_URL": lab.ops, "EYOT_DATABASE_URL": "sqlite:eyot.sqlite",
            "EYOT_MASTER_KEY": masterKey, "EYOT_APNS_CA_FILE": lab.apnsCA, "EYOT_APNS_SANDBOX_URL": lab.apns,
            "EYOT_APNS_PRODUCTION_URL": lab.apnsProduction, "EYOT_APNS_BROADCAST_URL": lab.apnsBroadcast,
            "EYOT_APNS_CHANNELS_URL": lab.apnsChannels,
        ]
        if !page.createsApp { variables["EYOT_API_KEY"] = lab.apiKey }
        if let postgres { (variables["EYOT_DATABASE_URL"], variables["EYOT_MASTER_KEY"]) = (postgres, nil) }
        try write("variables", variables.map { "export \($0)='\($1)'\n" }.joined())
        try write("operator.key", lab.operatorKey)
        try write("AuthKey_ABCDE12345.p8", String(contentsOfFile: lab.p8, encoding: .utf8))
        try write("users.csv", (1...150).map { "user-\($0)\n" }.joined())
        let token = String(repeating: "0a1b2c3d", count: 8)
        try write(
            "tokens.csv",
            "installation,user,type,startToken\nA1,user-1,MatchAttributes,\(token)\nA2,user-2,MatchAttributes,0a\n")
        try FileManager.default.copyItem(
            at: Self.root.appendingPathComponent("Examples/ios-app/Shared/MatchAttributes.schema.json"),
            to: folder.appendingPathComponent("MatchAttributes.schema.json"))
    }
}

/// A shell in a folder that runs one block after the other. Each knows the variables and functions of those before it.
struct OperatorShell {
    let folder: URL
    let executable: URL

    func run(_ block: String) async throws {
        let script = """
            eyot() { "\(executable.path)" "$@"; }
            . ./variables
            \(block)
            { export -p; declare -f; } > variables
            """
        let ended = try await Program("bash", ["-euo", "pipefail", "-c", script], in: folder).run()
        try #require(ended.code == 0, "\(ended.code): \(ended.words)\n\(block)")
    }
}

extension LabPhone {
    fileprivate func hasActiveCard(score: Int) -> Bool {
        state.cards.contains { $0.phase == .active && $0.content.state.object?["homeScore"]?.integer == score }
    }
}
