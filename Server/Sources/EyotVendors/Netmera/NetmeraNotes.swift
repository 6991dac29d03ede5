import EyotContract
import EyotHTTP

/// Notes on Netmera's calls for the description of the API.
enum NetmeraNotes {
    private static let refusals = OperationNote.Refusals(
        [400, 403, 404, 413, 415, 429, 500, 503], Shape.object(["error": Shape.text, "code": Shape.integer]))
    private static let done = Shape.object(
        ["notificationKey": Shape.integer, "warnings?": VendorNotes.texts], example: #"{"notificationKey":1}"#)

    // MARK: Bodies

    private static let expression = Shape.any(
        Shape.text, VendorNotes.texts,
        VendorNotes.oneOf([
            "$and?": VendorNotes.oneOrMore, "$or?": VendorNotes.oneOrMore, "$not?": VendorNotes.oneOrMore,
        ]))
    private static let target = Shape.object(
        [
            "sendToAll?": Shape.flag, "tag?": expression, "segment?": expression, "profile?": Shape.anyObject,
            "extId?": Shape.any(Shape.text, Shape.list(Shape.text, atMost: NetmeraTarget.idLimit)),
        ], isOpen: true)
    private static let message = Shape.object(
        [
            "title": Shape.text, "body?": Shape.text, "text?": Shape.text, "platforms?": VendorNotes.texts,
            "type?": Shape.text, "contentState": Shape.anyObject, "liveActAttr": Shape.anyObject,
            "liveActAttrType": Shape.text, "groupId?": Shape.text, "liveActEndDate?": VendorNotes.date,
        ], isOpen: true)
    private static let bulk = Shape.object(
        ["message": message, "target": target, "type?": Shape.text, "groupId?": Shape.text], isOpen: true)
    private static let definition = Shape.object(
        [
            "title": Shape.text, "message?": Shape.text, "body?": Shape.text, "text?": Shape.text,
            "platforms?": VendorNotes.texts, "type?": Shape.text, "contentState": Shape.anyObject,
            "liveActAttr": Shape.anyObject, "liveActAttrType": Shape.text, "groupId?": Shape.text,
            "liveActEndDate?": VendorNotes.date,
        ], isOpen: true)
    private static let update = Shape.object(
        [
            "groupId": Shape.text, "action": Shape.word("UPDATE", "END"), "contentState?": Shape.anyObject,
            "priority?": VendorNotes.priority, "staleDate?": VendorNotes.date, "dismissalDate?": VendorNotes.date,
        ], isOpen: true)
    private static let transaction = Shape.object(
        [
            "notificationKey": Shape.any(Shape.integer, Shape.text),
            "message?": Shape.object(["groupId?": Shape.text, "liveActEndDate?": VendorNotes.date], isOpen: true),
            "target": target,
        ], isOpen: true)

    // MARK: Answers

    private static let stats = Shape.object([
        "notificationKey": Shape.integer, "status": Shape.word("STARTING", "SENDING", "FINISHED"),
        "startDate": Shape.integer, "endDate?": Shape.integer,
        "stats": Shape.list(
            Shape.object([
                "platform": Shape.text, "sent": Shape.integer, "failed": Shape.integer, "clicked": Shape.integer,
            ])), "skipped?": Shape.anyObject,
    ])
    private static let results = Shape.object([
        "list": Shape.list(
            Shape.object([
                "platform": Shape.text, "status": Shape.word("WAITING", "SENT", "FAILED"), "errorCode?": Shape.text,
                "errorMsg?": Shape.text, "installationId?": Shape.text, "extId?": Shape.text,
            ])), "skipped?": Shape.anyObject, "nextPage?": Shape.text,
    ])

    // MARK: Calls

    static let all: [String: OperationNote] = [
        "/rest/3.0/sendBulkNotification": OperationNote(
            "Start cards", takes: bulk,
            example: VendorNotes.json(
                #"{"message":{"title":"Kick-off","body":"Argentina v France","platforms":["IOS"],"#
                    + #""type":"LIVE_ACTIVITY","groupId":"final-2022","contentState":{"home":0},"#
                    + #""liveActAttr":{"league":"World Cup"},"liveActAttrType":"MatchAttributes"},"#
                    + #""target":{"sendToAll":true}}"#),
            answers: [.init(200, done)], refusals: refusals),
        "/rest/3.0/update-live-activity": OperationNote(
            "Update or end cards", takes: update,
            example: VendorNotes.json(#"{"groupId":"final-2022","action":"UPDATE","contentState":{"home":1}}"#),
            answers: [.init(200, done)], refusals: refusals),
        "/rest/3.0/createNotificationDefinition": OperationNote(
            "Keep what a start shows, and send nothing", takes: definition,
            example: VendorNotes.json(
                #"{"title":"Kick-off","message":"Argentina v France","platforms":["IOS"],"contentState":{"home":0},"#
                    + #""liveActAttr":{"league":"World Cup"},"liveActAttrType":"MatchAttributes"}"#),
            answers: [.init(200, done)], refusals: refusals),
        "/rest/3.0/sendNotification": OperationNote(
            "Start a card of a definition for one user",
            takes: Shape.any(transaction, Shape.list(transaction, atMost: NetmeraTransaction.limit)),
            example: VendorNotes.json(
                #"{"notificationKey":1000000001,"message":{"groupId":"final-2022"},"target":{"extId":"user-1"}}"#),
            answers: [.init(200, Shape.any(done, Shape.list(done)))], refusals: refusals),
        "/rest/3.0/getPushStats": OperationNote(
            "What became of a push, of a definition's, or of all within a time",
            answers: [.init(200, Shape.any(stats, Shape.object(["messages": Shape.list(stats)])))],
            refusals: refusals),
        "/rest/3.0/getPushResult": OperationNote(
            "What became of a push, person by person", answers: [.init(200, results)], refusals: refusals),
    ]
}
