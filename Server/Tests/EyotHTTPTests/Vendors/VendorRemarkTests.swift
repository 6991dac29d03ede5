import EyotContract
import EyotDomain
import Testing

/// What a vendor's answer says though nothing is wrong: how many phones a call reached, and why not more, in the
/// caller's
/// own words.
@Suite("Remarks in vendors' answers")
struct VendorRemarkTests {
    /// One call of a vendor's API.
    struct Case: Sendable, CustomTestStringConvertible {
        var plane: KeyPlane
        var path: String
        /// `APP` stands for Braze's `app_id`.
        var body: String
        /// The member of the answer that has the remarks.
        var member = "warnings"
        var remarks: [String]

        var testDescription: String { "\(plane.rawValue) \(remarks.first ?? "")" }
    }

    private static let nobody = "The audience matches no device, so no card is started."
    private static let noCard = "The activity has no card yet. A phone that reports one gets this state."

    private static func netmera(_ target: String, type: String = "Match") -> String {
        `Netmera's API`.start(target: target).replacing(#""Match""#, with: #""\#(type)""#)
    }

    private static func braze(_ more: String) -> String {
        #"{"app_id":"APP","activity_id":"game","activity_attributes_type":"Match","activity_attributes":{},"#
            + #""content_state":{"n":1},"notification":{"alert":{"title":"t","body":"b"}},\#(more)}"#
    }

    private static let braze = "/messages/live_activity/"
    static let starts: [Case] = [
        Case(
            plane: .netmera, path: `Netmera's API`.bulk, body: netmera(#"{"extId":["nobody"]}"#),
            remarks: [nobody, "1 of 1 users named has no device: nobody."]),
        Case(
            plane: .netmera, path: `Netmera's API`.bulk, body: netmera(#"{"tag":["fnas"]}"#),
            remarks: [nobody, "No device has the tag fnas; did you mean fans?"]),
        Case(
            plane: .netmera, path: `Netmera's API`.bulk, body: netmera(#"{"sendToAll":true}"#, type: "Macth"),
            remarks: [
                "1 of 1 device in the audience gets no card: 1 has no start token for the type.",
                "No phone in the audience has registered the type Macth; did you mean Match?",
            ]),
        Case(
            plane: .airship, path: `Airship's API`.push,
            body: `Airship's API`.start.replacing(#"{"tag":"fans"}"#, with: #"{"tag":"fnas"}"#),
            remarks: [nobody, "No device has the tag fnas; did you mean fans?"]),
        Case(
            plane: .braze, path: braze + "start", body: braze(#""external_user_ids":["ana","anna"]"#),
            member: "errors", remarks: ["1 of 2 users named has no device: ana."]),
        Case(
            plane: .braze, path: braze + "start", body: braze(#""external_user_ids":["ana"]"#), member: "errors",
            remarks: [nobody, "1 of 1 users named has no device: ana."]),
    ]

    @Test("A start that reaches less than it names says so where the vendor has its remarks", arguments: starts)
    func reach(_ call: Case) async throws {
        try await Rig.run { rig in
            try await rig.phone("one", user: "anna", tags: ["fans"])
            let caller = try await rig.caller(of: call.plane)
            let body = call.body.replacing("APP", with: caller.identifier)
            let reply = try await rig.post(call.path, body, by: caller, of: call.plane)
            #expect(reply.status < 300, "\(reply.text)")
            // The hint that a misspelt type has no schema is a test's of its own.
            let remarks = reply[call.member]?.array?.compactMap(\.string).filter { !$0.hasPrefix("No schema") }
            #expect(remarks == call.remarks, "\(reply.text)")
        }
    }

    static let updates: [Case] = [
        Case(
            plane: .netmera, path: `Netmera's API`.update,
            body: #"{"groupId":"game","action":"UPDATE","contentState":{},"staleDate":"2020-01-01T00:00:00Z"}"#,
            remarks: ["staleDate is in the past: cards show as stale at once", noCard]),
        Case(
            plane: .airship, path: `Airship's API`.push,
            body: `Airship's API`.body(
                #"{"name":"game","event":"update","content_state":{},"stale_date":4102444800}"#),
            remarks: [
                "notification.ios.live_activity.stale_date is more than eight hours ahead: iOS ends a card eight hours "
                    + "after its start, so cards of now never show as stale", noCard,
            ]),
        Case(
            plane: .braze, path: braze + "update",
            body: #"{"app_id":"APP","activity_id":"game","content_state":{},"stale_date":"2020-01-01T00:00:00+0000"}"#,
            member: "errors", remarks: ["stale_date is in the past: cards show as stale at once", noCard]),
        Case(
            plane: .braze, path: braze + "update",
            body: #"{"app_id":"APP","activity_id":"game","content_state":{},"end_activity":true,"#
                + #""dismissal_date":"2099-01-01T00:00:00+0000"}"#,
            member: "errors",
            remarks: [
                "dismissal_date is more than four hours ahead: iOS removes an ended card after four hours",
                "The activity has no card, so no phone shows the end.",
            ]),
    ]

    @Test("A remark on a member calls it as the vendor does", arguments: updates)
    func memberNames(_ call: Case) async throws {
        try await Rig.run { rig in
            _ = try await rig.call(.put, "/v1/activities/game", #"{"contentState":{"n":1},"public":true}"#)
            let caller = try await rig.caller(of: call.plane)
            let body = call.body.replacing("APP", with: caller.identifier)
            let reply = try await rig.post(call.path, body, by: caller, of: call.plane)
            #expect(reply.status < 300, "\(reply.text)")
            #expect(reply[call.member]?.array?.compactMap(\.string) == call.remarks, "\(reply.text)")
        }
    }

    @Test(
        "Values and states are named as the vendor's callers have them",
        arguments: [
            (KeyPlane.braze, "content_state.until"), (.netmera, "contentState.until"),
            (.airship, "notification.ios.live_activity.content_state.until"),
        ])
    func unixDate(plane: KeyPlane, member: String) async throws {
        try await Rig.run { rig in
            try await rig.phone("one", user: "anna", tags: ["fans"])
            let timer = #"{"type":"object","properties":{"until":{"type":"number","swift":"Date"}}}"#
            let schema = #"{"schema":{"title":"Match","attributes":{},"contentState":\#(timer)}}"#
            #expect(try await rig.call(.put, "/v1/types/Match/schemas", schema).status < 300)
            let caller = try await rig.caller(of: plane)
            let (path, body) =
                switch plane {
                case .netmera: (`Netmera's API`.bulk, Self.netmera(#"{"sendToAll":true}"#))
                case .airship: (`Airship's API`.push, `Airship's API`.start)
                default: (Self.braze + "start", Self.braze(#""external_user_ids":["anna"]"#))
                }
            let state = try #require(body.firstMatch(of: /"content_?[sS]tate":(\{[^}]*\})/)).output.1
            let dated = body.replacing(state, with: #"{"until":1671379200}"#)
                .replacing("APP", with: caller.identifier)
            let reply = try await rig.post(path, dated, by: caller, of: plane)
            #expect(reply.status < 300, "\(reply.text)")
            #expect(reply.text.contains(#""\#(member) is 1671379200, which looks like Unix time"#), "\(reply.text)")
        }
    }
}
