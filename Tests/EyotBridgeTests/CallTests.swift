import EyotBridge
import EyotBridgeProcess
import EyotContract
import EyotKit
import Foundation
import PhoneSimulator
import Testing

@MainActor
@Suite("Calls over the bridge", .timeLimit(.minutes(10)))
struct CallTests {
    private let rig = Rig()

    @Test("start shows a card and answers it, by either spelling", arguments: ["attributesType", "attributeTypes"])
    func start(key: String) async throws {
        try await rig.launch { bridge in
            let card = try await bridge.result(
                "start",
                .object(
                    JSONObject([
                        (key, "MatchAttributes"), ("attributes", ["match": "final"]),
                        (
                            "content",
                            ["state": ["score": 1], "staleDate": "2022-12-18T18:30:00.5Z", "relevanceScore": 50]
                        ),
                    ])))
            let id = try #require(card["id"]?.string)
            #expect(
                card == [
                    "id": .string(id), "attributesType": "MatchAttributes", "attributeTypes": "MatchAttributes",
                    "state": "active",
                    "content": [
                        "state": ["score": 1], "staleDate": "2022-12-18T18:30:00.500Z", "relevanceScore": 50.0,
                    ],
                    "attributes": ["match": "final"],
                ])
            let shown = try rig.card(id)
            #expect(shown.content.state == ["score": 1] && shown.content.relevanceScore == 50)
            #expect(shown.content.staleDate == Date(timeIntervalSince1970: 1_671_388_200.5))
            #expect(shown.updates == .token)
        }
    }

    @Test func `start needs neither relevance nor stale date, and says the relevance all the same`() async throws {
        try await rig.launch { bridge in
            let card = try await bridge.result(
                "start",
                [
                    "attributesType": "MatchAttributes", "attributes": ["match": "final"],
                    "content": ["state": ["score": 1], "staleDate": nil],
                ])
            #expect(card["content"] == ["state": ["score": 1], "relevanceScore": 0.0])
        }
    }

    @Test("update shows other content, with the type's name or without", arguments: [nil, "MatchAttributes"])
    func update(type: String?) async throws {
        try await rig.launch { bridge in
            let id = try await bridge.startMatch()
            var request = JSONObject([("activityId", .string(id)), ("content", ["state": ["score": 2]])])
            request["attributesType"] = type.map(JSONValue.string)
            #expect(try await bridge.result("update", .object(request)) == .null)
            #expect(try rig.card(id).content.state == ["score": 2])
        }
    }

    @Test func `end without more leaves what the card shows, for the system to remove`() async throws {
        try await rig.launch { bridge in
            let id = try await bridge.startMatch(score: 3)
            #expect(try await bridge.result("end", ["activityId": .string(id)]) == .null)
            #expect(try rig.card(id).phase == .ended)
            #expect(try rig.card(id).content.state == ["score": 3])
            #expect(try await bridge.result("listAll").array?.first?["state"] == "ended")
        }
    }

    @Test(
        "end takes last content and each policy",
        arguments: [
            (#"{"type":"default"}"#, 4 * 3_600), (#"{"type":"immediate"}"#, 0),
            (#"{"type":"after","date":"2022-12-18T15:00:10Z"}"#, 10),
        ])
    func end(policy: String, seconds: Int) async throws {
        try await rig.launch { bridge in
            let id = try await bridge.startMatch()
            _ = try await bridge.result(
                "end",
                [
                    "attributesType": "MatchAttributes", "activityId": .string(id), "content": ["state": ["score": 4]],
                    "dismissalPolicy": JSONValue(parsing: policy),
                ])
            let card = try rig.card(id)
            #expect(card.content.state == ["score": 4])
            let ended = try #require(card.endedAt)
            #expect(card.removedAt == ended.addingTimeInterval(Double(seconds)))
        }
    }

    @Test func `an end after the end is left to the system`() async throws {
        try await rig.launch { bridge in
            let id = try await bridge.startMatch()
            try await bridge.end(id)
            #expect(try await bridge.result("end", ["activityId": .string(id)]) == .null)
            #expect(try rig.card(id).phase == .ended)
        }
    }

    @Test func `list has the cards of one type, listAll those of all, also those that a push started`() async throws {
        try await rig.launch { bridge in
            #expect(await bridge.call("listAll", Data()) == Data(#"{"result":[]}"#.utf8))
            let first = try await bridge.startMatch("final")
            let second = try await bridge.startMatch("third place")
            let effect = try rig.app.pushStart("DeliveryAttributes", attributes: ["order": 7], state: ["due": 3])
            let third = try #require(effect.card)
            let matches = try await bridge.result("list", ["attributesType": "MatchAttributes"])
            #expect(matches.array?.compactMap { $0["id"]?.string } == [first, second].sorted())
            let deliveries = try await bridge.result("list", ["attributeTypes": "DeliveryAttributes"])
            #expect(deliveries.array?.map { $0["attributes"] } == [["order": 7]])
            let all = try await bridge.result("listAll", .null)
            #expect(all.array?.compactMap { $0["id"]?.string } == [first, second, third].sorted())
            rig.app.phone.dismiss(card: first)
            #expect(try await bridge.listAll().cards.map(\.id) == [second, third].sorted())
        }
    }

    @Test func `a type goes by the name that the app gives it`() async throws {
        try await rig.launch(registering: false) { bridge in
            try bridge.register(MatchAttributes.self, attributesType: "match")
            let card = try await bridge.start(
                "match", attributes: ["match": "final"], content: BridgedContent(state: ["score": 0]))
            #expect(card.attributesType == "match")
            #expect(try rig.card(card.id).type == "MatchAttributes")
        }
    }

    @Test func `a binding's calls go to the shared bridge once there is one`() async throws {
        let early = await LiveActivityBridge.answer("listAll", "")
        #expect(early.hasPrefix(#"{"error":{"code":"notSetUp","#))
        try await rig.launch { bridge in
            LiveActivityBridge.shared = bridge
            defer { LiveActivityBridge.shared = nil }
            #expect(await LiveActivityBridge.answer("listAll", "{}") == #"{"result":[]}"#)
        }
    }
}
