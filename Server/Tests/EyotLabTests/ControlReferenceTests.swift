import APNSSimulator
import EyotContract
import Foundation
import PhoneSimulator
import Testing

@testable import EyotLab

/// The commands of the lab's page on a lab, judged by what the phones show afterwards.
extension `The reference of the HTTP API` {
    /// The marker that identifies a command, the condition that soon holds after it, and its answer. `former` is the
    /// first phone before the command.
    private struct Expectation: Sendable {
        var marker: String
        var holds: @Sendable (_ lab: Lab, _ former: JSONObject?) -> Bool
        var answers: @Sendable (_ answer: JSONObject?) -> Bool

        init(
            _ marker: String, _ holds: @escaping @Sendable (_ lab: Lab, _ former: JSONObject?) -> Bool,
            answers: @escaping @Sendable (_ answer: JSONObject?) -> Bool = { _ in true }
        ) {
            (self.marker, self.holds, self.answers) = (marker, holds, answers)
        }
    }

    private static func waiting(_ lab: Lab, _ service: APNSEndpoint.Service) -> Int {
        lab.simulator.faults(of: service).count
    }

    private static func phone(_ lab: Lab) -> JSONObject? { lab.phones.first?.json.object }

    private static func card(_ phone: JSONObject?) -> JSONObject? { phone?["cards"]?.array?.last?.object }

    /// One for each command, in the order of the page.
    private static let expectations: [Expectation] =
        [
            .init("/phones  ", { lab, _ in lab.phones.count == 3 }),
            .init("/phones/phone-1  ", { lab, _ in phone(lab)?["id"] == "phone-1" }),
            .init(
                #"{"count":2"#,
                { lab, _ in
                    lab.phones.count == 5
                        && lab.phones.suffix(2).allSatisfy {
                            $0.user == "anna" && $0.tags == ["vip"] && $0.json.object?["os"] == "17.2"
                        }
                }
            ),
            .init("/start", { lab, _ in card(phone(lab))?["updateToken"]?.string?.isEmpty == false }),
            .init("/allow", { lab, _ in card(phone(lab))?["state"] == "active" }),
            .init(
                "/rotate",
                { lab, former in card(phone(lab))?["updateToken"] != card(former)?["updateToken"] }
            ),
            .init(
                "/update -d",
                { lab, _ in card(phone(lab))?["contentState"]?.object?["homeScore"]?.integer == 1 }
            ),
            .init("/end", { lab, _ in card(phone(lab))?["state"] == "ended" }),
            .init(
                "/rules",
                { lab, _ in
                    lab.phones[0].phone.rules.updateBudget.limit == 5 && lab.phones[0].phone.rules.tokenDelay == 3
                }
            ),
            .init("/background", { lab, _ in phone(lab)?["app"] == "background" }),
            .init("/offline", { lab, _ in phone(lab)?["online"] == false }),
            .init("/online", { lab, _ in phone(lab)?["online"] == true }),
            .init("/dismiss", { lab, _ in card(phone(lab))?["state"] == "dismissed" }),
            .init("/relaunch", { lab, _ in phone(lab)?["app"] == "foreground" }),
            .init("/identify", { lab, _ in phone(lab)?["user"] == "anna" }),
            .init("/logout", { lab, _ in phone(lab)?["user"] == .null }),
            .init(
                "/settings",
                { lab, _ in phone(lab)?["settings"]?.object?["frequentPushesEnabled"] == false }
            ),
            .init(
                "/install",
                { lab, _ in phone(lab)?["appVersion"] == "1.1 (2)" && phone(lab)?["app"] == "notRunning" }
            ),
            .init("/lock", { lab, _ in card(phone(lab))?["state"] == "dismissed" }),
            .init("/quit", { lab, _ in phone(lab)?["app"] == "notRunning" }),
            .init("/reboot", { lab, _ in phone(lab)?["app"] == "notRunning" }),
            .init("/updateSystem", { lab, _ in phone(lab)?["os"] == "27.0" }),
            .init("/reinstall", { lab, _ in phone(lab)?["cards"]?.array?.isEmpty == true }),
            .init("/pushes", { _, _ in true }, answers: { $0?["pushes"]?.array != nil && $0?["total"]?.integer == 0 }),
            .init("{\"late\":2}", { lab, _ in waiting(lab, .push) == 4 }),
            .init("broadcast", { lab, _ in waiting(lab, .broadcast) == 1 }),
            .init("standing", { lab, _ in lab.inner.withLock { $0.standing?.every } == 10 }),
            .init(
                "-X DELETE $control/faults",
                { lab, _ in APNSEndpoint.Service.allCases.allSatisfy { waiting(lab, $0) == 0 } }),
            .init("/clock/advance", { lab, _ in lab.clock.now().timeIntervalSinceNow > 3_000 }),
            .init(
                "/clock/speed", { lab, _ in lab.clock.now().timeIntervalSinceNow > 3_650 },
                answers: { $0?["speed"]?.double == 60 }),
            .init(
                "/clock  ", { _, _ in true },
                answers: { answer in
                    let now = answer?["now"]?.string.flatMap { RFC3339.date(from: $0) }
                    return now.map { $0.timeIntervalSinceNow > 3_000 } == true
                }),
            .init("/server/kill", { _, _ in true }, answers: { $0?["running"] == false }),
            .init("/server/start", { _, _ in true }, answers: { $0?["running"] == true }),
        ] + wall

