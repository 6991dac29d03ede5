extension EyotError.Code {
    /// The HTTP status of the code.
    package var status: Int { row.status }
    /// The cause of the error, as a sentence.
    package var cause: String { row.cause }
    /// The remedy, as a sentence.
    package var remedy: String { row.remedy }

    private typealias Row = (status: Int, cause: String, remedy: String)

    /// The row of the code. A test checks that every code has one.
    private var row: Row { Self.rows[self] ?? (500, "The server failed.", "Look in its log.") }

    private static let rows: [EyotError.Code: Row] = [
        .activityEnded:
            (
                409, "The activity has ended, and an ended one takes no updates.",
                "Start it again under the same name."
            ),
        .activityHalted: (409, "The activity is halted; phones hear nothing of it.", "Ask again when it goes on."),
        .activityUnknown:
            (404, "Nobody has declared or started an activity of this name.", "Check the name, or start it first."),
        .alertIncomplete:
            (
                422, "Apple drops a start without an alert that has both title and body.",
                "Send alert.title and alert.body."
            ),
        .aliasTaken: (409, "Another user has this alias.", "Use another name, or take it from that user first."),
        .answerNotKept:
            (409, "The answer that this had before is not kept.", "Look at what it made; make lost keys anew."),
        .appInUse:
            (
                409, "The app has cards on phones, which would stay there for hours.",
                "End its activities first, or ask with leaveCards=true."
            ),
        .appTaken: (409, "An app with this bundle id is declared already.", "Use the app that there is."),
        .appUnknown: (404, "There is no such app.", "List the apps with `eyot app list`."),
        .audienceMissing:
            (422, "A start has to say whom it is for.", "Send audience, for example {\"tag\": \"fans\"} or \"all\"."),
        .audienceTooCostly: (
            422, "Whom the audience or scope holds takes too long to find.",
            "Ask for less at once, or name users or a tag beside it: an index finds those."
        ),
        .bodyTooLarge: (413, "The body is larger than this call takes.", "Send less in one call."),
        .channelUnknown:
            (404, "There is no channel that this phone could follow now.", "Start the card with a token."),
        .contentEncodingUnsupported:
            (415, "The body is compressed or otherwise encoded.", "Send it without Content-Encoding."),
        .contentTypeUnsupported: (
            415, "The body is not declared as what the call takes.", "Send the Content-Type that detail names."
        ),
        .dateOutOfRange: (422, "A date lies where nothing would come of it.", "Mend the date that field names."),
        .definitionUnknown: (404, "There is no such definition.", "List them with `eyot definition list`."),
        .deviceUnknown: (404, "There is no such device.", "List the devices with `eyot device list`."),
        .diskFull:
            (503, "The disk of the database has no room left.", "Free space on it; Eyot then goes on by itself."),
        .epochOutdated:
            (401, "The device has registered since these were numbered.", "Register, and number them anew."),
        .fieldInvalid: (422, "A field has a value that is not allowed.", "Mend the field that is named."),
        .fieldMissing: (422, "A field that this call needs is absent.", "Add the field that is named."),
        .fieldMistyped: (422, "A field has a value of the wrong kind.", "Mend the field that is named."),
        .fieldUnknown:
            (422, "The body has a field that this call does not know.", "Remove it, or mend its spelling."),
        .hostInvalid: (400, "The request has no Host header, or several.", "Send one, as HTTP/1.1 asks for."),
        .idempotencyConflict:
            (409, "The idempotency key was used for another request.", "Use a new key for each request."),
        .identityKeyUnknown: (404, "There is no such identity key.", "List them with `eyot identity show`."),
        .identityRefused:
            (
                401, "The proof of who uses the phone does not hold, so the phone is nobody's.",
                "Have the backend sign a new token for this user, and identify again."
            ),
        .installationTaken:
            (
                409, "Another registration holds this installation id.",
                "Make a new installation id and register again."
            ),
        .internalFault: (500, "The server failed.", "Try again; if it goes on, look in the server's log."),
        .joinSecretUnknown:
            (404, "The activity has no join secret.", "Make one with `eyot activity join-secret create`."),
        .jsonInvalid: (400, "The body is not JSON that we take.", "Mend the text at the place that is named."),
        .keyForbidden: (403, "The key may not do this.", "Use a key of the right kind."),
        .keyInvalid: (401, "The key is not known.", "Check the key; `eyot key create` makes a new one."),
        .keyMissing: (401, "The call carries no key.", "Send Authorization: Bearer and the key."),
        .keyUnknown: (404, "There is no such key.", "List the keys with `eyot key list`."),
        .methodNotAllowed: (405, "The route does not take this method.", "Use the method that Allow names."),
        .operationUnknown: (404, "There is no such operation.", "Use the id that the call answered."),
        .payloadTooLarge:
            (413, "Apple takes payloads of at most 4,096 bytes.", "Shorten contentState, attributes or alert."),
        .profileTooLarge:
            (422, "A phone says more of itself than the server keeps.", "Shorten or remove tags and attributes."),
        .replicaUnknown: (404, "The activity has no such replica.", "List them: `eyot activity replicas`."),
        .requestMalformed: (400, "The bytes are no request of HTTP/1.1.", "Send HTTP/1.1."),
        .requestTimeout:
            (408, "The request came too slowly.", "Send its head and its body without pauses, or less in one call."),
        .routeUnknown: (404, "There is nothing at this path.", "Check the path."),
        .schemaMismatch:
            (422, "A phone that it concerns could not decode it.", "Mend field, or leave those phones out."),
        .schemaUnknown: (404, "No such schema was pushed.", "List them with `eyot schema list`."),
        .scopeWithoutActivity:
            (422, "A scope chooses among replicas, and there are none.", "Start the activity without a scope."),
        .secretInvalid: (401, "The device secret is not known.", "Register the device again."),
        .segmentUnknown: (404, "There is no such segment.", "List them with `eyot segment list`."),
        .superseded: (412, "Something newer has been declared.", "Read the activity and decide again."),
        .testDeviceUnknown: (404, "There is no such test device.", "List them with `eyot test-device list`."),
        .tooManyCalls: (429, "More calls come than may.", "Wait as long as Retry-After says."),
        .tooManyDefinitions:
            (429, "The app has as many definitions as it may have.", "Remove those that nobody uses."),
        .tooManyDevices:
            (
                429, "The app has as many devices as the server keeps.",
                "Remove devices that are not used, or raise EYOT_DEVICES_PER_APP."
            ),
        .tooManyLiveAudiences:
            (429, "The app has as many live audiences as there may be.", "End activities, or start without `live`."),
        .tooManyMembers:
            (422, "The audience or the scope is larger than one call takes.", "Split it, for example by tag."),
        .tooManyMembersWaiting:
            (429, "Too many calls with very many members are under way.", "Wait until one of them is done."),
        .tooManyRegistrations:
            (429, "Too many registrations come from this address.", "Wait as long as Retry-After says."),
        .tooManySchemas:
            (
                429, "The type has schemas for as many builds as there may be.",
                "Remove those of builds that nobody has."
            ),
        .tooManySegments: (429, "The app has as many segments as there may be.", "Remove those that are not used."),
        .tooManyTestDevices:
            (429, "The app has as many test devices as it may have.", "Remove those that nobody uses."),
        .typeMismatch: (409, "The activity is of another type.", "Use another name, or end the activity first."),
        .unavailable: (503, "The server is starting, stopping or full.", "Try again in a moment."),
        .userUnknown: (404, "There is no such user.", "Create it with PUT /v1/users/{externalID}."),
    ]
}
