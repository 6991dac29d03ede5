import EyotDomain

extension EyotError.Code {
    /// The remedy in the words of the command line; nil if the catalogue's holds there too.
    var commandRemedy: String? { Self.commandRemedies[self] }

    private static let commandRemedies: [EyotError.Code: String] = [
        .activityEnded: "Start it again under the same name with `eyot activity start`.",
        .activityUnknown: "Check the name with `eyot activity list`, or start the activity with `eyot activity start`.",
        .alertIncomplete: "Give `--alert-title` and `--alert-body`.",
        .answerNotKept: "Check what the first command created. Create a new secret if that one is lost.",
        .appInUse: "End the activities of the app with `eyot activity end`, or give `--leave-cards`.",
        .appTaken: "Use the existing app. `eyot app list` shows it.",
        .appUnknown: "Check the bundle id. `eyot app list` lists the apps.",
        .audienceMissing: "Give `--all`, `--tag`, `--user`, `--to-test-device` or `--audience`.",
        .bodyTooLarge: "Give the command less data, for example a file with fewer lines.",
        .dateOutOfRange: "Give a date in the range that the message states.",
        .definitionUnknown: "Check the name. `eyot definition list` lists the definitions.",
        .deliveryUnknown: "Check the event. `eyot webhook deliveries` lists the deliveries.",
        .deviceUnknown: "Check the id. `eyot device list` lists the devices.",
        .fieldInvalid: "Correct the value that the message names.",
        .fieldMissing: "Give the value that the message names.",
        .fieldMistyped: "Correct the kind of the value that the message names.",
        .fieldUnknown: "Remove the member that the message names, or correct its spelling.",
        .idempotencyConflict: "Give a new `--idempotency-key` with each new command.",
        .identityKeyUnknown: "Check the id. `eyot identity show` lists the identity keys.",
        .joinSecretUnknown: "Create one with `eyot activity join-secret create`.",
        .keyForbidden: "Set `EYOT_API_KEY` to a key that may do it. The message states what this key lacks.",
        .keyInvalid: "Check `EYOT_API_KEY`, or create a new key with `eyot key create`.",
        .keyMissing: "Set `EYOT_API_KEY` to a key of the server.",
        .keyUnknown: "Check the id. `eyot key list` lists the keys.",
        .operationUnknown: "Use the id of the operation that the command printed.",
        .payloadTooLarge: "Shorten `--state`, `--attributes`, `--alert-title` or `--alert-body`.",
        .replicaUnknown: "Check the number. `eyot activity replicas` lists the replicas.",
        .routeUnknown: "Check `--url` or `EYOT_URL`, and that the server is as new as this command.",
        .schemaMismatch:
            "Correct the member that the message names, or give `--body '{\"onSchemaMismatch\":\"leaveOut\"}'`.",
        .schemaUnknown: "Check the build. `eyot schema list` lists the schemas of a type.",
        .scopeWithoutActivity: "Give an audience such as `--tag` or `--all` instead of `--scope`.",
        .segmentUnknown: "Check the name. `eyot segment list` lists the segments.",
        .superseded: "Read the activity with `eyot activity show`, and give its version with `--if-match`.",
        .testDeviceUnknown: "Check the name. `eyot test-device list` lists the test devices.",
        .tooManyCalls: "Repeat the command later.",
        .tooManyDefinitions: "Remove unused definitions with `eyot definition remove`.",
        .tooManyDevices:
            "Remove unused devices with `eyot device remove`, or raise EYOT_DEVICES_PER_APP on the server.",
        .tooManyLiveAudiences: "End activities with a live audience with `eyot activity end`.",
        .tooManyMembers: "Split the audience or the scope, for example with `--tag`.",
        .tooManyMembersWaiting:
            "Repeat the command when one of them is done. `eyot operation show` shows the progress.",
        .tooManySchemas: "Remove unused schemas with `eyot schema remove`.",
        .tooManySegments: "Remove unused segments with `eyot segment remove`.",
        .tooManyTestDevices: "Remove unused test devices with `eyot test-device remove`.",
        .tooManyWatched: "End the watch of another activity with `eyot activity metrics --off`.",
        .tooManyWebhooks: "Remove unused webhooks with `eyot webhook delete`.",
        .unavailable: "Repeat the command in a moment.",
        .userUnknown: "Check the id, or create the user with `eyot user set`.",
        .webhookUnknown: "Check the id. `eyot webhook list` lists the webhooks.",
    ]
}
