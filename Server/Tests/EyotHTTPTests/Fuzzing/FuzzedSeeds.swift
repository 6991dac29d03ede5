import EyotContract
import EyotDomain
import HTTPTypes
import Testing

@testable import EyotHTTP

/// Calls that are right, of every route of every plane: what is spoiled comes close to them.
struct FuzzedSeeds {
    /// A call by its route.
    struct Seed: Sendable {
        var plane: KeyPlane
        var title: String
        var path: String
        var body: String?
        var type = "application/json"
    }

    private static let alert = #"{"title":"Kick-off","body":"Argentina v France","sound":"bell.caf"}"#

    /// Fuller bodies than those that tell who may call, and things that may go without others being in want of them.
    private static let own: [(title: String, path: String, body: String?)] = [
        (
            "POST /v1/activities/{name}/start", "/v1/activities/semi/start",
            #"""
            {"type":"Match","attributes":{"home":"ARG"},"contentState":{"n":1},"alert":\#(alert),"priority":10,
            "audience":{"or":[{"tag":["fans"]},{"not":{"user":"anna"}},{"osAtLeast":"17.2"}]},
            "staleDate":"2022-12-18T16:00:00Z","endsAt":"2022-12-18T17:00:00Z","relevanceScore":0.5}
            """#
        ),
        (
            "POST /v1/activities/{name}/update", "/v1/activities/final/update",
            #"""
            {"contentState":{"n":2.50,"a":[1,{"b":null}]},"alert":\#(alert),"staleDate":"2022-12-18T16:00:00Z","priority":5,
            "relevanceScore":50,"asOf":"2022-12-18T15:00:00Z","scope":{"user":"anna"},"urgent":true}
            """#
        ),
        (
            "POST /v1/activities/{name}/end", "/v1/activities/semi/end",
            #"{"contentState":{"n":3},"dismissalDate":"2022-12-18T16:00:00Z","alert":\#(alert)}"#
        ),
        (
            "PATCH /v1/users/{externalID}", "/v1/users/anna",
            #"{"tags":{"add":["a"],"remove":["b"]},"attributes":{"city":"Paris","n":1},"aliases":{"crm":"7"},"tagGroups":{"g":["x"]}}"#
        ),
        (
            "POST /v1/users/bulk", "/v1/users/bulk",
            #"{"users":[{"id":"anna","tags":["a"]},{"id":"bert","attributes":{"n":[1,"x"]}}]}"#
        ),
        (
            "POST /v1/devices/bulk", "/v1/devices/bulk",
            #"{"devices":[{"id":"1","tags":{"add":["a"]}},{"id":"2","attributes":{"n":[1,"x"]}}]}"#
        ),
        (
            "POST /v1/audiences/count", "/v1/audiences/count",
            #"{"audience":{"and":[{"attribute":{"name":"city","is":"Paris"}},{"segment":"s"}]},"type":"Match"}"#
        ),
        (
            "PUT /v1/definitions/{name}", "/v1/definitions/d",
            #"{"declaration":{"contentState":{"n":"${n}"},"alert":\#(alert)},"parameters":["n"]}"#
        ),
        (
            "POST /v1/device/changes", "/v1/device/changes",
            #"""
            {"epoch":1,"changes":[{"sequence":9,"kind":"setStartToken","type":"Match","token":"\#(Rig.token("new"))"},
            {"sequence":10,"kind":"setUpdateToken","instance":"i","name":"final","type":"Match","token":"\#(Rig.token("u"))"},
            {"sequence":11,"kind":"identify","user":"anna"},{"sequence":12,"kind":"cardEvent","instance":"i","name":"final",
            "type":"Match","state":"dismissed"},{"sequence":13,"kind":"running","type":"Match","instances":["i"]}],
            "joinSecrets":{"final":"eyot_js_0"}}
            """#
        ),
        (
            "POST /v1/tokens/import", "/v1/tokens/import",
            #"{"installation":"A1","user":"carl","environment":"sandbox","osVersion":"18.1","type":"Match","startToken":"\#(Rig.token("s"))","#
                + #""activity":"final","instance":"i","updateToken":"\#(Rig.token("i"))","appVersion":"1.0 (7)"}"#
        ),
        ("DELETE /v1/devices/{id}", "/v1/devices/2", nil), ("DELETE /v1/users/{externalID}", "/v1/users/bert", nil),
    ]

    private static func netmera() -> [Seed] {
        let content = #"""
            "title":"T","platforms":["IOS"],"contentState":{"n":1},"liveActAttr":{"home":"ARG"},"liveActAttrType":"Match"
            """#
        return [
            (
                "POST", "sendBulkNotification",
                #"""
                {"message":{\#(content),"body":"B","type":"LIVE_ACTIVITY","groupId":"bulk","liveActEndDate":"2022-12-18T17:00:00Z"},
                "target":{"sendToAll":false,"tag":{"$or":["fans",{"$not":["x"]}]},"extId":["anna","bert"],"profile":{"city":["Paris"]}}}
                """#
            ),
            (
                "POST", "update-live-activity",
                #"{"groupId":"final","action":"UPDATE","contentState":{"n":2},"staleDate":"2022-12-18T16:00:00Z","priority":10}"#
            ),
            ("POST", "createNotificationDefinition", #"{\#(content),"message":"M"}"#),
            (
                "POST", "sendNotification",
                #"{"notificationKey":"1","message":{"groupId":"one"},"target":{"extId":"anna"}}"#
            ),
            ("GET", "getPushStats", nil), ("GET", "getPushResult", nil),
            ("GET", "getPushStats?start=0&end=1671379200000", nil),
            ("GET", "getPushResult?notificationKey=1500000000&nextPage=1-1", nil),
        ].map { method, name, body in
            let path = "/rest/3.0/\(name)"
            let isWhole = body != nil || path.contains("?")
            return Seed(
                plane: .netmera, title: "\(method) \(path.prefix { $0 != "?" })",
                path: isWhole ? path : path + "?notificationKey=1", body: body)
        }
    }

    private static func airship() -> [Seed] {
        func push(_ audience: String, _ card: String) -> String {
            #"{"audience":\#(audience),"device_types":["ios"],"notification":{"ios":{"live_activity":\#(card)}}}"#
        }
        let bodies = [
            push(
                #"{"AND":[{"tag":"fans"},{"or":[{"named_user":["anna"]},{"not":{"ios_channel":"one"}}]}]}"#,
                #"""
                {"event":"start","name":null,"attributes_type":"Match","attributes":{"gameID":"1"},"content_state":{"s":"a"},
                "alert":{"title":"T","body":"B","sound":"s.caf"},"priority":10,"relevance_score":50,"stale_date":1671379200}
                """#),
            "["
                + push(
                    #"{"attribute":"city","operator":"equals","value":"Paris"}"#,
                    #"""
                    {"event":"update","name":"final","content_state":{"s":"b"},"dismissal_date":1666261020,"timestamp":1671375600}
                    """#) + "," + push(#""all""#, #"{"event":"update","name":"final"}"#) + "]",
            push(#""all""#, #"{"event":"end","name":"semi","priority":10,"dismissal_date":1671379200}"#),
        ]
        let pushes = ["/api/push", "/api/push/", "/api/push/validate", "/api/push/validate/"].flatMap { path in
            bodies.map { Seed(plane: .airship, title: "POST \(path)", path: path, body: $0) }
        }
        let forms = [
            "grant_type=client_credentials&sub=app:x&client_id=x&client_secret=y%20z",
            // {"alg":"ES384"} and {"iss":"x","exp":1,"sub":"app:x"}
            "grant_type=client_credentials&assertion=eyJhbGciOiJFUzM4NCJ9.eyJpc3MiOiJ4IiwiZXhwIjoxLCJzdWIiOiJhcHA6eCJ9.AAAA",
        ]
        return pushes
            + forms.map {
                Seed(
                    plane: .airship, title: "POST /token", path: "/token", body: $0,
                    type: "application/x-www-form-urlencoded")
            }
    }

    private static func braze(_ app: String) -> [Seed] {
        let start = #"""
            {"app_id":"\#(app)","activity_id":"braze","activity_attributes_type":"Match","activity_attributes":{"home":"ARG"},
            "content_state":{"n":1},"notification":{"alert":{"title":"T","body":"B","sound":"s.caf","loc_args":["x"]},
            "apns_priority":10,"expiry":"2022-12-18T16:00:00+0000"},"stale_date":"2022-12-18T16:00:00+0000",
            "custom_audience":{"OR":[{"custom_attribute":{"custom_attribute_name":"city","comparison":"equals","value":"Paris"}},
            {"last_used_app":{"comparison":"after","value":"2022-12-01T00:00:00+0000"}},
            {"push_subscription_status":{"comparison":"is","value":"opted_in"}}]}}
            """#
        let users = #"""
            {"app_id":"\#(app)","activity_id":"users","activity_attributes_type":"Match","activity_attributes":{},
            "content_state":{"n":1},"notification":{"alert":{"title":"T","body":"B"}},"external_user_ids":["anna","x"]}
            """#
        let update = #"""
            {"app_id":"\#(app)","activity_id":"final","content_state":{"n":2},"end_activity":false,
            "dismissal_date":"2022-12-18T14:00:00+0000","notification":{"alert":"text","content-available":1}}
            """#
        return [("start", start), ("start", users), ("update", update)].map { name, body in
            let path = "/messages/live_activity/\(name)"
            return Seed(plane: .braze, title: "POST \(path)", path: path, body: body)
        }
    }

    private static func insider(_ activity: String) -> [Seed] {
        let people = #""activity_type":"Match","insider_ids":["anna","bert","x"]"#
        let content = #"""
            {"activity_id":"\#(activity)","activity_type":"Match","content":{"title":"T","message":"M","content_state":{"n":1},
            "attributes":{"home":"ARG"}},"target_devices":[{"insider_id":"anna","udid":"one"}]}
            """#
        return [
            ("register", #"{\#(people),"ends_at":"2022-12-18T17:00:00Z"}"#),
            ("add-users", #"{"activity_id":"\#(activity)",\#(people)}"#),
            ("remove-users", #"{"activity_id":"\#(activity)","activity_type":"Match","insider_ids":["x"]}"#),
            ("start", content), ("update", content), ("end", content.replacing(activity, with: "final")),
        ].map { name, body in
            let path = "/api/v1/live-activity/\(name)"
            return Seed(plane: .insider, title: "POST \(path)", path: path, body: body)
        }
    }

    /// - Parameters:
    ///   - brazeApp: the app's id with Braze.
    ///   - activity: one that was registered with Insider's call.
    static func all(brazeApp: String = "app", activity: String = "id") -> [Seed] {
        let fuller = own.map { seed in
            Seed(
                plane: .eyot, title: seed.title, path: seed.path, body: seed.body,
                type: AuthorisationTests.rows[seed.title]?.isLines == true ? BodyReader.lines : "application/json")
        }
        let others = AuthorisationTests.rows.sorted { $0.key < $1.key }.filter { row in
            !own.contains { $0.title == row.key }
        }
        let rows = others.map { title, row in
            let path = String(title.split(separator: " ")[1])
            return Seed(
                plane: .eyot, title: title, path: row.path ?? path, body: row.body,
                type: row.isLines ? BodyReader.lines : "application/json")
        }
        return fuller + rows + netmera() + airship() + braze(brazeApp) + insider(activity)
    }
}
