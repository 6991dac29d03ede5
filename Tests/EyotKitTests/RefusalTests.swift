import EyotContract
import EyotKit
import Foundation
import PhoneSimulator
import Testing

@Suite("What the server refused", .timeLimit(.minutes(10)))
struct RefusalTests {
    private let rig = Rig()
    private let signature = IdentitySignature("head.payload.signature")

    @Test func `a person is told again with the same signature, by the app's call and by the next launch`() async throws
    {
        let claim = DeviceChange.Action.identify(user: "anna", signature: signature)
        await rig.server.refuse(user: "anna")
        try await rig.launch { eyot in
            eyot.identify("anna", signature: "head.payload.signature")
            try await eyot.problem { $0 == .identityRefused(user: "anna", reason: "EXPIRED") }
            eyot.identify("anna", signature: "head.payload.signature")
            try await eyot.problem { $0 == .identityRefused(user: "anna", reason: "EXPIRED") }
            eyot.identify("anna")
            await rig.server.wait { $0.actions == [claim, claim, claim] }
        }
        await rig.server.refuse(user: nil)
        try await rig.launch { eyot in
            // Without a call of the app.
            await rig.server.wait { $0.actions == [claim, claim, claim, claim] }
            try await eyot.event { $0 == .confirmed(changes: 1) }
            eyot.identify("anna", signature: "head.payload.signature")
            eyot.addTags(["fan"])
            await rig.server.wait { $0.actions.last == .profile(.init(tags: ["fan"])) }
            #expect(await rig.server.books.actions.count { $0 == claim } == 4, "what is believed is not told again")
        }
        #expect(await rig.server.registrations.count == 1)
    }

    @Test func `an app that answers each refusal with the same call does not ask in a circle`() async throws {
        await rig.server.refuse(user: "anna")
        try await rig.launch { eyot in
            for call in 0..<30 {
                eyot.identify("anna")
                if call < 9 { try await eyot.problem { if case .identityRefused = $0 { true } else { false } } }
            }
            eyot.addTags(["fan"])
            await rig.server.wait { $0.actions.last == .profile(.init(tags: ["fan"])) }
            #expect(await rig.server.books.actions.count == 10)
            rig.clock.advance(by: 60)
            eyot.identify("anna")
            await rig.server.wait { $0.actions.last == .identify(user: "anna") }
        }
    }

    @Test func `an app that stays open tells it again when it comes to the foreground a while later`() async throws {
        await rig.server.refuse(user: "anna")
        try await rig.launch { eyot in
            eyot.identify("anna")
            try await eyot.problem { if case .identityRefused = $0 { true } else { false } }
            await rig.server.refuse(user: nil)
            rig.clock.advance(by: 900)
            rig.signals.say(.foreground)
            await rig.server.wait { $0.actions.count == 2 }
        }
    }

    @Test func `a profile is told again by the same call and by the next launch`() async throws {
        let told = DeviceChange.Action.profile(.init(tags: ["fan"]))
        await rig.server.refuse { $0.action == told }
        try await rig.launch { eyot in
            eyot.addTags(["fan"])
            try await eyot.problem { if case .changeRefused("profile", nil, 422, _) = $0 { true } else { false } }
            eyot.addTags(["fan"])
            try await eyot.problem { if case .changeRefused("profile", nil, 422, _) = $0 { true } else { false } }
        }
        await rig.server.refuse { _ in false }
        try await rig.launch { eyot in
            await rig.server.wait { $0.actions == [told] }
            try await eyot.event { $0 == .confirmed(changes: 1) }
            eyot.addTags(["fan"])
            eyot.identify("anna")
            await rig.server.wait { $0.actions == [told, .identify(user: "anna")] }
        }
    }

    @Test func `another person who is believed ends it`() async throws {
        await rig.server.refuse(user: "anna")
        try await rig.launch { eyot in
            eyot.identify("anna")
            try await eyot.problem { if case .identityRefused = $0 { true } else { false } }
            eyot.identify("bert")
            try await eyot.event { $0 == .confirmed(changes: 1) }
        }
        try await rig.launch { eyot in
            eyot.addTags(["fan"])
            await rig.server.wait { $0.actions.last == .profile(.init(tags: ["fan"])) }
        }
        #expect(await rig.server.books.actions.count == 3)
    }
}
