import EyotContract

/// Shapes of audiences and segments.
extension APIDescription {
    private static let audience: JSONValue = [
        "description": "all, or an object with one member that selects; see docs/reference/api/audiences.md.",
        "anyOf": [["const": "all"], ["type": "object", "minProperties": 1, "maxProperties": 1]],
        "examples": ["all", ["tag": "fans"]],
    ]
    private static let selection = Shape.named("Audience").meaning("Selector of the devices.")

    private static let deviceRemoval = Shape.object(
        ["audience": Shape.named("Audience").meaning("Selector of the devices to remove.")],
        example: #"{"audience":{"tag":"bot"}}"#)
    private static let removedDevices = Shape.object(
        [
            "removed": Shape.integer.meaning("Number of devices that were removed; at most 1,000."),
            "hasMore": Shape.flag.meaning("Whether more devices fit the audience. Repeat the call then."),
        ], example: #"{"removed":3,"hasMore":false}"#)

    private static let question = Shape.object(
        [
            "audience": selection,
            "type?": Shape.text.meaning("Name of the attributes type; by default that of the activity."),
            "activity?": Shape.text.meaning("Name of the activity that the start would be of."),
            "force?": Shape.flag.meaning("Counts also devices on which an earlier start may still arrive."),
            "restartDismissed?": Shape.flag.meaning("Counts also devices from which a person has removed the card."),
        ], example: #"{"audience":{"tag":"fans"},"type":"MatchAttributes"}"#)
    private static let count = Shape.object(
        [
            "matched": Shape.integer.meaning("Number of devices of the audience."),
            "users": Shape.integer.meaning("Number of users of these devices."),
            "eligible?": Shape.integer.meaning("Number of devices that would get a card. Absent without a type."),
            "skipped?": Shape.map(Shape.integer).meaning("Number of devices that would get no card, by reason."),
            "isComplete": Shape.flag.meaning("Whether all devices of the audience were counted."),
        ],
        example: #"{"matched":143,"users":120,"eligible":140,"skipped":{"noStartToken":3},"isComplete":true}"#)

    private static let newSegment = Shape.object(["audience": selection], example: #"{"audience":{"tag":"fans"}}"#)
    private static let segment = Shape.object(
        [
            "name": Shape.text.meaning("Name of the segment."), "audience": selection,
            "updatedAt": Shape.moment.meaning("When the segment was last saved, RFC 3339."),
        ], example: #"{"name":"early-birds","audience":{"tag":"fans"},"updatedAt":"2022-12-18T15:00:00Z"}"#)

    static let audienceSchemas: [(String, JSONValue)] = [
        ("Audience", audience), ("DeviceRemoval", deviceRemoval), ("RemovedDevices", removedDevices),
        ("AudienceQuestion", question), ("AudienceCount", count), ("NewSegment", newSegment), ("Segment", segment),
        ("Segments", Shape.page("segments", of: "Segment", "Segments of the page, in the order of names.")),
    ]
}
