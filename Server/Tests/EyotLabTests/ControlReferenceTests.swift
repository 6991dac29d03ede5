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

    /// The commands that call the control API, a line each.
    private static func commands() throws -> [String] {
        let page = root.appendingPathComponent("docs/reference/lab.md")
        let text = try String(contentsOf: page, encoding: .utf8)
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
        _ body: (Lab, _ play: (String) async throws -> (code: Int32, output: String, calls: [Call])) async throws ->
            Void
    ) async throws {
        try await Rig.run(phones: 3) { lab in
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
            let commands = try Self.commands()
            #expect(commands.count == Self.expectations.count)
            for (command, expectation) in zip(commands, Self.expectations) {
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