    /// Those of the wall.
    private static let wall: [Expectation] = [
        .init(
            "view=slim", { _, _ in true },
            answers: { $0?["phones"]?.array?.count == 5 && $0?["counts"]?.object?["shown"] != nil }),
        .init("/why", { _, _ in true }, answers: { $0?["phone"]?.array != nil && $0?["id"] == "phone-1" }),
        .init(
            "/phones/act", { lab, _ in lab.phones.count { !$0.state.isOnline } == 1 },
            answers: { $0?["phones"]?.array?.count == 1 }),
        .init(
            "/activities/cup/start",
            { lab, _ in
                lab.phones.contains { phone in
                    phone.state.cards.contains { phone.name(of: $0) == "cup" }
                }
            }),
        .init(
            "/activities/cup/goal",
            { lab, _ in
                lab.phones.contains { phone in
                    phone.state.cards.contains {
                        $0.content.state.object?["homeScore"] == 1 && phone.name(of: $0) == "cup"
                    }
                }
            }),
        .init("/types", { _, _ in true }, answers: { $0?["types"]?.array?.isEmpty == false }),
    ]

    /// Those of nodes and their database, in the order of the page.
    private static let ofNodes: [Expectation] = {
        func state(_ state: JSONValue) -> @Sendable (JSONObject?) -> Bool { { $0?["state"] == state } }
        return [
            .init("/nodes  ", { _, _ in true }, answers: { $0?["nodes"]?.array?.count == 3 }),
            .init("/nodes/2/kill", { _, _ in true }, answers: { $0?["pid"] == .null && $0?["state"] == "stopped" }),
            .init(
                "/nodes/2/start", { _, _ in true }, answers: { $0?["name"] == "node-2" && $0?["state"] == "running" }),
            .init("/nodes/node-3/pause", { _, _ in true }, answers: state("paused")),
            .init("/nodes/node-3/continue", { _, _ in true }, answers: state("running")),
            .init("/nodes/1/stop", { _, _ in true }, answers: state("stopped")),
            .init("/nodes/1/start", { _, _ in true }, answers: state("running")),
            .init("/database/restart", { _, _ in true }, answers: state("running")),
            .init("/database/stop", { _, _ in true }, answers: state("stopped")),
            .init("/database/start", { _, _ in true }, answers: state("running")),
        ]
    }()

    /// The part of the page that needs a lab with several nodes, and the rest of it.
    private static func parts() throws -> (nodes: String, others: String) {
        let page = try String(contentsOf: root.appendingPathComponent("docs/reference/lab.md"), encoding: .utf8)
        let start = try #require(page.range(of: "\n### Nodes\n"))
        let end = page.range(of: "\n### ", range: start.upperBound..<page.endIndex)?.lowerBound ?? page.endIndex
        return (String(page[start.upperBound..<end]), String(page[..<start.lowerBound]) + page[end...])
    }

