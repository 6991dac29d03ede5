import EyotContract
import EyotLab
import EyotTestKit
import Foundation
import PhoneSimulator
import Testing

/// Databases of earlier releases under this program, and the phones of the plays that filled them.
///
/// `WRITE_GOLDEN=1` plays with the present program, and adds a folder for its schema if there is none.
@Suite(.serialized, .timeLimit(.minutes(10))) struct `Upgrades from a release` {
    /// How many phones a play has.
    private static let phones = 3

    // MARK: The play

    @Test(.enabled(if: ProcessInfo.processInfo.environment["WRITE_GOLDEN"] == "1"))
    func `The play of a release is kept`() async throws {
        try await KeptRelease.withFolder { folder in
            var configuration = Rig.configuration(phones: Self.phones)
            configuration.folder = folder
            let (version, end) = try await Lab.run(configuration) { lab in
                try await play(lab)
                let status = try await lab.api.call("GET", "/v1/status").body
                return (status.object?["store"]?.object?["schema"]?.integer, lab.now)
            }
            let schema = try #require(version)
            guard !KeptRelease.versions.contains(schema) else { return }
            try await KeptRelease.keep(folder, asSchema: schema, endedAt: end)
        }
    }

    /// What a release has written by its end: cards that go on, one that has ended, a halt, a plan, and what is kept
    /// for later calls.
    private func play(_ lab: Lab) async throws {
        try await lab.untilStartable(Self.phones, tag: "fans")
        try await start("semi", for: ["user": "user-1"], on: lab)
        try await untilShown("semi", score: 0, on: [0], lab)
        try await call("POST", "/v1/activities/semi/end", ["contentState": Lab.state(score: 9)], on: lab)
        try await untilShown("semi", score: 9, .ended, on: [0], lab)
        try await start("final", for: ["tag": "fans"], on: lab)
        try await lab.untilTokens(Self.phones)
        try await call("POST", "/v1/activities/final/update", ["contentState": Lab.state(score: 1)], on: lab)
        try await untilShown("final", score: 1, on: [0, 1, 2], lab)
        try await start("halted", for: ["user": "user-2"], on: lab)
        try await untilShown("halted", score: 0, on: [1], lab)
        try await call("POST", "/v1/activities/halted/halt", [:], on: lab)
        try await call("POST", "/v1/activities/halted/update", ["contentState": Lab.state(score: 5)], on: lab)
        let moment = lab.now.addingTimeInterval(3_600).formatted(.iso8601)
        try await start("planned", for: ["user": "user-3"], [("startsAt", .string(moment))], on: lab)
        try await call(
            "PUT", "/v1/definitions/goal",
            [
                "parameters": ["home": ["kind": "integer"]],
                "declaration": ["contentState": ["homeScore": "{{home}}", "awayScore": 0, "clock": "1'"]],
            ], on: lab)
        try await call("PUT", "/v1/segments/early", ["audience": ["tag": "fans"]], on: lab)
        try await call(
            "POST", "/v1/webhooks",
            ["name": "scores", "url": "http://127.0.0.1/hook", "types": ["activity.*", "card.*"]], on: lab)
        _ = try await lab.makePanelLink()
    }

    // MARK: The upgrade

    @Test func `There is a folder of each released schema`() { #expect(KeptRelease.versions.contains(17)) }

    @Test(arguments: KeptRelease.versions)
    func `Its database is brought up to date, and its phones show what comes next`(version: Int) async throws {
        try await KeptRelease.withFolder { folder in
            try await KeptRelease.unpack(version, into: folder)
            let database = "sqlite:\(folder.path)/eyot.sqlite"
            let plan = try await eyot(["migrate", "--check", "--json"], database)
            #expect(plan.object?["schema"]?.integer == version)
            let done = try await eyot(["migrate", "--json"], database)
            #expect(done.object?["before"]?.integer == version)
            let after = try await eyot(["migrate", "--check", "--json"], database)
            #expect(after.object?["steps"] == [] && after.object?["recordsHashes"] == false, "\(after.text)")
            #expect(after.object?["schema"] == after.object?["known"])
            var configuration = Rig.configuration(phones: Self.phones + 1)
            configuration.folder = folder
            try await Lab.run(configuration) { lab in
                do { try await playOn(lab) } catch {
                    await lab.recordWhatIs()
                    throw error
                }
            }
        }
    }

    /// Plays on with the phones of the play and a new one.
    private func playOn(_ lab: Lab) async throws {
        try #require(lab.phones.count == Self.phones + 1)
        #expect(shows("final", score: 1, .active, on: lab.phones[0]), "the phones are those of the play")
        try await call("POST", "/v1/activities/final/update", ["contentState": Lab.state(score: 2)], on: lab)
        try await untilShown("final", score: 2, on: [0, 1, 2], lab)
        try await call("POST", "/v1/activities/halted/resume", [:], on: lab)
        try await untilShown("halted", score: 5, on: [1], lab)
        try await lab.untilStartable(Self.phones + 1, tag: "fans")
        try await start("new", for: ["user": "user-4"], on: lab)
        try await untilShown("new", score: 0, on: [3], lab)
        #expect(!lab.phones[2].cardsInView.contains { lab.phones[2].name(of: $0) == "planned" })
        try await lab.advanceClock(by: 3_600)
        try await untilShown("planned", score: 0, on: [2], lab)
        #expect(shows("semi", score: 9, .ended, on: lab.phones[0]), "what has ended stays so")
        for path in ["definitions/goal", "segments/early"] {
            #expect(try await lab.api.call("GET", "/v1/\(path)").status == 200, "\(path)")
        }
        let webhooks = try await lab.api.call("GET", "/v1/webhooks").body.object?["webhooks"]?.array
        #expect(webhooks?.first?.object?["name"] == "scores")
        let status = try await lab.api.call("GET", "/v1/status").body
        #expect(status.object?["schema"] == status.object?["store"]?.object?["schema"])
    }

    @Test func `A lab without a server keeps the phones of the lab before`() async throws {
        try await KeptRelease.withFolder { folder in
            try await KeptRelease.unpack(17, into: folder)
            let file = folder.appendingPathComponent("phones.jsonl")
            let before = try Data(contentsOf: file)
            var configuration = LabConfiguration(phones: 0, executable: URL(fileURLWithPath: "/bin/false"))
            configuration.folder = folder
            await #expect(throws: (any Error).self) { try await Lab.run(configuration) { _ in } }
            #expect(try Data(contentsOf: file) == before)
        }
    }

    // MARK: Parts

    private func eyot(_ arguments: [String], _ database: String) async throws -> JSONValue {
        let ended = try await Program(
            Rig.executable.path, arguments, environment: ["EYOT_DATABASE_URL": database]
        ).run()
        try #require(ended.code == 0, "\(ended.words)")
        return try JSONValue(parsing: ended.output.utf8)
    }

    private func call(_ method: String, _ path: String, _ body: JSONValue, on lab: Lab) async throws {
        let answer = try await lab.api.call(method, path, body: body)
        try #require((200..<300).contains(answer.status), "\(path): \(answer.problem)")
    }

    private func start(
        _ name: String, for audience: JSONValue, _ members: [(String, JSONValue)] = [], on lab: Lab
    ) async throws {
        var body = JSONObject([
            ("type", "MatchAttributes"), ("contentState", Lab.state(score: 0)), ("audience", audience),
            ("attributes", ["eyotActivityName": .string(name), "home": "ARG", "away": "FRA"]),
            ("alert", ["title": "Kick-off", "body": "Now"]),
        ])
        for (name, value) in members { body[name] = value }
        try await call("POST", "/v1/activities/\(name)/start", .object(body), on: lab)
    }

    private func shows(_ name: String, score: Int, _ phase: CardPhase, on phone: LabPhone) -> Bool {
        let cards = phone.cardsInView.filter { phone.name(of: $0) == name }
        return cards.count == 1 && cards[0].phase == phase
            && cards[0].content.state.object?["homeScore"]?.integer == score
    }

    private func untilShown(
        _ name: String, score: Int, _ phase: CardPhase = .active, on phones: [Int], _ lab: Lab
    ) async throws {
        try await lab.until {
            let all = lab.phones
            return phones.allSatisfy { shows(name, score: score, phase, on: all[$0]) }
        }
    }
}
