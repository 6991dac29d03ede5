import EyotContract
import EyotLab
import Foundation
import PhoneSimulator
import Testing

/// Runs labs for tests: the real server from the products of this build, on free ports, in a folder of its own.
enum Rig {
    /// The executable beside the one that runs the tests.
    static let executable = URL(fileURLWithPath: CommandLine.arguments[0]).resolvingSymlinksInPath()
        .deletingLastPathComponent().appendingPathComponent("eyot")

    static func configuration(phones: Int) -> LabConfiguration {
        var configuration = LabConfiguration(phones: phones, executable: executable)
        configuration.types = [.match]
        configuration.serverLogLevel = "warning"
        return configuration
    }

    /// Runs a lab with the given number of phones. The server can start cards on all of them.
    static func run(
        phones: Int, givingSchemas: Bool = true, _ body: (Lab) async throws -> Void
    ) async throws {
        var configuration = configuration(phones: phones)
        configuration.givesSchemas = givingSchemas
        try await run(configuration, body)
    }

    /// Runs a lab with these settings. The server can start cards on all of its phones.
    static func run(_ configuration: LabConfiguration, _ body: (Lab) async throws -> Void) async throws {
        try await Lab.run(configuration) { lab in
            do {
                try await lab.untilStartable(configuration.phones, tag: "fans")
                try await body(lab)
            } catch {
                await lab.recordWhatIs()
                throw error
            }
        }
    }
}

/// What the tests' backend says about its one activity.
extension Lab {
    static let activity = "final"

    /// Makes a call that has to be accepted.
    @discardableResult
    func declare(_ verb: String, score: Int, _ members: [(String, JSONValue)] = []) async throws -> JSONValue {
        var body = JSONObject([("contentState", Self.state(score: score))])
        for (name, value) in members { body[name] = value }
        let answer = try await api.call(
            "POST", APIClient.path("v1", "activities", Self.activity, verb), body: .object(body))
        try #require(answer.status == 202, "\(verb): \(answer.problem)")
        return answer.body
    }

    @discardableResult
    func start(
        tag: String = "fans", attributes: JSONValue = Lab.attributes, _ members: [(String, JSONValue)] = []
    ) async throws -> JSONValue {
        try await declare(
            "start", score: 0,
            [
                ("type", "MatchAttributes"), ("attributes", attributes), ("audience", ["tag": .string(tag)]),
                ("alert", ["title": "Kick-off", "body": "Now"]),
            ] + members)
    }

    static var attributes: JSONValue { ["eyotActivityName": .string(activity), "home": "ARG", "away": "FRA"] }

    static func state(score: Int) -> JSONValue {
        ["homeScore": .integer(score), "awayScore": 0, "clock": .string("\(score)'")]
    }

    /// Waits until the server can push to the given number of the activity's cards.
    func untilTokens(_ count: Int) async throws { try await untilPhase("live", count) }

    /// Waits until the given number of the activity's cards are in a phase.
    func untilPhase(_ phase: String, _ count: Int) async throws {
        _ = try await report { $0.object?["phases"]?.object?[phase]?.integer == count }
    }

    /// Returns the server's report of the activity as soon as it fulfils a condition. No phone need change for that.
    func report(where condition: (JSONValue) -> Bool) async throws -> JSONValue {
        while true {
            let report = try await api.call("GET", APIClient.path("v1", "activities", Self.activity)).body
            if condition(report) { return report }
            try Task.checkCancellation()
            await Task.yield()
        }
    }

    /// Waits until the server has nothing more to do for what it accepted: no push is under way any more.
    func untilDone(_ declared: JSONValue) async throws {
        let operation = try #require(declared.object?["operation"]?.string)
        let path = APIClient.path("v1", "operations", operation)
        while try await api.call("GET", path).body.object?["state"]?.string != "done" {
            try Task.checkCancellation()
            await Task.yield()
        }
    }

    /// Waits until a condition holds that the server is asked about. Nothing need happen on a phone for that.
    func untilServer(_ condition: () async throws -> Bool) async throws {
        while try await !condition() {
            try Task.checkCancellation()
            await Task.yield()
        }
    }

    /// Waits until each of these phones has one card in view, and it shows this.
    func untilShown(score: Int, _ phase: CardPhase = .active, on phones: [LabPhone]? = nil) async throws {
        let phones = phones ?? self.phones
        try await until { phones.allSatisfy { $0.shows(score: score, phase) } }
    }

    /// Records as an issue what the phones show and what the server holds of them, for who waited in vain.
    func recordWhatIs() async {
        let shown = phones.map(\.json.text).joined(separator: "\n")
        // In a task of its own: after the time limit this one is cancelled.
        let held = await Task {
            let path = APIClient.path("v1", "activities", Self.activity, "replicas")
            return (try? await api.call("GET", path).body.text) ?? "no answer"
        }.value
        Issue.record("The phones show \(shown)\nThe server holds \(held)")
    }
}

extension LabPhone {
    /// The cards in view.
    var cardsInView: [SimulatedCard] { state.cards.filter { $0.phase != .dismissed } }

    func shows(score: Int, _ phase: CardPhase = .active) -> Bool {
        let cards = cardsInView
        return cards.count == 1 && cards[0].phase == phase
            && cards[0].content.state.object?["homeScore"]?.integer == score
    }

    /// The app starts the match itself.
    func startLocally() throws {
        try start(LocalStart(type: "MatchAttributes", attributes: Lab.attributes, contentState: Lab.state(score: 0)))
    }
}
