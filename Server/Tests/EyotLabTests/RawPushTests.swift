import EyotContract
import EyotLab
import PhoneSimulator
import Testing

/// Pushes that are written by hand, to phones of a lab.
@Suite("Pushes by hand", .timeLimit(.minutes(10)))
struct RawPushTests {
    private func push(
        _ lab: Lab, token: String, _ payload: JSONValue, dryRun: Bool = false
    ) async throws -> APIClient.Answer {
        try await lab.api.call(
            "POST", "/v1/raw-pushes" + (dryRun ? "?dryRun=true" : ""),
            body: [
                "environment": "sandbox", "token": .string(token), "payload": payload, "type": "MatchAttributes",
            ])
    }

    private func update(_ lab: Lab, score: Int) -> JSONValue {
        [
            "aps": [
                // Later than the second of the start, which may be this one.
                "timestamp": .integer(Int(lab.now.timeIntervalSince1970) + 1), "event": "update",
                "content-state": Lab.state(score: score),
            ]
        ]
    }

    @Test func `A push reaches the phone, a dry run does not, and Apple's refusal is explained`() async throws {
        try await Rig.run(phones: 1) { lab in
            try await lab.untilDone(lab.start())
            try await lab.untilTokens(1)
            let token = try #require(lab.phones[0].cardsInView.first?.updateToken?.hex)
            let tried = try await push(lab, token: token, update(lab, score: 8), dryRun: true)
            #expect(tried.status == 200)
            #expect(tried.body.object?["verdict"] == nil && tried.body.object?["problems"] == [])
            #expect(tried.body.object?["headers"]?.object?["apns-topic"] == "app.eyot.lab.push-type.liveactivity")
            let sent = try await push(lab, token: token, update(lab, score: 9))
            #expect(sent.body.object?["verdict"] == "accepted")
            try await lab.untilShown(score: 9)
            let refused = try await push(lab, token: "00ff", update(lab, score: 9))
            #expect(refused.body.object?["reason"] == "BadDeviceToken" && refused.body.object?["status"] == 400)
        }
    }

    @Test func `What phones would drop is said, and a halted app sends nothing`() async throws {
        try await Rig.run(phones: 0) { lab in
            let faulty = try await push(lab, token: "00ff", ["aps": ["event": "update"]], dryRun: true)
            #expect(faulty.body.object?["problems"]?.array?.isEmpty == false)
            _ = try await lab.api.call("POST", "/v1/apps/app.eyot.lab/halt")
            let halted = try await push(lab, token: "00ff", update(lab, score: 1))
            #expect(halted.status == 409 && halted.body.object?["code"] == "activityHalted")
        }
    }
}
