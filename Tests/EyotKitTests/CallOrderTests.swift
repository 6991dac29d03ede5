import EyotContract
import EyotKit
import Foundation
import PhoneSimulator
import Testing

@Suite("Calls are carried out in their order", .timeLimit(.minutes(10)))
struct CallOrderTests {
    private let rig = Rig()

    @Test func `a type that is taken back at once is not registered afterwards`() async throws {
        try await rig.launch { eyot in
            for _ in 0..<20 {
                eyot.register(MatchAttributes.self)
                eyot.unregister(MatchAttributes.self)
            }
            eyot.identify("user-1")
            await rig.server.wait { $0.actions.last == .identify(user: "user-1") }
            // The last of the taking back came after the last registration.
            eyot.unregister(MatchAttributes.self)
            try await eyot.problem { $0 == .notRegistered(type: "MatchAttributes") }
            #expect(await rig.server.books.startable.isEmpty)
        }
    }

    @Test func `a card that is let go at once is not followed afterwards`() async throws {
        try await rig.launch { eyot in
            let activity = try rig.request("final")
            let instance = activity.id
            eyot.observe(activity)
            eyot.stopTracking(activity)
            try await eyot.event { $0.isForgotten(instance) }
            eyot.identify("user-1")
            await rig.server.wait { $0.actions.last == .identify(user: "user-1") }
            #expect(eyot.status(of: "final") == .notTracked)
        }
    }

    @Test func `an earlier launch's types end save those that are named or registered`() async throws {
        let others = Rig(types: ["MatchAttributes", "Other"])
        struct Other: ActivityAttributes {
            struct ContentState: Codable, Hashable {}
        }
        try await others.launch { eyot in
            eyot.register(MatchAttributes.self)
            eyot.register(Other.self)
            await others.server.wait { $0.startable.count == 2 }
        }
        try await others.launch { eyot in
            eyot.endStarts(except: ["Other"])
            await others.server.wait { $0.startable == ["Other"] }
        }
    }
}
