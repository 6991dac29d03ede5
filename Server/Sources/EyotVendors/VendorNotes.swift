import EyotContract
import EyotDomain
import EyotHTTP

/// What the description of the API says of the vendors' routes.
enum VendorNotes {
    /// By path.
    static let all: [String: OperationNote] = [netmera, airship, braze, insider].reduce(into: [:]) {
        $0.merge($1) { first, _ in first }
    }

    private static func json(_ text: String) -> JSONValue? { try? JSONValue(parsing: Array(text.utf8)) }

    private static let texts = Shape.list(Shape.text)

    // MARK: Netmera

    private static let netmeraRefusals = OperationNote.Refusals(
        [400, 403, 404, 413, 415, 429, 500, 503], Shape.object(["error": Shape.text, "code": Shape.integer]))
    private static let netmeraDone = Shape.object(
        ["notificationKey": Shape.integer, "warnings?": texts], example: #"{"notificationKey":1}"#)

    private static let netmera: [String: OperationNote] = [
        "/rest/3.0/sendBulkNotification": OperationNote(
            "Start cards", takes: Shape.anyObject,
            example: json(
                #"{"message":{"title":"Kick-off","body":"Argentina v France","platforms":["IOS"],"#
                    + #""type":"LIVE_ACTIVITY","groupId":"final-2022","contentState":{"home":0},"#
                    + #""liveActAttr":{"league":"World Cup"},"liveActAttrType":"MatchAttributes"},"#
                    + #""target":{"sendToAll":true}}"#),
            answers: [.init(200, netmeraDone)], refusals: netmeraRefusals),
        "/rest/3.0/update-live-activity": OperationNote(
            "Update or end cards", takes: Shape.anyObject,
            example: json(#"{"groupId":"final-2022","action":"UPDATE","contentState":{"home":1}}"#),
            answers: [.init(200, netmeraDone)], refusals: netmeraRefusals),
        "/rest/3.0/createNotificationDefinition": OperationNote(
            "Keep what a start shows, and send nothing", takes: Shape.anyObject,
            example: json(
                #"{"title":"Kick-off","message":"Argentina v France","platforms":["IOS"],"contentState":{"home":0},"#
                    + #""liveActAttr":{"league":"World Cup"},"liveActAttrType":"MatchAttributes"}"#),
            answers: [.init(200, netmeraDone)], refusals: netmeraRefusals),
        "/rest/3.0/sendNotification": OperationNote(
            "Start a card of a definition for one user",
            takes: Shape.any(Shape.anyObject, Shape.list(Shape.anyObject, atMost: 100)),
            example: json(
                #"{"notificationKey":1000000001,"message":{"groupId":"final-2022"},"target":{"extId":"user-1"}}"#),
            answers: [.init(200, Shape.any(netmeraDone, Shape.list(netmeraDone)))], refusals: netmeraRefusals),
        "/rest/3.0/getPushStats": OperationNote(
            "What became of a push", answers: [.init(200, Shape.anyObject)], refusals: netmeraRefusals),
        "/rest/3.0/getPushResult": OperationNote(
            "What became of a push, person by person", answers: [.init(200, Shape.anyObject)],
            refusals: netmeraRefusals),
    ]

    // MARK: Airship

    private static let airshipRefusals = OperationNote.Refusals(
        [400, 401, 403, 404, 406, 413, 415, 429, 500, 503],
        Shape.object(
            [
                "ok": ["const": false], "operation_id": Shape.text, "error": Shape.text, "error_code": Shape.integer,
                "details?": Shape.anyObject,
            ]))
    private static let airshipPush = json(
        #"{"audience":{"tag":"fans"},"device_types":["ios"],"notification":{"ios":{"live_activity":{"event":"start","#
            + #""attributes_type":"MatchAttributes","attributes":{"home":"Argentina"},"content_state":{"home":0},"#
            + #""alert":{"title":"Kick-off","body":"Argentina v France"}}}}}"#)
    private static let airshipDone = Shape.object(
        ["ok": ["const": true], "operation_id": Shape.text, "push_ids": texts, "warnings?": texts])
    private static let pushes = Shape.any(Shape.anyObject, Shape.list(Shape.anyObject, atMost: 100))

    private static let airship: [String: OperationNote] = {
        let push = OperationNote(
            "Push", takes: pushes, example: airshipPush, answers: [.init(202, airshipDone)], refusals: airshipRefusals)
        let check = OperationNote(
            "Check a push, and send nothing", takes: pushes, example: airshipPush,
            answers: [.init(200, Shape.object(["ok": ["const": true]]))], refusals: airshipRefusals)
        let token = OperationNote(
            "Get an access token for an app key and its master secret",
            takes: Shape.object(
                [
                    "grant_type": ["const": "client_credentials"], "client_id?": Shape.text,
                    "client_secret?": Shape.text,
                    "sub?": Shape.text, "scope?": Shape.text,
                ], isOpen: true, example: #"{"grant_type":"client_credentials"}"#),
            answers: [
                .init(
                    200,
                    Shape.object(
                        [
                            "access_token": Shape.text, "token_type": Shape.text, "expires_in": Shape.integer,
                            "scope": Shape.text,
                        ]))
            ],
            refusals: .init([400, 401, 404, 413, 415, 429, 500, 503], Shape.anyObject))
        return [
            "/api/push": push, "/api/push/validate": check, "/token": token,
        ]
    }()

    // MARK: Braze

    private static let brazeRefusals = OperationNote.Refusals(
        [400, 401, 403, 404, 413, 415, 429, 500, 503],
        Shape.object(["message?": Shape.text, "errors?": texts, "error?": Shape.text]))
    private static let brazeDone = Shape.object(
        ["message": Shape.text, "errors?": texts], example: #"{"message":"success"}"#)

    private static let braze: [String: OperationNote] = [
        "/messages/live_activity/start": OperationNote(
            "Start cards", takes: Shape.anyObject,
            example: json(
                #"{"app_id":"app","activity_id":"final-2022","activity_attributes_type":"MatchAttributes","#
                    + #""activity_attributes":{"home":"Argentina"},"content_state":{"home":0},"#
                    + #""notification":{"alert":{"title":"Kick-off","body":"Now"}},"external_user_ids":["user-1"]}"#),
            answers: [.init(201, brazeDone)], refusals: brazeRefusals),
        "/messages/live_activity/update": OperationNote(
            "Update or end cards", takes: Shape.anyObject,
            example: json(
                #"{"app_id":"app","activity_id":"final-2022","content_state":{"home":1},"end_activity":false}"#),
            answers: [.init(201, brazeDone)], refusals: brazeRefusals),
    ]

    // MARK: Insider

    private static let insiderRefusals = OperationNote.Refusals(
        [400, 401, 403, 404, 409, 412, 413, 415, 422, 429, 500, 503], Shape.anyObject, wordless: [401])

    private static func insider(_ summary: String, _ example: String) -> OperationNote {
        OperationNote(
            summary, takes: Shape.anyObject, example: json(example), answers: [.init(200, Shape.anyObject)],
            refusals: insiderRefusals)
    }

    private static let insiderContent =
        #"{"activity_id":"final-2022","activity_type":"MatchAttributes","content":{"title":"Kick-off","#
        + #""message":"Now","content_state":{"home":0},"attributes":{"home":"Argentina"}}}"#
    private static let insiderPeople =
        #"{"activity_id":"final-2022","activity_type":"MatchAttributes","insider_ids":["user-1"]}"#

    private static let insider: [String: OperationNote] = [
        "/api/v1/live-activity/register": insider(
            "Register an activity and who takes part",
            #"{"activity_type":"MatchAttributes","insider_ids":["user-1"],"ends_at":"2022-12-18T18:00:00Z"}"#),
        "/api/v1/live-activity/add-users": insider("Let people take part", insiderPeople),
        "/api/v1/live-activity/remove-users": insider("Let people take part no more", insiderPeople),
        "/api/v1/live-activity/start": insider("Start cards", insiderContent),
        "/api/v1/live-activity/update": insider("Update cards", insiderContent),
        "/api/v1/live-activity/end": insider("End cards", insiderContent),
    ]
}
