import EyotContract
import EyotLab
import EyotTestKit
import Foundation
import Testing

/// The pages of the HTTP API, read by a reader who copies their lines.
@Suite(.serialized, .timeLimit(.minutes(10))) struct `The reference of the HTTP API` {
    static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .appendingPathComponent("../../..").standardizedFileURL

    /// A block of shell commands.
    struct Block {
        var text: String

        /// The turn of a block. Blocks of one stage run in the order of ``pages``.
        ///
        /// Stages 0 to 2 make what other blocks need: the app, the device, its start token. Stage 4 restores tokens of
        /// the activity, and declares a canary after all other updates. Stage 5 ends the activity. Stage 6 removes the
        /// user and the device.
        var stage: Int {
            let stages = [
                (3, "/api/v1/live-activity/"), (0, #"/v1/apps" -H "Authorization: Bearer $OPERATOR_KEY"#),
                (1, "/v1/device/register"), (2, "/v1/device/changes"), (4, "/v1/tokens/restore"), (4, #""canary":"#),
                (5, "/final-2022/end"), (6, "drop-unproven"), (6, #"-X DELETE "$EYOT_URL/v1/devices/"#),
            ]
            return stages.first { text.contains($0.1) }?.0 ?? 3
        }

        /// Statuses other than success that the block announces: `# 404, since …`.
        var statuses: Set<Int> {
            Set(
                text.split(separator: "\n").filter { $0.hasPrefix("# ") }
                    .compactMap { Int($0.dropFirst(2).prefix { $0.isNumber }) })
        }
    }

    /// The pages of the reference. A page comes after those that make what its blocks need. An activity needs the users
    /// of its audience, and a definition is tried out on a running activity.
    static let pages = [
        "README", "apps", "keys", "identities", "people", "audiences", "activities", "events", "insights", "reports",
        "webhooks",
        "definitions", "types", "device",
        "vendors", "server",
    ]

    static let folder = root.appendingPathComponent("docs/reference/api")

    /// The blocks of all pages that call the server, in the order in which they work.
    static func blocks() throws -> [Block] {
        let parts = try pages.flatMap { page in
            try String(contentsOf: folder.appendingPathComponent("\(page).md"), encoding: .utf8)
                .components(separatedBy: "\n```")
        }
        let blocks = parts.filter { $0.hasPrefix("sh\n") && $0.contains("curl") }.map {
            Block(text: String($0.dropFirst(3)))
        }
        // The offset keeps the order of the pages within a stage.
        return blocks.enumerated().sorted { ($0.element.stage, $0.offset) < ($1.element.stage, $1.offset) }
            .map(\.element)
    }

    /// Stands in the path as `curl`, and notes each call: method, URL, status.
    private static let shim = """
        #!/usr/bin/env bash
        PATH="${PATH#*:}" exec curl --write-out '%{stderr}%{method} %{url_effective} %{http_code}\\n' "$@" 2>>"$CALLS"
        """

    /// A call that was made.
    struct Call {
        var method: Substring
        var path: String
        var status: Int

        init?(_ line: Substring, of url: String) {
            let parts = line.split(separator: " ")
            guard parts.count == 3, let status = Int(parts[2]), parts[1].hasPrefix(url) else { return nil }
            (method, self.status) = (parts[0], status)
            path = String(parts[1].dropFirst(url.count).prefix { $0 != "?" })
        }

        func fits(_ pattern: String) -> Bool {
            let (own, others) = (path.split(separator: "/"), pattern.split(separator: "/"))
            return own.count == others.count && zip(own, others).allSatisfy { $0 == $1 || $1.hasPrefix("{") }
        }
    }

    /// What a block has printed, and its calls.
    func run(_ block: Block, in folder: URL, _ environment: [String: String], url: String) async throws
        -> (code: Int32, output: String, calls: [Call])
    {
        let calls = folder.appendingPathComponent("calls")
        try Data().write(to: calls)
        let ended = try await Program(
            "bash", ["-e", "-o", "pipefail", "-c", block.text], in: folder,
            environment: environment.merging(["CALLS": calls.path]) { $1 }
        ).run()
        let lines = try String(contentsOf: calls, encoding: .utf8).split(separator: "\n")
        return (ended.code, ended.output, lines.compactMap { Call($0, of: url) })
    }

    /// A folder in which blocks are run, and their environment. The folder goes with the call.
    static func withShell(_ body: (_ folder: URL, _ environment: [String: String]) async throws -> Void) async throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        try prepare(folder)
        defer { try? FileManager.default.removeItem(at: folder) }
        var environment = ProcessInfo.processInfo.environment
        environment["PATH"] = "\(folder.path)/bin:\(environment["PATH"] ?? "")"
        try await body(folder, environment)
    }

    private static func prepare(_ folder: URL) throws {
        let bin = folder.appendingPathComponent("bin")
        try FileManager.default.createDirectory(at: bin, withIntermediateDirectories: true)
        let curl = bin.appendingPathComponent("curl")
        try Data(shim.utf8).write(to: curl)
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: curl.path)
    }

    @Test func `Every page of the reference is run`() throws {
        let files = try FileManager.default.contentsOfDirectory(atPath: Self.folder.path)
        #expect(Set(files) == Set(Self.pages.map { "\($0).md" }))
    }

    @Test func `Every line of curl in the reference works, and every endpoint has one`() async throws {
        try await Lab.run(Rig.configuration(phones: 0)) { lab in
            let description = await lab.description
            try await Self.withShell { folder, shell in
                try FileManager.default.copyItem(
                    atPath: description.p8, toPath: folder.appendingPathComponent("AuthKey_KEY1234567.p8").path)
                var environment = shell
                environment["EYOT_URL"] = description.http
                environment["OPERATOR_KEY"] = description.operatorKey
                var calls: [Call] = []
                for block in try Self.blocks() {
                    let (code, output, made) = try await run(block, in: folder, environment, url: description.http)
                    #expect(code == 0 && !made.isEmpty, "\(block.text)\n\(output)")
                    let failures = Set(made.map(\.status).filter { !(200..<300).contains($0) })
                    #expect(failures == block.statuses, "\(block.text)\n\(made.map(\.status)) \(output)")
                    calls += made
                    // What is shown once is used from then on.
                    let shown = try? JSONValue(parsing: Array(output.utf8)).object
                    environment["EYOT_API_KEY"] = environment["EYOT_API_KEY"] ?? shown?["apiKey"]?.string
                    environment["APP_KEY"] = environment["APP_KEY"] ?? shown?["appKey"]?.string
                    environment["DEVICE_SECRET"] = environment["DEVICE_SECRET"] ?? shown?["secret"]?.string
                }
                let described = try await lab.api.call("GET", "/openapi.json").body.object?["paths"]?.object
                for path in try #require(described).members {
                    for operation in path.value.object?.members ?? [] {
                        let title = "\(operation.name.uppercased()) \(path.name)"
                        #expect(
                            calls.contains { $0.method == operation.name.uppercased() && $0.fits(path.name) },
                            "no page has a line for \(title)")
                    }
                }
            }
        }
    }
}
