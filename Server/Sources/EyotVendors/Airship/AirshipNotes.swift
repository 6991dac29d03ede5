import EyotContract
import EyotHTTP

/// Notes on Airship's calls for the description of the API.
enum AirshipNotes {
    private static let refusals = OperationNote.Refusals(
        [400, 401, 403, 404, 406, 413, 415, 429, 500, 503],
        Shape.object([
            "ok": ["const": false], "operation_id": Shape.text, "error": Shape.text, "error_code": Shape.integer,
            "details?": Shape.object([
                "error": Shape.text, "path?": Shape.text,
                "location?": Shape.object(["line": Shape.integer, "column": Shape.integer]),
            ]),
        ]))
    private static let done = Shape.object(
        [
            "ok": ["const": true], "operation_id": Shape.text, "push_ids": VendorNotes.texts,
            "warnings?": VendorNotes.texts,
        ])

    // MARK: Bodies

    /// Selectors contain selectors, and their names may be in capitals.
    private static let selector: JSONValue = {
        let values = VendorNotes.oneOrMore
        let parts = Shape.list(Shape.anyObject, atMost: AirshipAudience.childLimit)
        return Shape.any(
            VendorNotes.oneOf([
                "and?": parts, "or?": parts, "not?": Shape.any(Shape.anyObject, parts), "AND?": parts, "OR?": parts,
                "NOT?": Shape.any(Shape.anyObject, parts), "named_user?": values, "alias?": values, "segment?": values,
                "static_list?": values, "subscription_list?": values, "subscription_lists?": values, "channel?": values,
                "ios_channel?": values, "device_token?": values,
            ]),
            Shape.object(["tag": values, "group?": Shape.text]),
            Shape.object([
                "attribute": Shape.text,
                "operator": Shape.word(
                    "equals", "contains", "less", "greater", "before", "after", "range", "is_empty"),
                "value?": VendorNotes.unread,
                "precision?": Shape.word("years", "months", "weeks", "days", "hours", "minutes", "seconds"),
            ]))
    }()

    private static let second: JSONValue = [
        "type": "integer", "minimum": 0, "maximum": .integer(JSONFields.lastSecond),
    ]
    private static let card = Shape.object([
        "event": Shape.word("start", "update", "end"), "name?": Shape.any(Shape.text, ["type": "null"]),
        "attributes_type?": Shape.text, "attributes?": Shape.anyObject, "content_state?": Shape.anyObject,
        "alert?": Shape.object(["title?": Shape.text, "body?": Shape.text, "sound?": Shape.text]),
        "priority?": VendorNotes.priority, "relevance_score?": Shape.number, "stale_date?": second,
        "dismissal_date?": second, "timestamp?": second,
    ])
    private static let push: JSONValue = {
        let unread = VendorNotes.unread
        let ios = Shape.object(["live_activity": card], isOpen: true)
        let notification = Shape.object([
            "ios": ios, "android?": unread, "amazon?": unread, "web?": unread, "sms?": unread, "mms?": unread,
            "email?": unread, "wns?": unread, "alert?": unread, "actions?": unread, "interactive?": unread,
        ])
        return Shape.object([
            "audience": Shape.any(["const": "all"], selector),
            "device_types": Shape.any(VendorNotes.texts, ["const": "all"]), "notification": notification,
            "campaigns?": unread, "message_type?": unread, "options?": unread, "localizations?": unread,
            "global_attributes?": unread, "feed_references?": unread, "snippet_references?": unread,
            "orchestration?": unread, "message?": unread, "in_app?": unread,
        ])
    }()
    private static let pushes = Shape.any(push, Shape.list(push, atMost: AirshipRoutes.pushLimit))
    private static let example = VendorNotes.json(
        #"{"audience":{"tag":"fans"},"device_types":["ios"],"notification":{"ios":{"live_activity":{"event":"start","#
            + #""attributes_type":"MatchAttributes","attributes":{"home":"Argentina"},"content_state":{"home":0},"#
            + #""alert":{"title":"Kick-off","body":"Argentina v France"}}}}}"#)

    // MARK: Calls

    private static let token = OperationNote(
        "Get an access token for an app key and its master secret, or for an assertion that is signed with ES384",
        takes: Shape.object(
            [
                "grant_type": ["const": "client_credentials"], "client_id?": Shape.text,
                "client_secret?": Shape.text, "sub?": Shape.text, "scope?": Shape.text, "assertion?": Shape.text,
            ], isOpen: true, example: #"{"grant_type":"client_credentials"}"#),
        answers: [
            .init(
                200,
                Shape.object([
                    "access_token": Shape.text, "token_type": Shape.text, "expires_in": Shape.integer,
                    "scope": Shape.text,
                ]))
        ],
        refusals: .init(
            [400, 401, 404, 413, 415, 429, 500, 503],
            Shape.object(["error": Shape.text, "error_description": Shape.text])))

    static let all: [String: OperationNote] = [
        "/api/push": OperationNote(
            "Push", takes: pushes, example: example, answers: [.init(202, done)], refusals: refusals),
        "/api/push/validate": OperationNote(
            "Check a push, and send nothing", takes: pushes, example: example,
            answers: [.init(200, Shape.object(["ok": ["const": true]]))], refusals: refusals),
        "/token": token,
    ]
}
