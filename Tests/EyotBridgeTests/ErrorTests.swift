import EyotBridgeProcess
import EyotContract
import EyotKit
import Foundation
import PhoneSimulator
import Testing

@testable import EyotBridge

@MainActor
@Suite("Errors of the bridge", .timeLimit(.minutes(10)))
struct ErrorTests {
    private let rig = Rig()

    @Test(
        "A request that is wrong is refused by the name of what is wrong",
        arguments: [
            ("list", "{}", "badRequest: attributesType is missing"),
            ("list", #"{"attributesType":1}"#, "badRequest: attributesType must be a string, not a number"),
            ("list", "[]", "badRequest: the body must be an object, not an array"),
            (
                "list", #"{"attributesType":"A","attributeTypes":"B"}"#,
                "badRequest: attributeTypes says another type than attributesType"
            ),
            ("listAll", #"{"x":1}"#, "badRequest: x is not a field of this call"),
            ("listAll", "{", "badRequest: the request is no JSON: the text ends in the middle of a value"),
            ("start", #"{"attributesType":"A","attributes":{}}"#, "badRequest: content is missing"),
            ("start", #"{"attributesType":"A","content":{"state":{}}}"#, "badRequest: attributes is missing"),
            ("start", #"{"attributesType":"A","attributes":{},"content":{}}"#, "badRequest: content.state is missing"),
            (
                "start", #"{"attributesType":"A","attributes":{},"content":{"state":{},"staleDate":"tomorrow"}}"#,
                "badRequest: content.staleDate must be a date with a zone, such as 2022-12-18T15:00:00Z"
            ),
            (
                "start", #"{"attributesType":"A","attributes":{},"content":{"state":{},"score":1}}"#,
                "badRequest: content.score is not a field of this call"
            ),
            ("update", #"{"content":{"state":{}}}"#, "badRequest: activityId is missing"),
            ("update", #"{"activityId":"1"}"#, "badRequest: content is missing"),
            (
                "end", #"{"activityId":"1","dismissalPolicy":{"type":"soon"}}"#,
                "badDismissalPolicy: dismissalPolicy.type must be default, immediate or after"
            ),
            (
                "end", #"{"activityId":"1","dismissalPolicy":{"type":"after"}}"#,
                "badDismissalPolicy: dismissalPolicy.date is missing"
            ),
            (
                "end", #"{"activityId":"1","dismissalPolicy":{"type":"immediate","date":"2022-12-18T15:00:00Z"}}"#,
                "badDismissalPolicy: dismissalPolicy.date is not a field of this call"
            ),
            (
                "end", #"{"activityId":"1","dismissalPolicy":"immediate"}"#,
                "badDismissalPolicy: dismissalPolicy must be an object, not a string"
            ),
            ("stop", "{}", "unknownMethod: there is no call stop; there are start, update, end, list, listAll"),
        ])
    func refused(method: String, request: String, error: String) async throws {
        try await rig.launch { bridge in
            let answer = try JSONValue(parsing: await bridge.call(method, Data(request.utf8)))
            let said = try #require(answer["error"])
            #expect("\(said["code"]?.string ?? ""): \(said["message"]?.string ?? "")" == error)
        }
    }

    @Test func `a request has a limit`() async throws {
        try await rig.launch { bridge in
            let limit = LiveActivityBridge.requestLimit
            let fits = Data("{}".utf8 + Array(repeating: UInt8(ascii: " "), count: limit - 2))
            #expect(await bridge.call("listAll", fits) == Data(#"{"result":[]}"#.utf8))
            let answer = try JSONValue(parsing: await bridge.call("listAll", fits + [UInt8(ascii: " ")]))
            #expect(answer["error"]?["code"] == "requestTooLarge")
        }
    }

    @Test(
        "What does not decode is refused, with the place and the reason",
        arguments: [
            (#"{"match":1}"#, #"{"score":0}"#, "attributes.match: Expected to decode String but found number instead."),
            ("{}", #"{"score":0}"#, "attributes.match: is missing"),
            (#"{"match":"a"}"#, #"{"goals":[]}"#, "content.state.score: is missing"),
            (
                #"{"match":"a"}"#, #"{"score":0,"goals":[{"minute":1},{}]}"#,
                "content.state.goals[1].minute: is missing"
            ),
        ])
    func undecodable(attributes: String, state: String, reason: String) async throws {
        try await rig.launch { bridge in
            let error = try await bridge.error(
                "start",
                [
                    "attributesType": "MatchAttributes", "attributes": JSONValue(parsing: attributes),
                    "content": ["state": JSONValue(parsing: state)],
                ])
            #expect(error == "decodingFailed: \(reason)")
            #expect(rig.app.phone.state.cards.isEmpty)
        }
    }

    @Test func `an update and an end that do not decode change nothing`() async throws {
        try await rig.launch { bridge in
            let id = try await bridge.startMatch(score: 1)
            for method in ["update", "end"] {
                let error = try await bridge.error(
                    method, ["activityId": .string(id), "content": ["state": ["score": "2"]]])
                #expect(error.hasPrefix("decodingFailed: content.state.score: "))
            }
            #expect(try rig.card(id).content.state == ["score": 1])
            #expect(try rig.card(id).phase == .active)
        }
    }

    @Test func `a missing push capability is named, and Info.plist is not blamed for it`() {
        let refusal = NSError(domain: "SessionCore.PermissionsError", code: 4)
        let other = NSError(domain: "SessionCore.PermissionsError", code: 3)
        #expect(BridgeError(starting: refusal).description.hasPrefix("unsupported: the app lacks an entitlement"))
        #expect(BridgeError(starting: ActivityAuthorizationError.unentitled) == BridgeError(starting: refusal))
        #expect(BridgeError(starting: ActivityAuthorizationError.unsupportedTarget).message.contains("Info.plist"))
        #expect(BridgeError(starting: other).code == .startFailed)
    }

    @Test func `a type that is not registered is refused, with those that are`() async throws {
        try await rig.launch { bridge in
            let error = try await bridge.error("list", ["attributesType": "OrderAttributes"])
            #expect(
                error == "typeNotRegistered: no type is registered as OrderAttributes; "
                    + "registered are MatchAttributes, DeliveryAttributes")
            let id = try await bridge.startMatch()
            for method in ["update", "end"] {
                let error = try await bridge.error(
                    method,
                    [
                        "activityId": .string(id), "attributesType": "OrderAttributes",
                        "content": ["state": ["score": 1]],
                    ])
                #expect(error.hasPrefix("typeNotRegistered: "))
            }
        }
        try await rig.launch(registering: false) { bridge in
            let error = try await bridge.error("list", ["attributesType": "OrderAttributes"])
            #expect(error == "typeNotRegistered: no type is registered as OrderAttributes; none is")
        }
    }

    @Test func `an id that no card has is refused, and so is one of another type`() async throws {
        try await rig.launch { bridge in
            let id = try await bridge.startMatch()
            for method in ["update", "end"] {
                #expect(
                    try await bridge.error(method, ["activityId": "nobody", "content": ["state": ["score": 1]]])
                        == "cardNotFound: no card with the id nobody is in view")
                #expect(
                    try await bridge.error(
                        method,
                        [
                            "activityId": .string(id), "attributesType": "DeliveryAttributes",
                            "content": ["state": ["due": 1]],
                        ])
                        == "cardNotFound: no card of type DeliveryAttributes with the id \(id) is in view")
            }
        }
    }

    @Test func `a card that has ended takes no update`() async throws {
        try await rig.launch { bridge in
            let id = try await bridge.startMatch()
            try await bridge.end(id)
            let error = try await bridge.error(
                "update", ["activityId": .string(id), "content": ["state": ["score": 1]]])
            #expect(error == "cardEnded: card \(id) has ended and takes no more updates")
        }
    }

    @Test func `a type is registered once, under one name`() async throws {
        try await rig.launch { bridge in
            for attempt in [
                { try bridge.register(MatchAttributes.self) },
                { try bridge.register(MatchAttributes.self, attributesType: "other") },
                { try bridge.register(UnusedAttributes.self, attributesType: "MatchAttributes") },
            ] as [@MainActor () throws -> Void] {
                let error = #expect(throws: BridgeError.self) { try attempt() }
                #expect(error?.code == .typeAlreadyRegistered)
            }
        }
    }

    @Test func `a start in the background, or with Live Activities off, is refused by that reason`() async throws {
        try await rig.launch { bridge in
            rig.app.phone.moveToBackground()
            let inBackground = try await refusal(of: bridge)
            rig.app.phone.launch()
            rig.app.phone.changeSettings { $0.activitiesEnabled = false }
            let switchedOff = try await refusal(of: bridge)
            rig.app.phone.changeSettings { $0.activitiesEnabled = true }
            let tooLarge = try await refusal(of: bridge, match: String(repeating: "f", count: 5_000))
            let allowed = try await refusal(of: bridge)
            #expect(
                [inBackground, switchedOff, tooLarge, allowed] == [.inBackground, .switchedOff, .contentTooLarge, nil])
        }
    }

    @Test func `a start beyond what the phone shows is refused by that reason`() async throws {
        try await rig.launch { bridge in
            var refused: BridgeError.Code?
            for _ in 0..<100 where refused == nil { refused = try await refusal(of: bridge) }
            #expect(refused == .tooManyCards)
        }
    }

    @Test func `a start after the process's end fails with a reason`() async throws {
        try await rig.launch { bridge in
            rig.app.phone.forceQuit()
            let code = try await refusal(of: bridge)
            #expect(code == .startFailed)
        }
    }

    @Test func `before iOS 16.2 every call says so, and changes are empty and over`() async throws {
        try await rig.launch(capabilities: Capabilities(iOS: 16, 1)) { bridge in
            for method in ["list", "listAll"] {
                let error = try await bridge.error(method, method == "list" ? ["attributesType": "A"] : [:])
                #expect(error == "unavailable: Live Activities need iOS 16.2 or later")
            }
            #expect(try await refusal(of: bridge) == .unavailable)
            var lists: [CardList] = []
            for await list in bridge.changes() { lists.append(list) }
            #expect(lists.map(\.cards) == [[]])
        }
    }

    private func refusal(of bridge: LiveActivityBridge, match: String = "final") async throws -> BridgeError.Code? {
        do {
            try await bridge.startMatch(match)
            return nil
        } catch let error as BridgeError {
            return error.code
        }
    }
}

/// A type that is not there.
private struct UnusedAttributes: ActivityAttributes {
    struct ContentState: Codable, Hashable {}
}
