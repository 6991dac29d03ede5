import EyotContract
import EyotLab
import EyotTestKit
import Foundation
import PhoneSimulator
import Testing

/// A lab with three nodes, and several activities, so that each node may push some of them.
struct NodesRig {
    static let groups = 8

    let lab: Lab
    let phonesPerGroup: Int

    /// Runs the lab while `body` runs. The servers can start cards on all phones.
    static func run(_ database: LabDatabase, phonesPerGroup: Int, _ body: (NodesRig) async throws -> Void) async throws
    {
        var configuration = Rig.configuration(phones: 0)
        (configuration.nodes, configuration.database) = (3, database)
        try await Lab.run(configuration) { lab in
            for group in 0..<groups {
                var options = PhoneOptions()
                options.tags = ["fans", "group-\(group)"]
                try await lab.addPhones(phonesPerGroup, options)
            }
            do {
                try await lab.untilStartable(groups * phonesPerGroup, tag: "fans")
                try await body(NodesRig(lab: lab, phonesPerGroup: phonesPerGroup))
            } catch {
                await lab.recordWhatIs()
                throw error
            }
        }
    }

    /// A database of its own in the server of all tests.
    static func database() async throws -> LabDatabase {
        .existing(try await TestPostgres.shared.emptyDatabase().text)
    }

    /// Whether `why` of a phone names a node as silent before a minute is over, while the node holds a lease.
    func namesSilent(_ node: String) async throws -> Bool {
        let deadline = ContinuousClock.now + .seconds(60)
        while ContinuousClock.now < deadline {
            for group in 0..<Self.groups {
                let device = try #require(lab.phones[group * phonesPerGroup].deviceID)
                let finding = try await lab.why("device=\(device)&activity=\(Self.name(group))")["finding"]?.object
                let sentence = finding?["sentence"]?.string ?? ""
                if finding?["code"] == "notPushing", sentence.contains("The node \(node), which pushes") { return true }
            }
        }
        return false
    }

    /// Starts an activity for each group of phones.
    ///
    /// - Parameter moment: When the starts leave; nil for at once.
    func start(at moment: Date? = nil) async throws {
        let startsAt: [(String, JSONValue)] = moment.map { [("startsAt", .string(RFC3339.text(of: $0)))] } ?? []
        for group in 0..<Self.groups {
            try await declare(
                "start", group, score: 0,
                [
                    ("type", "MatchAttributes"),
                    (
                        "attributes",
                        ["eyotActivityName": .string(Self.name(group)), "home": "ARG", "away": "FRA"]
                    ),
                    ("audience", ["tag": .string("group-\(group)")]),
                    ("alert", ["title": "Kick-off", "body": "Now"]),
                ] + startsAt)
        }
    }

    /// Declares the same for all activities.
    @discardableResult
    func declareAll(_ verb: String = "update", score: Int) async throws -> [JSONValue] {
        var answers: [JSONValue] = []
        for group in 0..<Self.groups { answers.append(try await declare(verb, group, score: score)) }
        return answers
    }

    @discardableResult
    private func declare(
        _ verb: String, _ group: Int, score: Int, _ members: [(String, JSONValue)] = []
    ) async throws -> JSONValue {
        let body = JSONObject([("contentState", Lab.state(score: score))] + members)
        let answer = try await lab.api.call(
            "POST", APIClient.path("v1", "activities", Self.name(group), verb), body: .object(body))
        try #require(answer.status == 202, "\(verb): \(answer.problem)")
        return answer.body
    }

    /// Waits until the server can push to all cards.
    func untilTokens() async throws {
        for group in 0..<Self.groups {
            let path = APIClient.path("v1", "activities", Self.name(group))
            try await lab.untilServer {
                let report = try await lab.api.call("GET", path).body
                return report.object?["phases"]?.object?["live"]?.integer == phonesPerGroup
            }
        }
    }

    /// Waits until no start is known any more, or a phone has a second card. No node may answer meanwhile.
    func untilInDoubt() async throws {
        for group in 0..<Self.groups {
            let path = APIClient.path("v1", "activities", Self.name(group))
            try await lab.untilServer {
                let report = try? await lab.api.call("GET", path).body
                return report?.object?["tally"]?.object?["unknown"]?.integer == phonesPerGroup
                    || lab.phones.contains { $0.state.cards.count > 1 }
            }
        }
    }

    /// The first node that pushes; if none does at the moment, the first that runs.
    func pushingNode() async throws -> LabNode {
        let nodes = await lab.nodes.filter { $0.state == .running }
        for node in nodes {
            let url = try #require(URL(string: node.ops))
            let text = try await APIClient(server: url, key: "").call("GET", "/metrics").body.string ?? ""
            if try ScrapedMetrics(text).value("eyot_node_pushing") == 1 { return node }
        }
        return try #require(nodes.first)
    }

    /// Expects that no phone has or had a second card.
    func expectOneCard() {
        // As texts: a failure looks into all that a phone has, while other threads change it.
        let twice = lab.phones.filter { $0.state.cards.count != 1 }.map(\.json.text)
        #expect(twice.isEmpty)
    }

    private static func name(_ group: Int) -> String { "match-\(group)" }
}
