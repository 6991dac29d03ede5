import EyotContract
import EyotKit
import Foundation
import PhoneSimulator
import Synchronization
import Testing

@testable import EyotLab

/// Lines that a lab has reported.
private final class Lines: Sendable {
    private let lines = Mutex<[String]>([])
    var all: [String] { lines.withLock { $0 } }
    func add(_ line: String) { lines.withLock { $0.append(line) } }
}

/// What a lab says by itself: to the server about its types, and in its terminal about its phones.
@Suite(.serialized, .timeLimit(.minutes(10))) struct `What the lab says` {
    private func run(
        givingSchemas: Bool = true, _ body: (Lab, Lines) async throws -> Void
    ) async throws {
        let lines = Lines()
        var configuration = Rig.configuration(phones: 2)
        configuration.givesSchemas = givingSchemas
        configuration.report = { lines.add($0) }
        try await Lab.run(configuration) { lab in
            try await lab.untilStartable(2, tag: "fans")
            try await body(lab, lines)
        }
    }

    /// An app without types and without a server.
    private static var app: AppBuild {
        AppBuild(
            bundleID: "app", appKey: "", server: URL(fileURLWithPath: "/"), types: [:], launch: nil,
            folder: FileManager.default.temporaryDirectory, clock: LabClock(), network: URLSessionTransport(),
            report: { _ in })
    }

    @Test func `Every type that comes with it has a schema, which is that of its Swift type`() throws {
        for type in LabType.builtIn {
            let schema = try #require(type.schema, "\(type.name)")
            #expect(schema.type == type.name)
            #expect(type.schemaForServer == schema, "\(type.name) has a member for its name")
            #expect(schema.mismatch(ofContentState: [:]) != nil)
        }
        for example in `The types of the lab's app`.examples {
            let schema = try #require(LabType.builtIn.first { $0.name == example.type }?.schema)
            #expect(schema.mismatch(ofAttributes: try JSONValue(parsing: example.attributes)) == nil)
            #expect(schema.mismatch(ofContentState: try JSONValue(parsing: example.state)) == nil)
        }
    }

    @Test func `Its server refuses a state that no phone could decode, and names the member`() async throws {
        try await run { lab, lines in
            let started = try await lab.start()
            #expect(started.object?["warnings"] == [])
            try await lab.untilShown(score: 0)
            let refused = try await lab.api.call(
                "POST", "/v1/activities/final/update",
                body: ["contentState": ["homeScore": 45.5, "awayScore": 0, "clock": "x"]])
            #expect(refused.status == 422)
            #expect(refused.body.object?["field"] == "contentState.homeScore")
            #expect(refused.problem.contains("homeScore: 45.5 does not decode as Int"))
            #expect(lines.all == [])
            #expect(lab.phones.allSatisfy { $0.state.faults.total == 0 }, "nothing is wrong in quiet use")
        }
    }

    @Test func `Where the server knows no schema, each dropped push is a line with phone, activity and member`()
        async throws
    {
        try await run(givingSchemas: false) { lab, lines in
            try await lab.start()
            try await lab.untilTokens(2)
            try await lab.api.demand(
                "POST", "/v1/activities/final/update",
                body: ["contentState": ["homeScore": 45.5, "awayScore": 0, "clock": "x"]])
            try await lab.until { lines.all.count == 2 }
            for phone in lab.phones {
                #expect(
                    lines.all.contains(
                        "\(phone.id) dropped an update of final: Unable to decode content state: homeScore: 45.5 does not "
                            + "decode as Int [decodeFailed]"))
            }
            try await lab.api.demand(
                "POST", "/v1/activities/semi/start",
                body: [
                    "type": "MatchAttributes", "attributes": ["home": "ARG"], "contentState": Lab.state(score: 0),
                    "audience": "all", "alert": ["title": "Kick-off", "body": "Now"],
                ])
            try await lab.until { lines.all.count == 4 }
            #expect(lines.all.suffix(2).allSatisfy { $0.contains("dropped a start of semi: ") && $0.contains("away") })
        }
    }

    @Test func `A problem of the SDK is a line, and a fault of the phone, each once`() async throws {
        try await run { lab, lines in
            let phone = lab.phones[0]
            let attributes: JSONValue = ["home": "ARG", "away": "FRA"]
            try phone.start(
                LocalStart(type: "MatchAttributes", attributes: attributes, contentState: Lab.state(score: 0)))
            try await lab.until { phone.state.faults.total > 0 }
            // The second report of the same problem is on its way or came before: both are over once a later one is in.
            try phone.start(
                LocalStart(type: "MatchAttributes", attributes: attributes, contentState: Lab.state(score: 1)))
            try await lab.until { phone.state.faults.total > 1 }
            let cards = phone.state.cards.map(\.id)
            for card in cards {
                #expect(phone.state.faults.entries.count { $0.contains(card) } == 1)
                #expect(lines.all.count { $0.hasPrefix("phone-1: card \(card)") } == 1)
            }
            #expect(phone.json.object?["faults"]?.array?.count == 2)
        }
    }

    @Test func `A flood of lines is cut off, and the rest is counted`() throws {
        let lines = Lines()
        let reports = PhoneReports(report: { lines.add($0) })
        let lab = try #require(
            PhoneFleet(clock: { Date(timeIntervalSince1970: 1_671_375_600) }).add(
                PhoneConfiguration(id: "phone-1", bundleID: "app")))
        reports.add(LabPhone(lab, user: nil, tags: [], app: Self.app, changes: FleetChanges()))
        for number in 0..<250 {
            reports.note(PhoneObservation(phone: "phone-1", fact: .fault("fault \(number)")))
            reports.note(PhoneObservation(phone: "phone-1", fact: .fault("fault \(number)")))
        }
        #expect(lines.all.count == PhoneReports.linesPerSecond)
        reports.endSecond()
        #expect(lines.all.last?.hasPrefix("… and 150 more") == true)
        reports.note(PhoneObservation(phone: "phone-1", fact: .fault("later")))
        reports.endSecond()
        #expect(lines.all.last == "phone-1: later")
    }

    @Test func `A type of one's own that has no member for a name gets ours`() throws {
        let schema = try ActivitySchema(
            json: ["attributes": ["type": "object"], "contentState": ["type": "object"]], type: "Other")
        let type = try LabType.custom("Pizza", schema: schema)
        let given = try #require(type.schemaForServer)
        #expect(given.type == "Pizza")
        #expect(given.attributesMember("eyotActivityName")?.isRequired == false)
        let named = try LabType.custom("Pizza", nameMember: "order", schema: schema)
        #expect(named.schemaForServer?.attributesMember("eyotActivityName") != nil)
    }
}
