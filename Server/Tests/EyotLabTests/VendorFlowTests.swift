import EyotContract
import EyotLab
import EyotTestKit
import Foundation
import PhoneSimulator
import Testing

/// Calls as the vendors' pages have them, and what phones show after them.
@Suite(.serialized, .timeLimit(.minutes(10))) struct `Vendors' calls and the phones` {
    /// Makes a vendor's call that has to be answered so.
    @discardableResult
    private func post(
        _ lab: Lab, _ path: String, _ body: String, headers: [String: String], expecting status: Int = 200
    ) async throws -> JSONValue {
        let answer = try await lab.api.call("POST", path, body: JSONValue(parsing: Array(body.utf8)), headers: headers)
        try #require(answer.status == status, "\(path): \(answer.status) \(answer.body.text)")
        return answer.body
    }

    private func run(_ types: String..., body: (Lab, [String: String]) async throws -> Void) async throws {
        var configuration = Rig.configuration(phones: 3)
        configuration.types = LabType.builtIn.filter { types.contains($0.name) }
        try await Lab.run(configuration) { lab in
            try await lab.untilStartable(3, tag: "fans")
            try await body(lab, await lab.description.vendorKeys)
        }
    }

    /// Waits until every phone has one card in view, which is in this phase and shows this.
    private func untilShown(
        _ lab: Lab, _ member: String, _ value: JSONValue, _ phase: CardPhase = .active
    ) async throws {
        try await lab.until {
            lab.phones.allSatisfy { phone in
                let cards = phone.cardsInView
                return cards.count == 1 && cards[0].phase == phase && cards[0].content.state.object?[member] == value
            }
        }
    }

    private func untilGone(_ lab: Lab) async throws {
        try await lab.until { lab.phones.allSatisfy { $0.cardsInView.isEmpty } }
    }

    @Test func `Netmera's: a bulk start, an update and an end`() async throws {
        try await run("MatchLiveScoreWidgetAttributes") { lab, keys in
            let headers = ["X-netmera-api-key": try #require(keys["netmeraKey"])]
            try await post(
                lab, "/rest/3.0/sendBulkNotification",
                #"""
                {"message":{"title":"Live Activity Start","body":"Here your live activity","platforms":["IOS"],
                "type":"LIVE_ACTIVITY","contentState":{"homeTeamScore":0,"awayTeamScore":0,"matchStatus":"1st Half"},
                "liveActAttr":{"leagueName":"Premier League","homeTeamName":"Aston Villa FC",
                "awayTeamName":"Manchester City FC","matchStartTime":"18.30"},
                "liveActAttrType":"MatchLiveScoreWidgetAttributes","groupId":"ars-liv-2025"},
                "target":{"sendToAll":true}}
                """#, headers: headers)
            try await untilShown(lab, "matchStatus", "1st Half")
            try await lab.untilLive(3, of: "ars-liv-2025")
            try await post(
                lab, "/rest/3.0/update-live-activity",
                #"""
                {"groupId":"ars-liv-2025","action":"UPDATE","priority":10,
                "contentState":{"homeTeamScore":1,"awayTeamScore":0,"matchStatus":"2nd Half"}}
                """#, headers: headers)
            try await untilShown(lab, "matchStatus", "2nd Half")
            try await post(
                lab, "/rest/3.0/update-live-activity",
                #"{"groupId":"ars-liv-2025","action":"END","priority":10,"dismissalDate":"2025-01-01T00:00:00Z"}"#,
                headers: headers)
            try await untilGone(lab)
        }
    }

    @Test func `Airship's: a start without a name, an update and an end under the name that the app gives`()
        async throws
    {
        try await run("SportsActivityAttributes") { lab, keys in
            let pair = "\(try #require(keys["airshipAppKey"])):\(try #require(keys["airshipMasterSecret"]))"
            let headers = [
                "Authorization": "Basic \(Data(pair.utf8).base64EncodedString())",
                "Accept": "application/vnd.urbanairship+json; version=3",
            ]
            func body(_ audience: String, _ card: String) -> String {
                #"{"audience":\#(audience),"device_types":["ios"],"notification":{"ios":{"live_activity":\#(card)}}}"#
            }
            try await post(
                lab, "/api/push",
                body(
                    #"{"tag":"fans"}"#,
                    #"""
                    {"event":"start","attributes_type":"SportsActivityAttributes","attributes":{"gameID":"sports-game-123"},
                    "content_state":{"status":"Game about to begin!"},
                    "alert":{"title":"Game about to begin","body":"Tune in!"},"priority":10}
                    """#), headers: headers, expecting: 202)
            try await untilShown(lab, "status", "Game about to begin!")
            try await lab.untilLive(3, of: "sports-game-123")
            try await post(
                lab, "/api/push/",
                body(
                    #""all""#,
                    #"""
                    {"name":"sports-game-123","event":"update","content_state":{"status":"Game starting!"},
                    "dismissal_date":1666261020,"alert":{"title":"Game is starting","body":"Tune in!"},
                    "priority":10,"relevance_score":50}
                    """#), headers: headers, expecting: 202)
            try await untilShown(lab, "status", "Game starting!")
            try await post(
                lab, "/api/push", body(#""all""#, #"{"name":"sports-game-123","event":"end","priority":10}"#),
                headers: headers, expecting: 202)
            try await untilShown(lab, "status", "Game starting!", .ended)
        }
    }

    @Test func `Braze's: a start for three users, an update, and an end that removes at once`() async throws {
        try await run("SportsActivityAttributes") { lab, keys in
            let headers = ["Authorization": "Bearer \(try #require(keys["brazeKey"]))"]
            let app = try #require(keys["brazeAppID"])
            let users = lab.phones.compactMap(\.user).map { "\"\($0)\"" }.joined(separator: ",")
            try await post(
                lab, "/messages/live_activity/start",
                #"""
                {"app_id":"\#(app)","activity_id":"sports-game-2024-03-15",
                "activity_attributes_type":"SportsActivityAttributes",
                "activity_attributes":{"gameName":"Superb Owl","gameNumber":"Game 1"},
                "content_state":{"teamOneScore":0,"teamTwoScore":0},
                "notification":{"alert":{"title":"Kick-off","body":"Now"}},"external_user_ids":[\#(users)]}
                """#, headers: headers, expecting: 201)
            try await untilShown(lab, "teamOneScore", 0)
            try await lab.untilLive(3, of: "sports-game-2024-03-15")
            func update(_ score: Int, _ more: String = "") -> String {
                #"""
                {"app_id":"\#(app)","activity_id":"sports-game-2024-03-15",
                "content_state":{"teamOneScore":\#(score),"teamTwoScore":4}\#(more)}
                """#
            }
            try await post(lab, "/messages/live_activity/update", update(2), headers: headers, expecting: 201)
            try await untilShown(lab, "teamOneScore", 2)
            try await post(
                lab, "/messages/live_activity/update",
                update(3, #","dismissal_date":"2024-01-22T16:55:49+0000""#), headers: headers, expecting: 201)
            try await untilGone(lab)
        }
    }

    @Test func `Braze's: a start's dismissal date takes the card away when it comes`() async throws {
        try await run("SportsActivityAttributes") { lab, keys in
            let (key, app) = (try #require(keys["brazeKey"]), try #require(keys["brazeAppID"]))
            let end = RFC3339.text(of: lab.now.addingTimeInterval(600))
            try await post(
                lab, "/messages/live_activity/start",
                #"""
                {"app_id":"\#(app)","activity_id":"owls","activity_attributes_type":"SportsActivityAttributes",
                "activity_attributes":{"gameName":"Superb Owl","gameNumber":"Game 1"},
                "content_state":{"teamOneScore":0,"teamTwoScore":0},
                "notification":{"alert":{"title":"Kick-off","body":"Now"}},"dismissal_date":"\#(end)",
                "custom_audience":{"last_used_app":{"comparison":"after","value":"2019-07-22T13:17:55+0000"}}}
                """#, headers: ["Authorization": "Bearer \(key)"], expecting: 201)
            try await untilShown(lab, "teamOneScore", 0)
            try await lab.untilLive(3, of: "owls")
            try await lab.advanceClock(by: 605)
            try await untilGone(lab)
        }
    }

    /// Registers an order of Insider's that is for the users of all phones, for an hour.
    private func registerWithInsider(_ lab: Lab, _ headers: [String: String]) async throws -> JSONValue {
        let users = lab.phones.compactMap(\.user).map { "\"\($0)\"" }.joined(separator: ",")
        let end = RFC3339.text(of: lab.now.addingTimeInterval(3_600))
        return try await post(
            lab, "/api/v1/live-activity/register",
            #"{"activity_type":"OrderActivityAttributes","insider_ids":[\#(users)],"ends_at":"\#(end)"}"#,
            headers: headers)
    }

    @Test func `Insider's: registered, started, updated and ended`() async throws {
        try await run("OrderActivityAttributes") { lab, keys in
            let headers = ["X-Api-Key": try #require(keys["insiderKey"])]
            let registered = try await registerWithInsider(lab, headers)
            let id = try #require(registered.object?["activity_id"]?.string)
            #expect(registered.object?["matched"] == 3)
            func content(_ minutes: Int) -> String {
                #"""
                {"activity_id":"\#(id)","activity_type":"OrderActivityAttributes","content":{"title":"On its way",
                "message":"\#(minutes) minutes","content_state":{"minutesLeft":\#(minutes),"status":"riding"},
                "attributes":{"orderId":"7"}}}
                """#
            }
            try await post(lab, "/api/v1/live-activity/start", content(9), headers: headers)
            try await untilShown(lab, "minutesLeft", 9)
            try await lab.untilLive(3, of: id)
            try await post(lab, "/api/v1/live-activity/update", content(5), headers: headers)
            try await untilShown(lab, "minutesLeft", 5)
            try await post(lab, "/api/v1/live-activity/end", content(0), headers: headers)
            try await untilShown(lab, "minutesLeft", 0, .ended)
        }
    }

    @Test
    func `Insider's: an update before the tokens are in is shown, and an end's past dismissal date takes cards away`()
        async throws
    {
        try await run("OrderActivityAttributes") { lab, keys in
            let headers = ["X-Api-Key": try #require(keys["insiderKey"])]
            let registered = try await registerWithInsider(lab, headers)
            let id = try #require(registered.object?["activity_id"]?.string)
            func content(_ minutes: Int, _ more: String = "") -> String {
                #"""
                {"activity_id":"\#(id)","activity_type":"OrderActivityAttributes"\#(more),"content":{"title":"On its way",
                "message":"\#(minutes) minutes","content_state":{"minutesLeft":\#(minutes),"status":"riding"},
                "attributes":{"orderId":"7"}}}
                """#
            }
            try await post(lab, "/api/v1/live-activity/start", content(9), headers: headers)
            // At once: no phone has told the token of its card.
            try await post(lab, "/api/v1/live-activity/update", content(5), headers: headers)
            try await untilShown(lab, "minutesLeft", 5)
            try await lab.untilLive(3, of: id)
            try await post(
                lab, "/api/v1/live-activity/end", content(0, #","dismissal_date":"2020-01-01T00:00:00Z""#),
                headers: headers)
            try await untilGone(lab)
        }
    }

    /// Where `scripts/setup` has put it.
    private static let packages = Rig.executable.deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().appendingPathComponent("python")

    @Test(.enabled(if: FileManager.default.fileExists(atPath: packages.path), "scripts/setup installs urbanairship"))
    func `Airship's own client for Python starts, updates, checks and ends`() async throws {
        try await run("SportsActivityAttributes") { lab, keys in
            let script = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent(
                "airship.py")
            let http = await lab.description.http
            func send(_ event: String) async throws {
                let arguments = [
                    script.path, http, try #require(keys["airshipAppKey"]), try #require(keys["airshipMasterSecret"]),
                    event,
                ]
                let ended = try await Program(
                    "python3", arguments, environment: ["PYTHONPATH": Self.packages.path]
                ).run()
                try #require(ended.code == 0, "\(event) ended with \(ended.code): \(ended.words)")
            }
            try await send("start")
            try await untilShown(lab, "status", "Game about to begin!")
            try await lab.untilLive(3, of: "sports-game-123")
            try await send("validate")
            try await send("update")
            try await untilShown(lab, "status", "Goal!")
            try await send("end")
            try await untilShown(lab, "status", "Goal!", .ended)
        }
    }
}

extension Lab {
    /// Waits until the server can push to the given number of an activity's cards.
    fileprivate func untilLive(_ count: Int, of activity: String) async throws {
        try await untilServer {
            let report = try await api.call("GET", APIClient.path("v1", "activities", activity)).body
            return report.object?["phases"]?.object?["live"]?.integer == count
        }
    }
}
