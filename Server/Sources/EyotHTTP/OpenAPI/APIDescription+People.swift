import EyotContract
import EyotDomain

/// Shapes of users, devices and tokens.
extension APIDescription {
    private static let texts = Shape.list(Shape.text)
    private static let tagDifference = Shape.object([
        "add?": texts.meaning("Tags to add."), "remove?": texts.meaning("Tags to remove."),
    ])
    private static let value = Shape.any(Shape.text, Shape.number, Shape.flag, texts)
    private static let valueOrNull = Shape.any(Shape.text, Shape.number, Shape.flag, texts, ["type": "null"])
    private static let textOrNull = Shape.any(Shape.text, ["type": "null"])

    // Members of users and devices, and how they are merged.
    private static let tags = texts.meaning("Tags without a group.")
    private static let tagGroups = Shape.map(texts).meaning("Tags in groups, by the group's name.")
    private static let attributes = Shape.map(value).meaning("Attributes by name.")
    private static let aliases = Shape.map(Shape.text).meaning("The user's names, by label.")
    private static let mergedTags = Shape.any(texts, tagDifference).meaning(
        "All tags without a group, or tags to add and to remove.")
    private static let mergedGroups = Shape.map(Shape.any(texts, tagDifference, ["type": "null"])).meaning(
        "Groups of tags by name. Null removes a group.")
    private static let mergedAttributes = Shape.map(valueOrNull).meaning("Attributes by name. Null removes one.")
    private static let mergedAliases = Shape.map(textOrNull).meaning("The user's names, by label. Null removes one.")

    private static let externalID = Shape.text.meaning("Your own id of the user.")

    static let peopleSchemas: [(String, JSONValue)] = userSchemas + deviceViewSchemas + tokenSchemas

    // MARK: Users

