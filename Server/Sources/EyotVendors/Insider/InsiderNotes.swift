import EyotContract
import EyotDomain
import EyotHTTP

/// Notes on Insider's calls for the description of the API.
enum InsiderNotes {
    private static let skipped = Shape.object([
        "push_permission_disabled": Shape.integer, "unsupported_platform": Shape.integer,
        "unsupported_os_version": Shape.integer, "push_to_start_token_missing": Shape.integer,
        "user_not_found": Shape.integer,
    ])
    private static let refusals = OperationNote.Refusals(
        [400, 401, 403, 404, 409, 412, 413, 415, 422, 429, 500, 503],
        Shape.any(
            Shape.object(["error": Shape.text, "code": Shape.text, "skipped?": skipped]),
            Shape.object(["message": Shape.text, "status": Shape.integer])),
        wordless: [401])

    // MARK: Answers

    private static let people = Shape.object([
        "status": Shape.word("success"), "activity_id": Shape.text, "matched": Shape.integer, "added": Shape.integer,
        "refreshed": Shape.integer, "removed": Shape.integer, "skipped": skipped, "warnings?": VendorNotes.texts,
    ])
    private static let told = Shape.object([
        "status": Shape.word("success"), "sessions_triggered": Shape.integer, "skipped_not_synced?": Shape.integer,
        "warnings?": VendorNotes.texts,
    ])

    // MARK: Bodies

    private static let ids = Shape.list(Shape.text, atMost: InsiderActivity.userLimit)
    private static let registration = Shape.object(
        ["activity_type": Shape.text, "insider_ids": ids, "ends_at": VendorNotes.date], isOpen: true)
    private static let participants = Shape.object(
        ["activity_id": Shape.text, "activity_type": Shape.text, "insider_ids": ids], isOpen: true)

    /// - Parameter isStart: whether title and message are required, and attributes are allowed.
    private static func content(isStart: Bool, isNeeded: Bool = true) -> JSONValue {
        let devices = Shape.list(
            Shape.object(["insider_id": Shape.text, "udid": Shape.text], isOpen: true),
            atMost: InsiderActivity.userLimit)
        let content =
            isStart
            ? Shape.object(
                [
                    "title": Shape.text, "message": Shape.text, "content_state": Shape.anyObject,
                    "attributes?": Shape.anyObject,
                ], isOpen: true)
            : Shape.object(
                [
                    "title?": Shape.text, "message?": Shape.text,
                    isNeeded ? "content_state" : "content_state?": Shape.anyObject,
                    "attributes?": Shape.anyObject, "dismissal_date?": VendorNotes.unread,
                ], isOpen: true)
        return Shape.object(
            [
                "activity_id": Shape.text, "activity_type": Shape.text, isNeeded ? "content" : "content?": content,
                "target_devices?": devices, "dismissal_date?": VendorNotes.unread,
            ], isOpen: true)
    }

    private static let contentExample =
        #"{"activity_id":"final-2022","activity_type":"MatchAttributes","content":{"title":"Kick-off","#
        + #""message":"Now","content_state":{"home":0},"attributes":{"home":"Argentina"}}}"#
    private static let peopleExample =
        #"{"activity_id":"final-2022","activity_type":"MatchAttributes","insider_ids":["user-1"]}"#

    // MARK: Calls

    private static func note(
        _ summary: String, _ takes: JSONValue, _ example: String, _ answer: JSONValue
    ) -> OperationNote {
        OperationNote(
            summary, takes: takes, example: VendorNotes.json(example), answers: [.init(200, answer)],
            refusals: refusals)
    }

    static let all: [String: OperationNote] = [
        "/api/v1/live-activity/register": note(
            "Register an activity and who takes part", registration,
            #"{"activity_type":"MatchAttributes","insider_ids":["user-1"],"ends_at":"2022-12-18T18:00:00Z"}"#, people),
        "/api/v1/live-activity/add-users": note("Let people take part", participants, peopleExample, people),
        "/api/v1/live-activity/remove-users": note(
            "Let people take part no more", participants, peopleExample, people),
        "/api/v1/live-activity/start": note("Start cards", content(isStart: true), contentExample, told),
        "/api/v1/live-activity/update": note("Update cards", content(isStart: false), contentExample, told),
        "/api/v1/live-activity/end": note(
            "End cards", content(isStart: false, isNeeded: false), contentExample, told),
    ]
}
