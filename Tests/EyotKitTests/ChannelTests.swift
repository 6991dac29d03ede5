import EyotContract
import EyotKit
import PhoneSimulator
import Testing

@Suite("Asking for a channel")
struct ChannelTests {
    @Test func `the server's answer is what the card can follow`() async throws {
        let rig = Rig()
        await rig.server.setChannel("dHN0LXNyY2gtY2hubA==", of: "final")
        try await rig.launch { eyot in
            try await eyot.event { if case .registered = $0 { true } else { false } }
            #expect(try await eyot.channel(of: "final") == "dHN0LXNyY2gtY2hubA==")
            #expect(try await eyot.channel(of: "semi") == nil)
        }
    }

    @Test func `a card that may follow a channel is not missed for want of a token, in the next launch either`()
        async throws
    {
        let rig = Rig()
        await rig.server.setChannel("dHN0LXNyY2gtY2hubA==", of: "final")
        /// The cards that are missed until the one is that has nothing to do with a channel.
        func missed(_ eyot: Eyot) async throws -> Set<String> {
            await rig.clock.waitForSleepers(2, of: TokenAbsence.patience)
            rig.clock.advance(by: TokenAbsence.patience)
            var missed: Set<String> = []
            try await eyot.problem {
                if case .tokenMissing(let name, _, _) = $0 { missed.insert(name) }
                return missed.contains("semi")
            }
            eyot.unregister(name: "the last")
            try await eyot.problem {
                if case .tokenMissing(let name, _, _) = $0 { missed.insert(name) }
                return $0 == .notRegistered(type: "the last")
            }
            return missed
        }
        func request(_ name: String) throws -> Activity<MatchAttributes> {
            try Activity.request(
                attributes: MatchAttributes(home: "ARG", eyotActivityName: name),
                content: ActivityContent(state: MatchAttributes.ContentState(score: 0), staleDate: nil))
        }
        try await rig.launch { eyot in
            try await eyot.event { if case .registered = $0 { true } else { false } }
            _ = try await eyot.channel(of: "final")
            eyot.observe(try request("final"))
            try await eyot.event { $0.follows("final") }
            eyot.observe(try request("semi"))
            try await eyot.event { $0.follows("semi") }
            #expect(try await missed(eyot) == ["semi"])
        }
        try await rig.launch { eyot in
            eyot.resume(MatchAttributes.self)
            for name in ["final", "semi"] { try await eyot.event { $0.follows(name) } }
            #expect(try await missed(eyot) == ["semi"])
        }
    }

    @Test func `before the device is registered there is none`() async throws {
        let rig = Rig()
        let eyot = Eyot(configuration: rig.configuration, transport: rig.server)
        #expect(try await eyot.channel(of: "final") == nil)
        #expect(await rig.server.requests.isEmpty)
    }

    @Test func `a server that fails is not taken for one that has none`() async throws {
        let rig = Rig()
        try await rig.launch { eyot in
            try await eyot.event { if case .registered = $0 { true } else { false } }
            await rig.server.plan(.channel, [.status(503, body: #"{"detail":"stopping"}"#), .lost])
            let error = await #expect(throws: ChannelQuestionFailed.self) { try await eyot.channel(of: "final") }
            #expect(error?.description == "stopping")
            await #expect(throws: (any Error).self) { try await eyot.channel(of: "final") }
            #expect(await rig.server.requests.count { $0.route == .channel } == 2, "nothing is asked twice")
        }
    }
}
