import EyotContract
import EyotKitInsider
import Foundation
import PhoneSimulator
import Testing

/// A table that is being prepared, as an app has it that comes from Insider's SDK.
struct TableAttributes: InsiderLiveActivitiesAttributes {
    struct ContentState: Codable, Hashable {
        var guestsAhead: Int
    }

    let insiderLiveActivityId: InsiderLiveActivityIdentifier
    let restaurant: String
}

@Suite("An app that comes from Insider", .timeLimit(.minutes(10)))
struct InsiderTests {
    private let rig = Rig(types: ["TableAttributes"])

    private func table(_ id: InsiderLiveActivityIdentifier) throws -> Activity<TableAttributes> {
        try rig.card(TableAttributes(insiderLiveActivityId: id, restaurant: "Chez Nous"), .init(guestsAhead: 4))
    }

    /// What such an app does at every launch.
    private func didFinishLaunching() async throws {
        try await Insider.liveActivities.resumeActivities(forType: Activity<TableAttributes>.self)
        try await Insider.liveActivities.register(forType: Activity<TableAttributes>.self)
    }

    @Test(
        "has its cards started by the backend, be the identifier a text or an object, and takes them up again",
        arguments: [JSONValue.string("table-7"), ["activityId": "table-7"]])
    func remote(identifier: JSONValue) async throws {
        try await rig.app { _ in
            try await didFinishLaunching()
            try await rig.pushStart(
                "TableAttributes", attributes: ["insiderLiveActivityId": identifier, "restaurant": "Chez Nous"],
                state: ["guestsAhead": 4])
            await rig.server.wait { $0.named == ["table-7"] }
        }
        let token = rig.phone.rotateToken(ofCard: try #require(rig.phone.state.cards.first?.id))
        try await rig.app { _ in
            try await didFinishLaunching()
            await rig.server.wait { $0.actions.contains { $0.updateToken?.token == token } }
        }
    }

    @Test func `has a card followed that it starts itself, before anybody is logged in, too`() async throws {
        try await rig.app { eyot in
            try await didFinishLaunching()
            _ = try table(.custom("table-8"))
            await rig.server.wait { $0.named == ["table-8"] && $0.startable == ["TableAttributes"] }
            eyot.identify("user-1")
            await rig.server.wait { $0.actions.contains(.identify(user: "user-1")) }
            #expect(InsiderLiveActivityIdentifier.custom("table-9").insiderId == "user-1")
            await rig.server.wait { $0.actions.filter { $0.updateToken != nil }.count == 2 }
        }
        try await rig.app { eyot in
            await rig.server.wait { $0.requests.count > 2 }
            try await didFinishLaunching()
            await rig.server.wait { $0.actions.filter { $0.updateToken != nil }.count == 3 }
            #expect(
                InsiderLiveActivityIdentifier.custom("table-9").insiderId == "user-1", "known from the launch before")
            eyot.logout()
            #expect(InsiderLiveActivityIdentifier.custom("table-9").insiderId == "")
        }
    }

    @Test func `stops following a card by its identifier, which runs on`() async throws {
        try await rig.app { eyot in
            try await didFinishLaunching()
            let activity = try table(.custom("table-8"))
            let instance = activity.id
            await rig.server.wait { $0.named == ["table-8"] }
            await Insider.liveActivities.cancel(activityId: activity.attributes.insiderLiveActivityId)
            try await eyot.event { $0.isForgotten(instance) }
            #expect(try rig.card(instance).phase == .active)
            await rig.server.wait { $0.startable == ["TableAttributes"] }
        }
    }

    @Test("stops following a type, or everything, and the backend can start no more", arguments: [false, true])
    func cancel(everything: Bool) async throws {
        try await rig.app { eyot in
            try await didFinishLaunching()
            let instance = try table(.auto).id
            await rig.server.wait { !$0.named.isEmpty && $0.startable == ["TableAttributes"] }
            if everything {
                await Insider.liveActivities.cancelAll()
            } else {
                await Insider.liveActivities.cancel(forType: Activity<TableAttributes>.self)
            }
            try await eyot.event { $0.isForgotten(instance) }
            await rig.server.wait { $0.startable.isEmpty }
            _ = try table(.custom("table-8"))
            eyot.identify("user-1")
            await rig.server.wait { $0.actions.last == .identify(user: "user-1") }
            #expect(eyot.status(of: "table-8") == .notTracked)
        }
    }

    @Test func `is told where Live Activities are switched off, and goes on once they are on`() async throws {
        rig.phone.changeSettings { $0.activitiesEnabled = false }
        try await rig.app { _ in
            await #expect(throws: InsiderLiveActivitiesError.authorizationDenied) {
                try await Insider.liveActivities.register(forType: Activity<TableAttributes>.self)
            }
            await #expect(throws: InsiderLiveActivitiesError.authorizationDenied) {
                try await Insider.liveActivities.resumeActivities(forType: Activity<TableAttributes>.self)
            }
            rig.phone.changeSettings { $0.activitiesEnabled = true }
            _ = try table(.custom("table-8"))
            await rig.server.wait { $0.named == ["table-8"] && $0.startable == ["TableAttributes"] }
        }
    }

    @Test(arguments: [
        #""table-7""#, #"{"activityId":"table-7","insiderId":"u","partnerName":"p"}"#,
    ]) func `An identifier is written as it was read`(text: String) throws {
        let identifier = try JSONDecoder().decode(InsiderLiveActivityIdentifier.self, from: Data(text.utf8))
        #expect(identifier.activityId == "table-7")
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        #expect(String(decoding: try encoder.encode(identifier), as: UTF8.self) == text)
        #expect(InsiderLiveActivityIdentifier(rawValue: identifier.rawValue) == identifier)
    }

    @Test func `A type's schema takes a text and an object for the identifier, as the type does`() throws {
        let schema = try ActivitySchema(of: TableAttributes.self)
        guard case .union(let shapes)? = schema.attributesMember("insiderLiveActivityId")?.shape else {
            Issue.record("the identifier has one shape only")
            return
        }
        // The text is where the server puts the name.
        #expect(shapes.contains(.text(.string)))
        for text in [
            #""table-7""#, #"{"activityId":"table-7","insiderId":"u","partnerName":"p"}"#, #"{"activityId":"t"}"#,
        ] {
            var attributes = JSONObject()
            attributes["insiderLiveActivityId"] = try JSONValue(parsing: text)
            #expect(schema.mismatch(ofAttributes: .object(attributes))?.path != "attributes.insiderLiveActivityId")
        }
        let wrong = JSONObject([("insiderLiveActivityId", JSONValue.object(JSONObject([("insiderId", "u")])))])
        #expect(schema.mismatch(ofAttributes: .object(wrong))?.path.contains("insiderLiveActivityId") == true)
    }

    @Test func `An identifier of the app's own is new each time`() {
        #expect(InsiderLiveActivityIdentifier.auto != .auto)
        #expect(InsiderLiveActivityIdentifier.custom("a").activityId == "a")
    }
}
