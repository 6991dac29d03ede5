import APNSSimulator
import EyotContract
import EyotLab
import PhoneSimulator
import Testing

@Suite(.serialized, .timeLimit(.minutes(10))) struct `A channel that Apple throttles` {
    @Test func `goes on with the newest state, and the cards with tokens do not wait for it`() async throws {
        var configuration = Rig.configuration(phones: 2)
        configuration.broadcastsPerMinute = 4
        try await Lab.run(configuration) { lab in
            var options = PhoneOptions()
            options.os = IOSVersion(17, 5)
            let holders = try await lab.addPhones(1, options)
            try await lab.untilStartable(3, tag: "fans")
            try await lab.start([("channel", true)])
            try await lab.untilShown(score: 0)
            try await lab.untilTokens(1)
            var (score, isSlowed) = (0, false)
            while !isSlowed {
                score += 1
                let answer = try await lab.declare("update", score: score)
                let warnings = answer.object?["warnings"]?.array?.compactMap(\.string) ?? []
                isSlowed = warnings.contains { $0.hasPrefix("channel is slowed in sandbox") }
                try await lab.untilShown(score: score, on: holders)
            }
            try await lab.advanceClock(by: 61)
            try await lab.untilShown(score: score)
            try await lab.declare("update", score: score + 1)
            try await lab.untilShown(score: score + 1)
            let broadcasts = lab.simulator.requests(limit: 1_000).filter {
                $0.endpoint == APNSEndpoint(.broadcast, .sandbox)
            }.sorted { $0.number < $1.number }
            let refused = broadcasts.firstIndex { $0.verdict.status == 429 } ?? 0
            #expect(refused >= 4, "Apple takes four")
            let next = try #require(broadcasts.dropFirst(refused + 1).first)
            #expect(next.time.timeIntervalSince(broadcasts[refused].time) > 14, "nothing within fifteen seconds")
        }
    }
}
