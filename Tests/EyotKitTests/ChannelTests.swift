import EyotContract
import EyotKit
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
