import APNSWire
import EyotContract
import Foundation
import PhoneSimulator
import Testing

@testable import EyotLab

/// Situations of phones that wait, or that a push does not reach, and what `GET /v1/why` finds.
@Suite("Why phones wait", .timeLimit(.minutes(10)))
struct WaitingLabTests {
    private static let demanding: JSONValue = [
        "attributes": ["type": "object"],
        "contentState": ["type": "object", "required": ["phase"], "properties": ["phase": ["type": "string"]]],
    ]

    @Test func `a proof, a planned moment and a person who never taps Allow are told apart`() async throws {
        try await Rig.run(phones: 1) { lab in
            _ = try await lab.add("asked") { $0.settings.allowed = .never }
            try await lab.untilStartable(2, tag: "fans")
            try await lab.start()
            try await lab.until("asked", is: "waitingForAllow")
            let moment = lab.now.addingTimeInterval(3_600).formatted(.iso8601)
            let body: JSONValue = [
                "type": "MatchAttributes", "attributes": ["eyotActivityName": "later", "home": "ARG", "away": "FRA"],
                "contentState": Lab.state(score: 0),
                "audience": ["user": "user-1"], "alert": ["title": "t", "body": "b"], "startsAt": .string(moment),
            ]
            let planned = try await lab.api.call("POST", "/v1/activities/later/start", body: body)
            try #require(planned.status == 202, "\(planned.problem)")
            let sentence = try await lab.until("user-1", is: "startPlanned", of: "later")
            #expect(sentence == "The card is started at \(moment).")
            try await lab.api.demand("PUT", "/v1/identity/mode", body: ["mode": "require"])
            let claimed = try await lab.add("claimed")
            try await lab.until { claimed.deviceID != nil }
            let device = try #require(claimed.deviceID)
            try await lab.until(asking: "device=\(device)&activity=\(Lab.activity)", is: "unprovenUser")
            try await lab.advanceClock(by: 9 * 3_600)
            // Both cards of the match are over.
            try await lab.untilPhase("ended", 2)
            try await lab.until("asked", is: "neverAllowed")
            try await lab.until("user-1", is: "overTime")
        }
    }

    @Test func `a token that Apple slows, and a state that a build does not decode, are told apart`() async throws {
        try await Rig.run(phones: 1) { lab in
            _ = try await lab.add("new") { options in
                options.build = PhoneBuild(version: "2.0 (7)")
                options.build.schemas["MatchAttributes"] = Self.demanding.text
            }
            try await lab.untilStartable(2, tag: "fans")
            try await lab.start()
            try await lab.until("user-1", is: "shown")
            try await lab.until("new", is: "startOnItsWay")
            try await lab.api.demand(
                "PUT", "/v1/types/MatchAttributes/schemas", body: ["schema": Self.demanding, "builds": ["2.0 (7)"]])
            try await lab.until("new", is: "undecodable")
            let faults = lab.simulator.faults(of: .push)
            faults.enqueue(Array(repeating: .refuse(.tooManyRequests), count: 5))
            try await lab.declare("update", score: 1, [("scope", ["user": "user-1"])])
            try await lab.until("user-1", is: "slowed")
            faults.clear()
            try await lab.advanceClock(by: 60)
            try await lab.untilShown(score: 1, on: [lab.phones[0]])
            try await lab.until("user-1", is: "shown")
        }
    }

    @Test(arguments: [
        (APNSReason.serviceUnavailable, "appleFails"), (.expiredProviderToken, "clockWrong"),
        (.tooManyProviderTokenUpdates, "keyShared"),
    ])
    func `what another push would not have changed is said of the app, and is over with the first push`(
        _ reason: APNSReason, _ code: String
    ) async throws {
        try await Rig.run(phones: 2) { lab in
            try await lab.start()
            try await lab.untilTokens(2)
            func found() async throws -> [String] {
                let list = try await lab.api.call("GET", "/v1/findings").body.object?["findings"]?.array ?? []
                return list.compactMap { $0.object?["code"]?.string }
            }
            lab.simulator.faults.stand(.refuse(reason))
            try await lab.declare("update", score: 1)
            try await lab.until("user-1", is: code)
            try await lab.untilServer { try await found() == [code] }
            let declared = try await lab.declare("update", score: 2)
            let warnings = declared.object?["warnings"]?.array?.compactMap(\.string) ?? []
            #expect(warnings.contains { $0.hasSuffix("[\(code)]") }, "\(warnings)")
            lab.simulator.faults.clear()
            try await lab.declare("update", score: 3)
            try await lab.untilShown(score: 3)
            try await lab.until("user-1", is: "shown")
            try await lab.untilServer { try await found() == [] }
        }
    }

    @Test func `a card of a channel that Apple has lost makes way for a new one, which shows the newest state`()
        async throws
    {
        try await Rig.run(phones: 1) { lab in
            let holder = try await lab.add("holder") { $0.os = IOSVersion(17, 5) }
            try await lab.untilStartable(2, tag: "fans")
            try await lab.start([("channel", true)])
            try await lab.untilShown(score: 0)
            // The activity has a channel in each environment.
            lab.simulator.faults(of: .broadcast).enqueue(Array(repeating: .refuse(.channelNotRegistered), count: 2))
            try await lab.declare("update", score: 1)
            try await lab.untilShown(score: 1, on: [holder])
            try await lab.until("user-1", is: "shown")
            try await lab.untilShown(score: 1)
            try await lab.until("holder", is: "shown")
        }
    }
}
