import EyotContract

/// Shapes of types: their profiles and schemas.
extension APIDescription {
    private static let newProfile = Shape.object(
        [
            "updateSpacing?": Shape.integer(0...3_600).meaning("Seconds between two updates of a card; 0 by default."),
            "updateSpacingWithoutFrequentPushes?": Shape.integer(0...3_600).meaning(
                "Seconds between two updates on phones that allow no frequent pushes; by default the same."),
            "startsPerHour?": Shape.integer.meaning("Remote starts that a phone may get in an hour; 10 by default."),
            "restartAfter?": Shape.integer(0...604_800).meaning(
                "Seconds of a phone's silence after which a start without a card is made again; 28800 by default, "
                    + "0 for never."),
            "staleAfter?": Shape.integer.meaning("Seconds that a state stays fresh if no declaration says it."),
            "relevanceScore?": Shape.number.meaning("Relevance of cards if no declaration says it."),
        ], example: #"{"updateSpacing":5,"startsPerHour":4}"#)

    private static let profile = Shape.object([
        "type": Shape.text.meaning("Name of the type; `*` for all types without a profile."),
        "updateSpacing": Shape.integer.meaning("Seconds between two updates of a card."),
        "updateSpacingWithoutFrequentPushes": Shape.integer.meaning(
            "Seconds between two updates on phones that allow no frequent pushes."),
        "startsPerHour": Shape.integer.meaning("Remote starts that a phone may get in an hour."),
        "restartAfter": Shape.integer.meaning(
            "Seconds of a phone's silence after which a start without a card is made again; 0 for never."),
        "staleAfter?": Shape.integer.meaning("Seconds that a state stays fresh if no declaration says it."),
        "relevanceScore?": Shape.number.meaning("Relevance of cards if no declaration says it."),
    ])

    private static let newSchema = Shape.object(
        [
            "schema": Shape.anyObject.meaning("JSON Schema of the type's attributes and content state."),
            "builds?": Shape.list(Shape.text).meaning(
                "Versions of the app with the schema; by default all builds without one."),
        ],
        example: #"{"builds":["0.9 (1)"],"schema":{"attributes":{"type":"object"},"contentState":{"#
            + #""type":"object","properties":{"homeScore":{"type":"integer"}}}}}"#)

    private static let difference = Shape.list(
        Shape.object([
            "path": Shape.text.meaning("Place in the payload."),
            "reason": Shape.text.meaning("Why a value there may not decode."),
        ]))
    private static let pushedSchema = Shape.object([
        "type": Shape.text.meaning("Name of the type."),
        "builds": Shape.list(Shape.text).meaning("Versions of the app with the schema; empty for all other builds."),
        "onOlderBuilds": difference.meaning("Values for this schema that may not decode with the last one."),
        "onNewerBuilds": difference.meaning("Values for the last schema that may not decode with this one."),
    ])

    private static let storedSchema = Shape.object([
        "build?": Shape.text.meaning("Version of the app. Absent for the schema of all other builds."),
        "pushedAt": Shape.moment.meaning("When the schema was stored, RFC 3339."),
        "schema": Shape.anyObject.meaning("JSON Schema of the type's attributes and content state."),
    ])
    private static let schemasOfType = Shape.object([
        "type": Shape.text.meaning("Name of the type."),
        "schemas": Shape.list(storedSchema).meaning("The type's schemas, by build."),
    ])

    private static let knownType = Shape.object([
        "type": Shape.text.meaning("Name of the type; `*` for the profile of all types without one."),
        "schemas": Shape.integer.meaning("Number of schemas, one for each build of the app."),
        "hasProfile": Shape.flag.meaning("Whether the type has a profile of its own."),
        "isCounted": Shape.flag.meaning("Whether the server keeps numbers of the type's cards."),
        "haltedSince?": Shape.moment.meaning("When the type was halted, RFC 3339."),
    ])
    private static let types = Shape.object([
        "types": Shape.list(knownType).meaning("The types with a schema, a profile, kept numbers or a halt."),
        "next?": Shape.text.meaning("Value of `after` for the next page; absent at the end."),
    ])

    static let typeSchemas: [(String, JSONValue)] = [
        ("Types", types),
        ("NewProfile", newProfile), ("Profile", profile), ("NewSchema", newSchema), ("PushedSchema", pushedSchema),
        ("Schemas", schemasOfType),
    ]
}
