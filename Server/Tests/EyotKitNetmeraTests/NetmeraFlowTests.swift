import EyotContract
import EyotKitNetmera
import EyotLab
import EyotTestKit
import PhoneSimulator
import Testing

/// A parcel on its way.
struct ParcelAttributes: ActivityAttributes, NetmeraLiveActivityAttributes {
    struct ContentState: Codable, Hashable {
        var stopsLeft: Int
    }

    var netmeraGroupId: String?
    var courier: String
}

/// The app of the guide, with a type of its own, against a real server.
@Suite(.serialized, .timeLimit(.minutes(10))) struct `An app written for Netmera's SDK` {
    private static let type = "ParcelAttributes"

    private func run(_ body: (AppLab) async throws -> Void) async throws {
        let launch: @Sendable (Eyot) -> Void = { _ in
            if #available(iOS 17.2, *) {
                Netmera.register(forType: Activity<ParcelAttributes>.self, name: "parcels")
            }
            if #available(iOS 16.1, *) {
                Netmera.resumeObservingActivities(ofType: Activity<ParcelAttributes>.self)
            }
        }
        try await AppLab.run([LabType(ParcelAttributes.self)], launch: launch, body)
    }

    @Test func `has a card that the backend starts, updates, finds again after a kill, and ends`() async throws {
        try await run { app in
            try await app.start(
                "parcel-7", Self.type, attributes: ["netmeraGroupId": "parcel-7", "courier": "Ada"],
                state: ["stopsLeft": 9])
            try await app.update("parcel-7", state: ["stopsLeft": 8])
            app.phone.forceQuit()
            try app.phone.rotateToken(.only)
            app.phone.launch()
            try await app.update("parcel-7", state: ["stopsLeft": 7])
            try await app.end("parcel-7", state: ["stopsLeft": 0])
        }
    }

    @Test func `has a card that it starts itself updated and ended under its group`() async throws {
        try await run { app in
            try await app.phone.inApp { _ in
                let parcel = try Activity.request(
                    attributes: ParcelAttributes(netmeraGroupId: "parcel-8", courier: "Bob"),
                    content: ActivityContent(state: ParcelAttributes.ContentState(stopsLeft: 5), staleDate: nil),
                    pushType: .token)
                Netmera.observeActivity(parcel)
            }
            try await app.update("parcel-8", state: ["stopsLeft": 4])
            try await app.end("parcel-8", state: ["stopsLeft": 0])
        }
    }

    @Test func `is started no more once it has unregistered the name`() async throws {
        try await run { app in
            try await app.untilStartable([Self.type])
            try await app.phone.inApp { _ in Netmera.unregister(name: "parcels") }
            try await app.untilStartable([])
            let answer = try await app.declare(
                "parcel-9", "start",
                [
                    "type": .string(Self.type), "attributes": ["netmeraGroupId": "parcel-9", "courier": "Ada"],
                    "contentState": ["stopsLeft": 9], "audience": ["tag": "fans"],
                    "alert": ["title": "Off it goes", "body": "Have a look"],
                ])
            #expect(answer.object?["starting"] == 0)
        }
    }
}
