import EyotContract
import EyotKitInsider
import EyotLab
import EyotTestKit
import PhoneSimulator
import Testing

/// A table that is being prepared.
struct TableAttributes: InsiderLiveActivitiesAttributes {
    struct ContentState: Codable, Hashable {
        var guestsAhead: Int
    }

    let insiderLiveActivityId: InsiderLiveActivityIdentifier
    let restaurant: String
}

/// The app of the guide, with a type of its own, against a real server.
@Suite(.serialized, .timeLimit(.minutes(10))) struct `An app written for Insider's SDK` {
    private static let type = "TableAttributes"

    private func run(_ body: (AppLab) async throws -> Void) async throws {
        let launch: @Sendable (Eyot) async throws -> Void = { _ in
            try await Insider.liveActivities.resumeActivities(forType: Activity<TableAttributes>.self)
            if #available(iOS 17.2, *) {
                do {
                    try await Insider.liveActivities.register(forType: Activity<TableAttributes>.self)
                } catch InsiderLiveActivitiesError.authorizationDenied {
                    Issue.record("the person has not switched anything off")
                }
            }
        }
        try await AppLab.run([LabType(TableAttributes.self)], launch: launch, body)
    }

    @Test(
        "has a card that the backend starts, updates, finds again after a kill, and ends",
        arguments: [
            JSONValue.string("table-7"),
            ["activityId": "table-7", "insiderId": "guest-1", "partnerName": "chez-nous"],
        ])
    func remote(identifier: JSONValue) async throws {
        try await run { app in
            try await app.start(
                "table-7", Self.type, attributes: ["insiderLiveActivityId": identifier, "restaurant": "Chez Nous"],
                state: ["guestsAhead": 4])
            try await app.update("table-7", state: ["guestsAhead": 3])
            app.phone.forceQuit()
            try app.phone.rotateToken(.only)
            app.phone.launch()
            try await app.update("table-7", state: ["guestsAhead": 2])
            try await app.end("table-7", state: ["guestsAhead": 0])
        }
    }

    @Test func `has a card that it starts itself updated under its identifier, and stops following it`() async throws {
        try await run { app in
            let identifier = try await app.phone.inApp { _ in
                let identifier = InsiderLiveActivityIdentifier.custom("table-8")
                _ = try Activity.request(
                    attributes: TableAttributes(insiderLiveActivityId: identifier, restaurant: "Chez Nous"),
                    content: .init(state: .init(guestsAhead: 9), staleDate: nil), pushType: .token)
                return identifier
            }
            #expect(identifier.insiderId == app.phone.user)
            #expect(identifier.partnerName == LabConfiguration.bundleID)
            try await app.update(identifier.activityId, state: ["guestsAhead": 8])
            try await app.phone.inApp { _ in await Insider.liveActivities.cancel(activityId: identifier) }
            try await app.untilForgotten(identifier.activityId)
            #expect(app.phone.state.cards.last?.phase == .active)
        }
    }

    @Test("is started no more once it has cancelled", arguments: [false, true])
    func cancelled(everything: Bool) async throws {
        try await run { app in
            try await app.untilStartable([Self.type])
            try await app.phone.inApp { _ in
                if everything {
                    await Insider.liveActivities.cancelAll()
                } else {
                    await Insider.liveActivities.cancel(forType: Activity<TableAttributes>.self)
                }
            }
            try await app.untilStartable([])
        }
    }
}
