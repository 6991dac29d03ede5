extension EyotError.Code {
    /// The HTTP status of the code.
    package var status: Int { row.status }
    /// The cause of the error, as a sentence.
    package var cause: String { row.cause }
    /// The remedy, as a sentence.
    package var remedy: String { row.remedy }

    private typealias Row = (status: Int, cause: String, remedy: String)

    /// The row of the code. A test checks that every code has one.
    private var row: Row { Self.rows[self] ?? (500, "The server failed.", "Read the server's log.") }

    private static let rows: [EyotError.Code: Row] = [
        .activityEnded:
            (
                409, "The activity has ended, so it accepts no updates.",
                "Start it again under the same name with POST /v1/activities/{name}/start."
            ),
        .activityHalted:
            (
                409, "The activity is halted, so nothing is sent to its cards.",
                "Retry after the activity, its type and its app are resumed."
            ),
        .activityUnknown:
            (
                404, "No activity has this name.",
                "Check the name, or start the activity with POST /v1/activities/{name}/start."
            ),
        .alertIncomplete:
            (
                422, "The alert is incomplete. Apple drops a start without a title and a body.",
                "Send `alert.title` and `alert.body`."
            ),
        .aliasTaken:
            (
                409, "Another user has this alias.",
                "Use another alias, or remove it from the other user with PATCH /v1/users/{externalID}."
            ),
        .answerNotKept:
            (
                409, "The request repeats an earlier one, and the answer to that one was not stored.",
                "Read what the first request created. Create a new secret if that one is lost."
            ),
        .appInUse:
            (
                409, "An activity of the app has not ended. Its cards would stay on phones for hours.",
                "End the activities of the app first, or send the query `leaveCards=true`."
            ),
        .appTaken:
            (409, "An app with this bundle id already exists.", "Read the existing app with GET /v1/apps/{bundleID}."),
        .appUnknown: (404, "No app has this bundle id.", "Check the bundle id. GET /v1/apps lists the apps."),
        .audienceMissing:
            (422, "A start needs an audience.", "Send `audience`, for example {\"tag\": \"fans\"} or \"all\"."),
        .audienceTooCostly:
            (
                422, "The search for the devices of the audience or scope takes too long.",
                "Select fewer devices in one call, or combine the selector with users or a tag, which are indexed."
            ),
        .bodyTooLarge: (413, "The body is larger than this call accepts.", "Split the request into smaller ones."),
        .channelUnknown:
            (
                404, "The activity has no channel that this phone can follow now.",
                "Request the card with a push token instead of a channel."
            ),
        .contentEncodingUnsupported:
            (
                415, "The body is compressed or otherwise encoded, which this server does not accept.",
                "Send the plain body without the header Content-Encoding."
            ),
        .contentTypeUnsupported:
            (
                415, "The call does not accept the Content-Type of the body.",
                "Send the Content-Type that `detail` names."
            ),
        .databaseBusy:
            (
                503, "Another process holds the database, so nothing can be written.",
                "Retry the call. End the transaction of the other process, such as a backup by hand or an open shell."
            ),
        .dateOutOfRange:
            (
                422, "A date lies outside the range that this call accepts.",
                "Correct the date that `field` names. `detail` states the range."
            ),
        .definitionUnknown:
            (404, "No definition has this name.", "Check the name. GET /v1/definitions lists the definitions."),
        .deliveryUnknown:
            (
                404, "The webhook has no pending delivery and no dead letter of this event.",
                "Check the event. GET /v1/webhooks/{id}/deliveries lists the deliveries."
            ),
        .deviceUnknown: (404, "No device of the app has this id.", "Check the id. GET /v1/devices lists the devices."),
        .diskFull:
            (
                503, "The disk that holds the database is full.",
                "Free space on that disk. The server continues without a restart."
            ),
        .historyChanged:
            (
                409, "The database has gone back: it does not know changes that were confirmed to this device.",
                "Register with POST /v1/device/register, and report everything anew."
            ),
        .epochOutdated:
            (
                401, "The device has registered again since it numbered these changes.",
                "Register with POST /v1/device/register, and number the changes in the new epoch."
            ),
        .fieldInvalid:
            (
                422, "A member, header or parameter has a value that is not allowed.",
                "Correct the member, header or parameter that `field` names."
            ),
        .fieldMissing:
            (
                422, "A member or header that this call needs is missing.",
                "Add the member or header that `field` names."
            ),
        .fieldMistyped:
            (
                422, "A member has a value of the wrong type.",
                "Correct the member that `field` names. `detail` states the type."
            ),
        .fieldUnknown:
            (
                422, "The call has a member or parameter that it does not support.",
                "Remove the member or parameter that `field` names, or correct its spelling."
            ),
        .hostInvalid:
            (
                400, "The request has no Host header, or more than one.",
                "Send exactly one Host header, as HTTP/1.1 requires."
            ),
        .idempotencyConflict:
            (
                409, "The Idempotency-Key was already used for a different request.",
                "Send a new Idempotency-Key with each new request."
            ),
        .identityKeyUnknown:
            (404, "No identity key of the app has this id.", "Check the id. GET /v1/identity lists the identity keys."),
        .identityRefused:
            (
                401, "The token does not prove the user, so the device gets no user.",
                "Sign a new token for this user in the backend, and identify the device again."
            ),
        .installationTaken:
            (409, "Another registration has this installation id.", "Register again with a new installation id."),
        .internalFault:
            (500, "The server failed.", "Retry the call. If it fails again, the server's log has the cause."),
        .joinSecretUnknown:
            (404, "The activity has no join secret.", "Create one with POST /v1/activities/{name}/join-secret."),
        .jsonInvalid:
            (
                400, "The body is not JSON that the server can read.",
                "Correct the text at the position that `detail` names."
            ),
        .keyForbidden:
            (
                403, "The key is valid, but may not make this call.",
                "Use a key that may make it. `detail` states what this key lacks."
            ),
        .keyInvalid:
            (401, "The key is unknown, expired or revoked.", "Check the key, or create a new one with POST /v1/keys."),
        .keyMissing:
            (401, "The request has no key.", "Send the key in the header Authorization, after the word Bearer."),
        .keyUnknown: (404, "The app has no usable key with this id.", "Check the id. GET /v1/keys lists the keys."),
        .methodNotAllowed: (405, "The path does not support this method.", "Use a method that the header Allow names."),
        .operationUnknown:
            (
                404, "The app has no operation with this id.",
                "Use the id in `operation` of the answer to a declaration."
            ),
        .pathAmbiguous:
            (
                400, "A proxy may read the path in another way than the server does.",
                "Remove what `detail` names from the path, or send the name in a line of POST /v1/declarations."
            ),
        .payloadTooLarge:
            (
                413, "Apple accepts payloads of at most 4,096 bytes.",
                "Shorten `contentState`, `attributes`, `alert` or `aps`."
            ),
        .profileTooLarge:
            (
                422, "The profile of the device is larger than the server stores.",
                "Shorten or remove tags and attributes."
            ),
        .replicaUnknown:
            (
                404, "The activity has no replica with this number.",
                "Check the number. GET /v1/activities/{name}/replicas lists the replicas."
            ),
        .requestMalformed: (400, "The bytes are not a valid HTTP/1.1 request.", "Send a valid HTTP/1.1 request."),
        .requestUnknown:
            (
                404, "No call with this id declared anything or was refused, or the record of it is no longer kept.",
                "Check the id in the header X-Request-Id of the answer. Reads and phones' calls are not kept."
            ),
        .requestTimeout:
            (
                408, "The request arrived too slowly, or was not answered in time.",
                "Send the headers and the body without pauses, or send less in one call."
            ),
        .routeUnknown:
            (404, "The server has no route for this path.", "Check the path. GET /openapi.json lists the routes."),
        .schemaMismatch:
            (
                422, "The app on a phone that the call reaches could not decode the state or the attributes.",
                "Correct the member that `field` names, or send `onSchemaMismatch` with \"leaveOut\"."
            ),
        .schemaUnknown:
            (
                404, "The type has no schema for this build.",
                "Check the build. GET /v1/types/{type}/schemas lists the schemas."
            ),
        .scopeWithoutActivity:
            (
                422, "A scope selects replicas of a running activity, and this one is not running.",
                "Send the call without `scope`, and with `audience` to start cards."
            ),
        .secretInvalid:
            (401, "The device secret is unknown.", "Register the device again with POST /v1/device/register."),
        .segmentUnknown: (404, "No segment has this name.", "Check the name. GET /v1/segments lists the segments."),
        .superseded:
            (
                412, "The activity is at another version than If-Match or If-None-Match requires.",
                "Read the activity with GET /v1/activities/{name}, and send its new ETag if the call still applies."
            ),
        .testDeviceUnknown:
            (404, "No test device has this name.", "Check the name. GET /v1/test-devices lists the test devices."),
        .tooManyCalls:
            (
                429, "A key, app, device or address has sent more calls than its limit allows.",
                "Retry later. A Retry-After header states after how many seconds."
            ),
        .tooManyDefinitions:
            (
                429, "The app has as many definitions as the limit allows.",
                "Remove unused definitions with DELETE /v1/definitions/{name}."
            ),
        .tooManyDevices:
            (
                429, "The app has as many devices as the limit allows.",
                "Remove unused devices with DELETE /v1/devices/{id}, or raise EYOT_DEVICES_PER_APP."
            ),
        .tooManyLiveAudiences:
            (
                429, "The app has as many live audiences as the limit allows.",
                "End activities with a live audience, or start without `live`."
            ),
        .tooManyMembers:
            (
                422, "The audience or the scope has more members than one call accepts.",
                "Split the audience or the scope, for example by tag."
            ),
        .tooManyMembersWaiting:
            (
                429, "Too many calls of the app with very many members are still in progress.",
                "Retry when one of them is done. GET /v1/operations/{id} shows the progress."
            ),
        .tooManyRegistrations:
            (
                429, "The address has sent more registrations than its limit allows.",
                "Retry after the number of seconds in the header Retry-After."
            ),
        .tooManySchemas:
            (
                429, "The type has schemas for as many builds as the limit allows.",
                "Remove unused schemas with DELETE /v1/types/{type}/schemas/{build}."
            ),
        .tooManySegments:
            (
                429, "The app has as many segments as the limit allows.",
                "Remove unused segments with DELETE /v1/segments/{name}."
            ),
        .tooManyTestDevices:
            (
                429, "The app has as many test devices as the limit allows.",
                "Remove unused test devices with DELETE /v1/test-devices/{name}."
            ),
        .tooManyWatched:
            (
                429, "The server watches as many activities as the limit allows.",
                "End the watch of another activity with POST /v1/activities/{name}/unwatch."
            ),
        .tooManyWebhooks:
            (
                429, "The app has as many webhooks as the limit allows.",
                "Remove unused webhooks with DELETE /v1/webhooks/{id}."
            ),
        .typeMismatch:
            (
                409, "The activity has another type than the call names.",
                "Use another activity name, or end the activity first."
            ),
        .unavailable:
            (
                503, "The server is starting, stopping or at its capacity.",
                "Retry after the number of seconds in the header Retry-After."
            ),
        .userUnknown:
            (
                404, "No user of the app has this id.",
                "Check the id, or create the user with PUT /v1/users/{externalID}."
            ),
        .versionUnknown:
            (
                404, "The activity has no declaration with this version, or no longer keeps it.",
                "Check the version. GET /v1/activities/{name}/declarations lists those that are kept."
            ),
        .webhookUnknown:
            (404, "No webhook of the app has this id.", "Check the id. GET /v1/webhooks lists the webhooks."),
    ]
}
