import EyotContract
import EyotDomain

/// Shapes of users, devices and audiences.
extension APIDescription {
    private static let texts = Shape.list(Shape.text)
    /// A tag list, or tags to add and to remove.
    private static let tagChange = Shape.any(texts, Shape.object(["add?": texts, "remove?": texts]))
    private static let attributes = Shape.map(Shape.any(Shape.text, Shape.number, Shape.flag, texts))
    private static let nullable = Shape.any(Shape.text, Shape.number, Shape.flag, texts, ["type": "null"])
    private static let merged = Shape.map(nullable)
    private static let mergedGroups = Shape.map(
        Shape.any(texts, Shape.object(["add?": texts, "remove?": texts]), ["type": "null"]))

    static let peopleSchemas: [(String, JSONValue)] = userSchemas + deviceViewSchemas

    private static let userSchemas: [(String, JSONValue)] = [
        (
            "User",
            Shape.object(
                [
                    "externalID": Shape.text, "tags": texts, "tagGroups": Shape.map(texts), "attributes": attributes,
                    "aliases": Shape.map(Shape.text),
                ],
                example: #"{"externalID":"user-1","tags":["fans"],"tagGroups":{"sport":["football"]},"#
                    + #""attributes":{"city":"Ankara"},"aliases":{"crm":"4711"}}"#)
        ),
        ("Users", Shape.page("users", of: "User")),
        (
            "UserPut",
            Shape.object(
                [
                    "tags?": texts, "tagGroups?": Shape.map(texts), "attributes?": attributes,
                    "aliases?": Shape.map(Shape.text),
                ],
                example: #"{"tags":["fans"],"tagGroups":{"sport":["football"]},"attributes":{"city":"Ankara"},"#
                    + #""aliases":{"crm":"4711"}}"#)
        ),
        (
            "UserMerge",
            Shape.object(
                [
                    "tags?": tagChange, "tagGroups?": mergedGroups, "attributes?": merged,
                    "aliases?": Shape.map(Shape.any(Shape.text, ["type": "null"])),
                ], example: #"{"tags":{"add":["vip"]},"attributes":{"since":null}}"#)
        ),
        (
            "UserLine",
            Shape.object(
                [
                    "id": Shape.text, "tags?": tagChange, "tagGroups?": mergedGroups, "attributes?": merged,
                    "aliases?": Shape.map(Shape.any(Shape.text, ["type": "null"])),
                ], example: #"{"id":"user-1","tags":["fans"]}"#)
        ),
        (
            "UserBatch",
            Shape.object(
                ["users": Shape.list(Shape.named("UserLine"), atMost: 20_000)],
                example: #"{"users":[{"id":"user-1","tags":["fans"]}]}"#)
        ),
        (
            "DeviceLine",
            Shape.object(
                ["id": Shape.text, "tags?": tagChange, "tagGroups?": mergedGroups, "attributes?": merged],
                example: #"{"id":"1","tags":{"add":["beta"]}}"#)
        ),
        (
            "DeviceBatch",
            Shape.object(
                ["devices": Shape.list(Shape.named("DeviceLine"), atMost: 20_000)],
                example: #"{"devices":[{"id":"1","tags":{"add":["beta"]}}]}"#)
        ),
        (
            "BatchResult",
            Shape.object(
                [
                    "applied": Shape.integer, "failed": Shape.integer,
                    "errors": Shape.list(
                        Shape.object(
                            [
                                "line": Shape.integer, "id?": Shape.text, "code": Shape.text, "detail": Shape.text,
                                "field?": Shape.text,
                            ])),
                ], example: #"{"applied":1,"failed":0,"errors":[]}"#)
        ),
        (
            "UserExport",
            Shape.object(
                [
                    "user": Shape.named("User"), "devices": Shape.list(Shape.named("ExportedDevice")),
                    "named": Shape.object(
                        [
                            "segments": Shape.list(Shape.text), "liveAudiences": Shape.list(Shape.text),
                            "testDevices": Shape.list(Shape.text), "activities": Shape.list(Shape.text),
                            "vendorRecords?": Shape.map(Shape.list(Shape.text)),
                        ]),
                    "isComplete": Shape.flag,
                ])
        ),
    ]

    /// The reason that a token is not used.
    static let death = Shape.object(["reason": Shape.text, "meaning": Shape.text, "isQuarantine": Shape.flag])
    static let updateToken = Shape.object(
        ["token": Shape.text, "environment": Shape.text, "version": Shape.integer, "setAt": Shape.moment])
    static let permissions = Shape.object(["activities": Shape.flag, "frequentPushes": Shape.flag])

    private static let startToken = Shape.object(
        [
            "type": Shape.text, "token": Shape.text, "environment": Shape.text, "setAt": Shape.moment,
            "osVersion?": Shape.text, "death?": death,
        ])

    private static let device = Shape.object(
        [
            "id": Shape.text, "user?": Shape.text, "isProven?": Shape.flag, "provenBy?": Shape.text,
            "isImported?": Shape.flag,
            "environment": Shape.text,
            "osVersion": Shape.text, "appVersion": Shape.text, "language?": Shape.text, "permissions": permissions,
            "tags": texts, "attributes": attributes,
            "backend?": Shape.object(["tags": texts, "tagGroups": Shape.map(texts), "attributes": attributes]),
            "startTokens": Shape.list(startToken), "createdAt": Shape.moment, "seenAt": Shape.moment,
        ])

    private static let exported = Shape.object(
        [
            "activity": Shape.text, "generation": Shape.integer, "ordinal": Shape.integer, "phase": Shape.text,
            "type?": Shape.text, "instance?": Shape.text, "token?": updateToken, "startsAt?": Shape.moment,
            "appearedAt?": Shape.moment, "createdAt": Shape.moment,
        ])

    private static var exportedDevice: JSONValue {
        var shape = device.object
        var properties = shape?["properties"]?.object
        properties?["installation"] = Shape.text
        properties?["cards"] = Shape.list(exported)
        shape?["properties"] = properties.map(JSONValue.object)
        return shape.map(JSONValue.object) ?? .null
    }

    private static let deviceViewSchemas: [(String, JSONValue)] = [
        ("Device", device), ("Devices", Shape.page("devices", of: "Device")), ("ExportedDevice", exportedDevice),
        (
            "DeviceExport",
            Shape.object(["device": Shape.named("ExportedDevice"), "isComplete": Shape.flag])
        ),
        (
            "DeviceMerge",
            Shape.object(
                ["tags?": tagChange, "tagGroups?": mergedGroups, "attributes?": merged],
                example: #"{"tagGroups":{"beta":["cards"]},"attributes":{"store":"TR"}}"#)
        ),
        (
            "NewTestDevice",
            Shape.object(["device?": Shape.text, "user?": Shape.text], example: #"{"user":"user-1"}"#)
        ),
        (
            "TestDevice",
            Shape.object(
                ["name": Shape.text, "device?": Shape.text, "user?": Shape.text],
                example: #"{"name":"my phone","user":"user-1"}"#)
        ),
        ("TestDevices", Shape.page("testDevices", of: "TestDevice", hasNext: false)),
        (
            "ImportedToken",
            Shape.object(
                [
                    "installation": Shape.text, "user?": Shape.text,
                    "environment?": Shape.word("sandbox", "production"),
                    "osVersion?": Shape.text, "appVersion?": Shape.text, "type": Shape.text, "startToken?": Shape.text,
                    "updateToken?": Shape.text, "activity?": Shape.text, "instance?": Shape.text,
                ],
                example: #"{"installation":"A1","user":"user-1","type":"MatchAttributes","#
                    + #""startToken":"0a1b2c3d4e5f60718293a4b5c6d7e8f9"}"#)
        ),
        (
            "ImportedTokens",
            Shape.object(
                [
                    "imported": Shape.integer, "unchanged": Shape.integer, "registered": Shape.integer,
                    "failed": Shape.integer,
                    "errors": Shape.list(
                        Shape.object(
                            ["line": Shape.integer, "code": Shape.text, "detail": Shape.text, "field?": Shape.text]),
                        atMost: 100),
                ], example: #"{"imported":1,"unchanged":0,"registered":0,"failed":0,"errors":[]}"#)
        ),
        (
            "Restoration",
            Shape.object(
                [
                    "all?": Shape.flag, "device?": Shape.text, "activity?": Shape.text, "ordinal?": Shape.integer,
                    "reason?": Shape.text, "after?": Shape.text,
                ], example: #"{"activity":"final-2022","reason":"Unregistered"}"#)
        ),
        (
            "RestoredTokens",
            Shape.object(
                ["updateTokens": Shape.integer, "startTokens": Shape.integer, "next?": Shape.text],
                example: #"{"updateTokens":1,"startTokens":0}"#)
        ),
    ]

    // MARK: Audiences

    static let audienceSchemas: [(String, JSONValue)] = [
        (
            "Audience",
            [
                "description": "all, or an object with one member that selects; see docs/reference/api/audiences.md.",
                "anyOf": [["const": "all"], ["type": "object", "minProperties": 1, "maxProperties": 1]],
                "examples": ["all", ["tag": "fans"]],
            ]
        ),
        (
            "DeviceRemoval",
            Shape.object(["audience": Shape.named("Audience")], example: #"{"audience":{"tag":"bot"}}"#)
        ),
        (
            "RemovedDevices",
            Shape.object(["removed": Shape.integer, "hasMore": Shape.flag], example: #"{"removed":3,"hasMore":false}"#)
        ),
        (
            "AudienceQuestion",
            Shape.object(
                [
                    "audience": Shape.named("Audience"), "type?": Shape.text, "activity?": Shape.text,
                    "force?": Shape.flag, "restartDismissed?": Shape.flag,
                ], example: #"{"audience":{"tag":"fans"},"type":"MatchAttributes"}"#)
        ),
        (
            "AudienceCount",
            Shape.object(
                [
                    "matched": Shape.integer, "users": Shape.integer, "eligible?": Shape.integer,
                    "skipped?": Shape.map(Shape.integer), "isComplete": Shape.flag,
                ],
                example: #"{"matched":143,"users":120,"eligible":140,"skipped":{"noStartToken":3},"isComplete":true}"#)
        ),
        (
            "NewSegment",
            Shape.object(["audience": Shape.named("Audience")], example: #"{"audience":{"tag":"fans"}}"#)
        ),
        (
            "Segment",
            Shape.object(
                ["name": Shape.text, "audience": Shape.named("Audience"), "updatedAt": Shape.moment],
                example: #"{"name":"early-birds","audience":{"tag":"fans"},"updatedAt":"2022-12-18T15:00:00Z"}"#)
        ),
        ("Segments", Shape.page("segments", of: "Segment")),
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
