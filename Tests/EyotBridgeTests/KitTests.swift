import EyotBridge
import EyotBridgeProcess
import EyotContract
import EyotKit
import Foundation
import PhoneSimulator
import Testing

@MainActor
@Suite("The bridge with the SDK", .timeLimit(.minutes(10)))
struct KitTests {
    private let rig = Rig()
    private let server = RecordingServer()

    private func launch(_ body: (LiveActivityBridge, Eyot) async throws -> Void) async throws {
        let directory = FileManager.default.temporaryDirectory.appendingPathComponent("bridge-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: directory) }
        let eyot = Eyot(
            configuration: EyotConfiguration(
                server: try #require(URL(string: "https://eyot.example")), appKey: "key", environment: .sandbox,
                directory: directory, capabilities: Capabilities(iOS: 18, 1)),
            transport: server)
        try await PhoneProcess.$current.withValue(rig.app.phone.launch()) {
            let running = Task { await eyot.run() }
            let bridge = LiveActivityBridge(eyot: eyot)
            try bridge.register(MatchAttributes.self) { $0.match }
            try await body(bridge, eyot)
            running.cancel()
            await running.value
        }
    }

    /// Waits until a card is followed.
    private func followed(_ id: String, as name: String, _ eyot: Eyot) async throws {
        for await case .card(let card, .followed) in eyot.events where card.instance == id && card.name == name {
            return
        }
        throw CancellationError()
    }

    @Test func `a card that is started over the bridge is followed by the name in its attributes`() async throws {
        try await launch { bridge, eyot in
            let id = try await bridge.startMatch("final-2022")
            try await followed(id, as: "final-2022", eyot)
        }
    }

    @Test func `a card that a push starts is followed, since the type is registered for that`() async throws {
        try await launch { _, eyot in
            for await action in server.actions { if case .setStartToken = action { break } }
            let effect = try rig.app.pushStart("MatchAttributes", attributes: ["match": "semi"], state: ["score": 0])
            let id = try #require(effect.card)
            try await followed(id, as: "semi", eyot)
        }
    }

    @Test func `an update over the bridge is told to the server as the app's own`() async throws {
        try await launch { bridge, eyot in
            let id = try await bridge.startMatch()
            try await followed(id, as: "final", eyot)
            try await bridge.update(id, to: BridgedContent(state: ["score": 1]))
            for await action in server.actions {
                guard case .cardEvent(let card, .locallyChanged, _) = action else { continue }
                #expect(card.instance == id)
                break
            }
        }
    }
}