    /// The commands in a text that call the control API, a line each.
    private static func commands(in text: String) -> [String] {
        let blocks = text.components(separatedBy: "\n```").filter { $0.hasPrefix("sh\n") && $0.contains("curl") }
        var commands: [String] = []
        for line in blocks.flatMap({ $0.split(separator: "\n").dropFirst() }) {
            if line.hasPrefix("curl") {
                commands.append(String(line))
            } else {
                commands[commands.count - 1] += "\n" + line
            }
        }
        return commands
    }

    /// Makes a lab, and a function that runs commands as a reader of the page would type them.
    private func onPage(
        _ configuration: LabConfiguration = Rig.configuration(phones: 3),
        _ body: (Lab, _ play: (String) async throws -> (code: Int32, output: String, calls: [Call])) async throws ->
            Void
    ) async throws {
        try await Rig.run(configuration) { lab in
            let description = await lab.description
            let place: JSONValue = [
                "control": .string(description.control), "controlSecret": .string(description.controlSecret),
            ]
            let variables =
                #"control=$(jq -r .control lab.json); auth="Authorization: Bearer $(jq -r .controlSecret lab.json)""#
            try await Self.withShell { folder, environment in
                try Data(place.text.utf8).write(to: folder.appendingPathComponent("lab.json"))
                try await body(lab) { command in
                    try await run(
                        Block(text: "\(variables)\n\(command)"), in: folder, environment, url: description.control)
                }
            }
        }
    }

    @Test func `Every command of the lab's page does to phones what the page says`() async throws {
        try await onPage { lab, play in
            try await run(Self.commands(in: Self.parts().others), Self.expectations, lab, play)
        }
    }

    @Test func `Every command of the lab's page on nodes does what the page says`() async throws {
        var configuration = Rig.configuration(phones: 3)
        (configuration.nodes, configuration.database) = (3, .throwaway)
        try await onPage(configuration) { lab, play in
            let commands = try Self.commands(in: Self.parts().nodes)
            for action in LabNode.Action.allCases {
                #expect(
                    commands.contains { $0.contains("/\(action.rawValue) ") || $0.hasSuffix("/\(action.rawValue)") })
            }
            try await run(commands, Self.ofNodes, lab, play)
        }
    }

    private func run(
        _ commands: [String], _ expectations: [Expectation], _ lab: Lab,
        _ play: (String) async throws -> (code: Int32, output: String, calls: [Call])
    ) async throws {
        #expect(commands.count == expectations.count)
        for (command, expectation) in zip(commands, expectations) {
            #expect(command.contains(expectation.marker), "\(command)")
            let former = Self.phone(lab)
            let (code, output, calls) = try await play(command)
            #expect(code == 0 && calls.count == 1, "\(command): \(output)")
            #expect(calls.allSatisfy { (200..<300).contains($0.status) }, "\(command): \(output)")
            let answer = try? JSONValue(parsing: Array(output.utf8))
            #expect(expectation.answers(answer?.object), "\(command): \(output)")
            try await lab.until { expectation.holds(lab, former) }
        }
    }

    @Test func `A connection to the control API goes on after an offer of HTTP 2`() async throws {
        try await onPage { _, play in
            let (code, output, calls) = try await play(
                #"curl --http2 -s --max-time 20 -H "$auth" $control/phones $control/clock"#)
            #expect(code == 0 && calls.map(\.status) == [200, 200], "\(output)")
        }
    }

    @Test func `A phone's system is not updated to an older one`() async throws {
        try await onPage { lab, play in
            for os in ["16.4", "26", "x"] {
                let (_, output, calls) = try await play(
                    #"curl -s -H "$auth" $control/phones/phone-1/updateSystem -d '{"os":"\#(os)"}'"#)
                #expect(calls.map(\.status) == [422], "\(output)")
            }
            #expect(lab.phones[0].json.object?["os"] == "26.0")
        }
    }
}
