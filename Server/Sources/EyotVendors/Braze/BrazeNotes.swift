import EyotContract
import EyotHTTP

/// Notes on Braze's calls for the description of the API.
enum BrazeNotes {
    private static let refusals = OperationNote.Refusals(
        [400, 401, 403, 404, 413, 415, 429, 500, 503],
        Shape.any(
            Shape.object(["message": Shape.text, "errors?": VendorNotes.texts]), Shape.object(["error": Shape.text])))
    private static let done = Shape.object(
        ["message": Shape.text, "errors?": VendorNotes.texts], example: #"{"message":"success"}"#)

    // MARK: Bodies

    private static let alert = Shape.any(
        Shape.text,
        Shape.object([
            "title?": Shape.text, "subtitle?": Shape.text, "body?": Shape.text, "sound?": Shape.text,
            "title_loc_key?": Shape.text, "title_loc_args?": VendorNotes.texts, "loc_key?": Shape.text,
            "loc_args?": VendorNotes.texts, "action_loc_key?": VendorNotes.unread,
        ]))
    private static let notification = Shape.object(
        [
            "alert?": alert, "content-available?": VendorNotes.unread, "content_available?": VendorNotes.unread,
            "apns_priority?": ["type": "integer", "minimum": 1, "maximum": 10], "expiry?": VendorNotes.date,
            "extra?": Shape.anyObject,
        ], isOpen: true)

    private static let subscription = Shape.object([
        "comparison": Shape.word("is", "is_not"), "value": Shape.word("opted_in", "subscribed", "unsubscribed"),
    ])
    /// Filters may contain filters.
    private static let audience = VendorNotes.oneOf([
        "AND?": Shape.list(Shape.anyObject), "OR?": Shape.list(Shape.anyObject),
        "custom_attribute?": Shape.object([
            "custom_attribute_name": Shape.text, "comparison": Shape.text, "value?": VendorNotes.unread,
        ]),
        "push_subscription_status?": subscription, "email_subscription_status?": subscription,
        "last_used_app?": Shape.object(["comparison": Shape.word("after", "before"), "value": Shape.text]),
    ])
    private static let start = Shape.object(
        [
            "app_id": Shape.text, "activity_id": Shape.text, "activity_attributes_type": Shape.text,
            "activity_attributes": Shape.anyObject, "content_state": Shape.anyObject, "notification?": notification,
            "stale_date?": VendorNotes.date, "dismissal_date?": VendorNotes.date,
            "external_user_ids?": Shape.list(Shape.text, atMost: BrazeAudience.idLimit), "segment_id?": Shape.text,
            "custom_audience?": audience, "audience?": audience,
        ], isOpen: true)
    private static let update = Shape.object(
        [
            "app_id": Shape.text, "activity_id": Shape.text, "content_state": Shape.anyObject,
            "end_activity?": Shape.flag, "stale_date?": VendorNotes.date, "dismissal_date?": VendorNotes.date,
            "notification?": notification,
        ], isOpen: true)

    // MARK: Calls

    static let all: [String: OperationNote] = [
        "/messages/live_activity/start": OperationNote(
            "Start cards", takes: start,
            example: VendorNotes.json(
                #"{"app_id":"app","activity_id":"final-2022","activity_attributes_type":"MatchAttributes","#
                    + #""activity_attributes":{"home":"Argentina"},"content_state":{"home":0},"#
                    + #""notification":{"alert":{"title":"Kick-off","body":"Now"}},"external_user_ids":["user-1"]}"#),
            answers: [.init(201, done)], refusals: refusals),
        "/messages/live_activity/update": OperationNote(
            "Update or end cards", takes: update,
            example: VendorNotes.json(
                #"{"app_id":"app","activity_id":"final-2022","content_state":{"home":1},"end_activity":false,"#
                    + #""notification":{"alert":{"title":"Goal","body":"1:0"}}}"#),
            answers: [.init(201, done)], refusals: refusals),
    ]
}
