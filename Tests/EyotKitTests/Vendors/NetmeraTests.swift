import EyotContract
import EyotKitNetmera
import Foundation
import PhoneSimulator
import Testing

/// A parcel on its way, as an app has it that comes from Netmera's SDK.
struct ParcelAttributes: ActivityAttributes, NetmeraLiveActivityAttributes {
    struct ContentState: Codable, Hashable {
        var stopsLeft: Int
    }

    var netmeraGroupId: String?
    var courier: String
}

@Suite("An app that comes from Netmera", .timeLimit(.minutes(10)))
struct NetmeraTests {
    private let rig = Rig(types: ["ParcelAttributes"])

    /// What such an app does at every launch.
    private func didFinishLaunching() {
        Netmera.register(forType: Activity<ParcelAttributes>.self, name: "parcels")
        Netmera.resumeObservingActivities(ofType: Activity<ParcelAttributes>.self)
    }

    private func parcel(_ group: String?) throws -> Activity<ParcelAttributes> {
        try rig.card(ParcelAttributes(netmeraGroupId: group, courier: "Ada"), .init(stopsLeft: 9))
    }

    @Test func `has its cards started by the backend, followed, and taken up again after it was killed`() async throws {
        try await rig.app { _ in
            didFinishLaunching()
            try await rig.pushStart(
                "ParcelAttributes", attributes: ["netmeraGroupId": "parcel-7", "courier": "Ada"],
                state: ["stopsLeft": 9])
            await rig.server.wait { $0.named == ["parcel-7"] }
        }
        let token = rig.phone.rotateToken(ofCard: try #require(rig.phone.state.cards.first?.id))
        try await rig.app { _ in
            didFinishLaunching()
            await rig.server.wait { $0.actions.contains { $0.updateToken?.token == token } }
        }
    }

    @Test func `has a card followed that it starts itself`() async throws {
        try await rig.app { _ in
            Netmera.observeActivity(try parcel("parcel-8"))
            await rig.server.wait { $0.named == ["parcel-8"] }
        }
    }

    @Test("is told where a card has no group", arguments: [nil, ""])
    func missing(group: String?) async throws {
        try await rig.app { eyot in
            let activity = try parcel(group)
            let instance = activity.id
            Netmera.observeActivity(activity)
            let problem = EyotProblem.nameMissing(type: "ParcelAttributes", instance: instance)
            try await eyot.problem { $0 == problem }
            #expect(problem.description.contains("netmeraGroupId"))
        }
    }

    @Test func `takes a type back by the name of its registration, and by no other`() async throws {
        try await rig.app { eyot in
            didFinishLaunching()
            await rig.server.wait { $0.startable == ["ParcelAttributes"] }
            Netmera.unregister(name: "letters")
            try await eyot.problem { $0 == .notRegistered(type: "letters") }
            Netmera.unregister(name: "parcels")
            await rig.server.wait { $0.startable.isEmpty }
        }
    }
}
