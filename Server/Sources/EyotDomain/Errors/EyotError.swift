/// What went wrong with a request, for whoever made it: a stable code, a sentence, and the field where there is one.
package struct EyotError: Error, Sendable, Hashable {
    package var code: Code
    package var detail: String
    /// The member of the body, as a path.
    package var field: String?

    package init(_ code: Code, _ detail: String, field: String? = nil) {
        self.code = code
        self.detail = detail
        self.field = field
    }

    package static func activityUnknown(_ name: String) -> EyotError {
        EyotError(.activityUnknown, "there is no activity \(name)")
    }

    package static func activityEnded(_ name: String) -> EyotError {
        EyotError(.activityEnded, "activity \(name) has ended")
    }
}

extension EyotError {
    /// The catalogue of errors. Codes are stable; each has its status, its cause and what to do about it.
    package enum Code: String, Sendable, Hashable, CaseIterable {
        case activityEnded, activityHalted, activityUnknown, alertIncomplete, answerNotKept, appTaken, appUnknown
        case audienceMissing, bodyTooLarge, channelUnknown
        case contentTypeUnsupported, dateOutOfRange, deviceUnknown, epochOutdated, fieldInvalid, fieldMissing
        case fieldMistyped, fieldUnknown, idempotencyConflict, installationTaken, internalFault, jsonInvalid
        case keyForbidden, keyInvalid, keyMissing, keyUnknown, methodNotAllowed, operationUnknown, payloadTooLarge
        case replicaUnknown, routeUnknown, schemaMismatch, schemaUnknown, scopeWithoutActivity, secretInvalid
        case aliasTaken, segmentUnknown, tooManySegments
        case superseded, tooManyMembers, tooManyMembersWaiting, tooManyRegistrations, tooManySchemas, typeMismatch
        case tooManyCalls, unavailable, userUnknown
    }
}

extension EyotError.Code {
    /// The HTTP status that goes with the code.
    package var status: Int { row.status }
    /// What led to it.
    package var cause: String { row.cause }
    /// What to do.
    package var remedy: String { row.remedy }

    private typealias Row = (status: Int, cause: String, remedy: String)

    /// A house rule sees to it that every code has one.
    private var row: Row { rowToJ ?? rowFromK ?? (500, "The server failed.", "Look in its log.") }

    private var rowToJ: Row? {
        switch self {
        case .activityEnded:
            (409, "The activity has ended, and an ended one takes no updates.", "Start it again under the same name.")
        case .activityHalted: (409, "The activity is halted; phones hear nothing of it.", "Ask again when it goes on.")
        case .activityUnknown:
            (404, "Nobody has declared or started an activity of this name.", "Check the name, or start it first.")
        case .alertIncomplete:
            (
                422, "Apple drops a start without an alert that has both title and body.",
                "Send alert.title and alert.body."
            )
        case .answerNotKept:
            (409, "The answer that this had before is not kept.", "Look at what it made; make lost keys anew.")
        case .appTaken: (409, "An app with this bundle id is declared already.", "Use the app that there is.")
        case .appUnknown: (404, "There is no such app.", "List the apps with `eyot app list`.")
        case .audienceMissing:
            (422, "A start has to say whom it is for.", "Send audience, for example {\"tag\": \"fans\"} or \"all\".")
        case .bodyTooLarge: (413, "The body is larger than this call takes.", "Send less in one call.")
        case .channelUnknown:
            (404, "There is no channel that this phone could follow now.", "Start the card with a token.")
        case .contentTypeUnsupported:
            (415, "The body is not declared as JSON.", "Send Content-Type: application/json.")
        case .dateOutOfRange: (422, "A date lies where Apple ignores it.", "Mend the date that field names.")
        case .deviceUnknown: (404, "There is no such device.", "List the devices with `eyot device list`.")
        case .epochOutdated:
            (401, "The device has registered since these were numbered.", "Register, and number them anew.")
        case .fieldInvalid: (422, "A field has a value that is not allowed.", "Mend the field that is named.")
        case .fieldMissing: (422, "A field that this call needs is absent.", "Add the field that is named.")
        case .fieldMistyped: (422, "A field has a value of the wrong kind.", "Mend the field that is named.")
        case .fieldUnknown:
            (422, "The body has a field that this call does not know.", "Remove it, or mend its spelling.")
        case .idempotencyConflict:
            (409, "The idempotency key was used for another request.", "Use a new key for each request.")
        case .installationTaken:
            (409, "Another registration holds this installation id.", "Make a new installation id and register again.")
        case .internalFault: (500, "The server failed.", "Try again; if it goes on, look in the server's log.")
        case .jsonInvalid: (400, "The body is not JSON that we take.", "Mend the text at the place that is named.")
        default: nil
        }
    }

    private var rowFromK: Row? {
        switch self {
        case .keyForbidden: (403, "The key may not do this.", "Use a key of the right kind.")
        case .keyInvalid: (401, "The key is not known.", "Check the key; `eyot key create` makes a new one.")
        case .keyMissing: (401, "The call carries no key.", "Send Authorization: Bearer and the key.")
        case .keyUnknown: (404, "There is no such key.", "List the keys with `eyot key list`.")
        case .methodNotAllowed: (405, "The route does not take this method.", "Use the method that Allow names.")
        case .operationUnknown: (404, "There is no such operation.", "Use the id that the call answered.")
        case .payloadTooLarge:
            (413, "Apple takes payloads of at most 4,096 bytes.", "Shorten contentState, attributes or alert.")
        case .replicaUnknown: (404, "The activity has no such replica.", "List them: `eyot activity replicas`.")
        case .routeUnknown: (404, "There is nothing at this path.", "Check the path.")
        case .schemaMismatch:
            (422, "A phone that it concerns could not decode it.", "Mend field, or leave those phones out.")
        case .schemaUnknown: (404, "No such schema was pushed.", "List them with `eyot schema list`.")
        case .scopeWithoutActivity:
            (422, "A scope chooses among replicas, and there are none.", "Start the activity without a scope.")
        case .aliasTaken: (409, "Another user has this alias.", "Use another name, or take it from that user first.")
        case .segmentUnknown: (404, "There is no such segment.", "List them with `eyot segment list`.")
        case .tooManySegments: (429, "The app has as many segments as there may be.", "Remove those that are not used.")
        case .secretInvalid: (401, "The device secret is not known.", "Register the device again.")
        case .superseded:
            (412, "Something newer has been declared.", "Read the activity and decide again.")
        case .tooManyCalls: (429, "More calls come than may.", "Wait as long as Retry-After says.")
        case .tooManyMembers:
            (422, "The audience or the scope is larger than one call takes.", "Split it, for example by tag.")
        case .tooManyMembersWaiting:
            (429, "Too many calls with very many members are under way.", "Wait until one of them is done.")
        case .tooManyRegistrations:
            (429, "Too many registrations come from this address.", "Wait as long as Retry-After says.")
        case .tooManySchemas:
            (429, "The type has schemas for as many builds as there may be.", "Remove those of builds that nobody has.")
        case .typeMismatch:
            (409, "The activity is of another type.", "Use another name, or end the activity first.")
        case .unavailable: (503, "The server is starting or stopping.", "Try again in a moment.")
        case .userUnknown: (404, "There is no such user.", "Create it with PUT /v1/users/{externalID}.")
        default: nil
        }
    }
}