    private static let user = Shape.object(
        [
            "externalID": externalID, "tags": tags, "tagGroups": tagGroups, "attributes": attributes,
            "aliases": aliases,
        ],
        example: #"{"externalID":"user-1","tags":["fans"],"tagGroups":{"sport":["football"]},"#
            + #""attributes":{"city":"Ankara"},"aliases":{"crm":"4711"}}"#)

    private static let userPut = Shape.object(
        ["tags?": tags, "tagGroups?": tagGroups, "attributes?": attributes, "aliases?": aliases],
        example: #"{"tags":["fans"],"tagGroups":{"sport":["football"]},"attributes":{"city":"Ankara"},"#
            + #""aliases":{"crm":"4711"}}"#)

    private static let userMerge = Shape.object(
        [
            "tags?": mergedTags, "tagGroups?": mergedGroups, "attributes?": mergedAttributes,
            "aliases?": mergedAliases,
        ], example: #"{"tags":{"add":["vip"]},"attributes":{"since":null}}"#)

    private static let userLine = Shape.object(
        [
            "id": externalID, "tags?": mergedTags, "tagGroups?": mergedGroups, "attributes?": mergedAttributes,
            "aliases?": mergedAliases,
        ], example: #"{"id":"user-1","tags":["fans"]}"#)

    private static let userBatch = Shape.object(
        ["users": Shape.list(Shape.named("UserLine"), atMost: 20_000).meaning("Users to merge.")],
        example: #"{"users":[{"id":"user-1","tags":["fans"]}]}"#)

    private static let line = Shape.integer.meaning("Number of the line or element, from 1.")
    private static let code = Shape.text.meaning("Stable code of the error.")
    private static let detail = Shape.text.meaning("Description of this case.")
    private static let field = Shape.text.meaning("Path of the wrong member.")

    private static let batchError = Shape.object([
        "line": line, "id?": Shape.text.meaning("Id that the line names."), "code": code, "detail": detail,
        "field?": field,
    ])
    private static let batchResult = Shape.object(
        [
            "applied": Shape.integer.meaning("Number of lines that were applied."),
            "failed": Shape.integer.meaning("Number of lines that failed."),
            "errors": Shape.list(batchError).meaning("The first 100 failures."),
        ], example: #"{"applied":1,"failed":0,"errors":[]}"#)

    private static let traces = Shape.object([
        "segments": texts.meaning("Names of segments that name the user."),
        "liveAudiences": texts.meaning("Names of activities whose open audience names the user."),
        "testDevices": texts.meaning("Names of test devices that mean the user."),
        "activities": texts.meaning("Names of activities that name the user."),
        "vendorRecords?": Shape.map(texts).meaning("Ids of records that a vendor's API keeps, by vendor."),
    ])
    private static let userExport = Shape.object([
        "user": Shape.named("User").meaning("The user."),
        "devices": Shape.list(Shape.named("ExportedDevice")).meaning("The user's devices; at most 100."),
        "named": traces.meaning("Other records that name the user, apart from the devices."),
        "isComplete": isComplete,
    ])
    private static let isComplete = Shape.flag.meaning("Whether the export has all devices, cards and events.")

    private static let userSchemas: [(String, JSONValue)] = [
        ("User", user), ("Users", Shape.page("users", of: "User", "Users of the page, in the order of their ids.")),
        ("UserPut", userPut), ("UserMerge", userMerge), ("UserLine", userLine), ("UserBatch", userBatch),
        ("DeviceLine", deviceLine), ("DeviceBatch", deviceBatch), ("BatchResult", batchResult),
        ("UserExport", userExport),
    ]

    // MARK: Devices

    /// The reason that a token is not used.
    static let death = Shape.object([
        "reason": Shape.text.meaning("Apple's reason."),
        "meaning": Shape.text.meaning("Sentence that explains the reason."),
        "isQuarantine": Shape.flag.meaning("Whether the token is set aside. Otherwise it is dead."),
    ])
    static let updateToken = Shape.object([
        "token": Shape.text.meaning("The token, shortened."),
        "environment": Shape.text.meaning("Environment of Apple's: `sandbox` or `production`."),
        "version": Shape.integer.meaning("Counts the tokens of the card."),
        "setAt": Shape.moment.meaning("When the token was set, RFC 3339."),
    ])
    static let permissions = Shape.object([
        "activities": Shape.flag.meaning("Whether the person allows Live Activities."),
        "frequentPushes": Shape.flag.meaning("Whether the person allows frequent pushes."),
    ])

    private static let startToken = Shape.object([
        "type": Shape.text.meaning("Name of the attributes type that the token starts."),
        "token": Shape.text.meaning("The token, shortened."),
        "environment": Shape.text.meaning("Environment of Apple's: `sandbox` or `production`."),
        "setAt": Shape.moment.meaning("When the token was set, RFC 3339."),
        "osVersion?": Shape.text.meaning("Version of iOS under which the phone reported the token."),
        "death?": death.meaning("Why the token is not used. Absent if it is in use."),
    ])

    private static let backend = Shape.object(["tags": tags, "tagGroups": tagGroups, "attributes": attributes])

    private static let device = Shape.object([
        "id": Shape.text.meaning("Id of the device."),
        "user?": Shape.text.meaning("Your own id of the phone's user. Absent for an anonymous phone."),
        "isProven?": Shape.flag.meaning("True if the user is proven."),
        "provenBy?": Shape.text.meaning("Id of the identity key that has proven the user."),
        "isImported?": Shape.flag.meaning("True if the device was imported and its app has not registered."),
        "environment": Shape.text.meaning("Environment of Apple's: `sandbox` or `production`."),
        "osVersion": Shape.text.meaning("Version of iOS, such as `18.1`."),
        "appVersion": Shape.text.meaning("Version and build of the app, such as `1.4 (27)`."),
        "language?": Shape.text.meaning("Language of the app on the phone, BCP 47."),
        "permissions": permissions.meaning("Switches for Live Activities in Settings."),
        "tags": texts.meaning("Tags that the app gives the device."),
        "attributes": attributes.meaning("Attributes that the app gives the device, by name."),
        "backend?": backend.meaning("Tags and attributes that your backend gives the device."),
        "startTokens": Shape.list(startToken).meaning("Push-to-start tokens, by type."),
        "createdAt": Shape.moment.meaning("When the device was registered or imported, RFC 3339."),
        "seenAt": Shape.moment.meaning("When the server last heard of the device, RFC 3339."),
    ])

    private static let exported = Shape.object([
        "activity": Shape.text.meaning("Name of the activity."),
        "generation": Shape.integer.meaning("Generation of the activity."),
        "ordinal": Shape.integer.meaning("Number of the card in its activity, from 1."),
        "phase": Shape.text.meaning("Phase of the card, such as `live` or `dismissed`."),
        "type?": Shape.text.meaning("Name of the attributes type."),
        "instance?": Shape.text.meaning("ActivityKit's id of the card."),
        "token?": updateToken.meaning("The card's update token."),
        "startsAt?": Shape.moment.meaning("When its remote start is or was to leave, RFC 3339."),
        "appearedAt?": Shape.moment.meaning("When the phone first reported the card, RFC 3339."),
        "createdAt": Shape.moment.meaning("When the card's place in the activity was made, RFC 3339."),
        "content?": Shape.anyObject.meaning("Newest state that was for this card alone."),
        "shown?": Shape.anyObject.meaning("What the phone last reported of the card."),
    ])

    private static var exportedDevice: JSONValue {
        var shape = device.object
        var properties = shape?["properties"]?.object
        properties?["installation"] = Shape.text.meaning("Id of the installation that the phone registered with.")
        properties?["cards"] = Shape.list(exported).meaning("Cards of the device; at most 1,000.")
        properties?["events"] = Shape.list(Shape.named("Event")).meaning(
            "What happened to the device under its present user, newest first; at most 1,000 events.")
        shape?["properties"] = properties.map(JSONValue.object)
        return shape.map(JSONValue.object) ?? .null
    }
    private static let deviceExport = Shape.object([
        "device": Shape.named("ExportedDevice").meaning("The device, with its cards."), "isComplete": isComplete,
    ])

    private static let deviceMerge = Shape.object(
        ["tags?": mergedTags, "tagGroups?": mergedGroups, "attributes?": mergedAttributes],
        example: #"{"tagGroups":{"beta":["cards"]},"attributes":{"store":"TR"}}"#)
    private static let deviceLine = Shape.object(
        [
            "id": Shape.text.meaning("Id of the device."), "tags?": mergedTags, "tagGroups?": mergedGroups,
            "attributes?": mergedAttributes,
        ], example: #"{"id":"1","tags":{"add":["beta"]}}"#)
    private static let deviceBatch = Shape.object(
        ["devices": Shape.list(Shape.named("DeviceLine"), atMost: 20_000).meaning("Devices to merge.")],
        example: #"{"devices":[{"id":"1","tags":{"add":["beta"]}}]}"#)

    private static let targetDevice = Shape.text.meaning("Id of the device.")
    private static let targetUser = Shape.text.meaning("Your own id of a user. It means all devices of that user.")
    private static let newTestDevice = Shape.object(
        ["device?": targetDevice, "user?": targetUser], example: #"{"user":"user-1"}"#)
    private static let testDevice = Shape.object(
        ["name": Shape.text.meaning("Name of the test device."), "device?": targetDevice, "user?": targetUser],
        example: #"{"name":"my phone","user":"user-1"}"#)

    private static let deviceViewSchemas: [(String, JSONValue)] = [
        ("Device", device),
        ("Devices", Shape.page("devices", of: "Device", "Devices of the page, in the order of their ids.")),
        ("ExportedDevice", exportedDevice), ("DeviceExport", deviceExport), ("DeviceMerge", deviceMerge),
        ("NewTestDevice", newTestDevice), ("TestDevice", testDevice),
        ("TestDevices", Shape.page("testDevices", of: "TestDevice", "All test devices of the app.", next: nil)),
    ]

    // MARK: Tokens

    private static let importedToken = Shape.object(
        [
            "installation": Shape.text.meaning("The other service's id of the device, up to 256 bytes."),
            "user?": externalID,
            "environment?": Shape.word("sandbox", "production").meaning(
                "Environment of the tokens; `production` by default."),
            "osVersion?": Shape.text.meaning("Version of iOS; by default the oldest that has such tokens."),
            "appVersion?": Shape.text.meaning("Version and build of the app; `0` by default."),
            "type": Shape.text.meaning("Name of the attributes type."),
            "startToken?": Shape.text.meaning("Push-to-start token, in hexadecimal digits."),
            "updateToken?": Shape.text.meaning("Token of a running card, in hexadecimal digits."),
            "activity?": Shape.text.meaning("Name of the activity of that card."),
            "instance?": Shape.text.meaning("ActivityKit's id of that card."),
        ],
        example: #"{"installation":"A1","user":"user-1","type":"MatchAttributes","#
            + #""startToken":"0a1b2c3d4e5f60718293a4b5c6d7e8f9"}"#)

    private static let importError = Shape.object(["line": line, "code": code, "detail": detail, "field?": field])
    private static let importedTokens = Shape.object(
        [
            "imported": Shape.integer.meaning("Number of lines that were imported."),
            "unchanged": Shape.integer.meaning("Number of lines that said nothing new."),
            "registered": Shape.integer.meaning("Number of lines about phones that have registered here."),
            "failed": Shape.integer.meaning("Number of lines that failed."),
            "errors": Shape.list(importError, atMost: 100).meaning("The first 100 failures."),
        ], example: #"{"imported":1,"unchanged":0,"registered":0,"failed":0,"errors":[]}"#)

    private static let restoration = Shape.object(
        [
            "all?": Shape.flag.meaning("True for all tokens of the app."),
            "device?": Shape.text.meaning("Id of the device whose tokens are restored."),
            "activity?": Shape.text.meaning("Name of the activity, for its newest generation."),
            "ordinal?": Shape.integer.meaning("Number of the only card of the activity to restore."),
            "reason?": Shape.text.meaning("Apple's reason. Only tokens that were refused with it are restored."),
            "after?": Shape.text.meaning("The `next` of the answer before. Absent in the first call."),
        ], example: #"{"activity":"final-2022","reason":"Unregistered"}"#)
    private static let restoredTokens = Shape.object(
        [
            "updateTokens": Shape.integer.meaning("Number of restored update tokens."),
            "startTokens": Shape.integer.meaning("Number of restored start tokens."),
            "next?": Shape.text.meaning("Value of `after` for the next call; absent at the end."),
        ], example: #"{"updateTokens":1,"startTokens":0}"#)

    private static let tokenSchemas: [(String, JSONValue)] = [
        ("ImportedToken", importedToken), ("ImportedTokens", importedTokens), ("Restoration", restoration),
        ("RestoredTokens", restoredTokens),
    ]
}

extension OperationDescription {
    static let peopleNotes: [String: OperationNote] = [
        "PUT /v1/users/{externalID}": .of(
            "Replace what is said of a user", takes: "UserPut", 200, "User", codes: [.aliasTaken]),
        "PATCH /v1/users/{externalID}": .of(
            "Merge into what is said of a user", takes: "UserMerge", 200, "User", codes: [.aliasTaken]),
        "GET /v1/users/{externalID}": .of("Read a user", 200, "User", codes: [.userUnknown]),
        "GET /v1/users": .of("List users", 200, "Users"),
        "POST /v1/users/bulk": .of("Merge very many users", takes: "UserBatch", 200, "BatchResult"),
        "GET /v1/users/{externalID}/cards": .of("List a user's cards", 200, "UserCards", codes: [.userUnknown]),
        "GET /v1/devices/{id}/cards": .of("List a device's cards", 200, "UserCards", codes: [.deviceUnknown]),
        "GET /v1/users/{externalID}/export": .of(
            "All that is kept of a person", 200, "UserExport", codes: [.userUnknown]),
        "DELETE /v1/users/{externalID}": .of("Remove a person and all devices", 204, codes: [.userUnknown]),
        "GET /v1/devices": .of("List devices", 200, "Devices"),
        "GET /v1/devices/{id}": .of("Read a device", 200, "Device", codes: [.deviceUnknown]),
        "PATCH /v1/devices/{id}": .of(
            "Merge into what the backend says of a device", takes: "DeviceMerge", 200, "Device",
            codes: [.deviceUnknown]),
        "POST /v1/devices/bulk": .of(
            "Merge into what the backend says of very many devices", takes: "DeviceBatch", 200, "BatchResult"),
        "GET /v1/devices/{id}/export": .of(
            "All that is kept of a device", 200, "DeviceExport", codes: [.deviceUnknown]),
        "DELETE /v1/devices/{id}": .of("Remove a device", 204, codes: [.deviceUnknown]),
        "POST /v1/devices/remove": .of(
            "Remove devices by an audience", takes: "DeviceRemoval", 200, "RemovedDevices",
            codes: [.audienceTooCostly, .segmentUnknown, .testDeviceUnknown]),
        "PUT /v1/segments/{name}": .of(
            "Save an audience", takes: "NewSegment", 200, "Segment",
            codes: [.segmentUnknown, .testDeviceUnknown, .tooManySegments]),
        "GET /v1/segments/{name}": .of("Read a segment", 200, "Segment", codes: [.segmentUnknown]),
        "GET /v1/segments": .of("List segments", 200, "Segments"),
        "DELETE /v1/segments/{name}": .of("Remove a segment", 204, codes: [.segmentUnknown]),
        "POST /v1/audiences/count": .of(
            "Count whom a start would find", takes: "AudienceQuestion", 200, "AudienceCount",
            codes: [.activityUnknown, .activityEnded, .typeMismatch, .segmentUnknown, .testDeviceUnknown]),
        "PUT /v1/test-devices/{name}": .of(
            "Name a phone to try things out on", takes: "NewTestDevice", 200, "TestDevice",
            codes: [.deviceUnknown, .userUnknown, .tooManyTestDevices]),
        "GET /v1/test-devices/{name}": .of("Read a test device", 200, "TestDevice", codes: [.testDeviceUnknown]),
        "GET /v1/test-devices": .of("List test devices", 200, "TestDevices"),
        "DELETE /v1/test-devices/{name}": .of("Take a name away", 204, codes: [.testDeviceUnknown]),
        "POST /v1/tokens/import": .of(
            "Take in tokens that another service has, a line each", 200, "ImportedTokens"),
        "POST /v1/tokens/restore": .of(
            "Use tokens again that were buried or set aside", takes: "Restoration", 200, "RestoredTokens",
            codes: [.activityUnknown, .replicaUnknown, .deviceUnknown]),
    ]
}
