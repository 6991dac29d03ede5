/// The effects of a schema's new version on phones.
public struct SchemaDifference: Sendable, Hashable {
    /// Why states for the newer version may not decode on phones with the older one.
    public var onOlderBuilds: [SchemaMismatch]
    /// Why states for the older version may not decode in the newer one. A card runs on when its app is updated.
    public var onNewerBuilds: [SchemaMismatch]

    /// Makes an empty difference.
    public init() { (onOlderBuilds, onNewerBuilds) = ([], []) }

    /// Both lists as calls and commands report them.
    public var json: JSONValue {
        ["onOlderBuilds": .array(onOlderBuilds.map(\.json)), "onNewerBuilds": .array(onNewerBuilds.map(\.json))]
    }

    /// Compares two versions.
    public init(from older: ActivitySchema, to newer: ActivitySchema) {
        onOlderBuilds = SchemaContainment.mismatches(sending: newer, to: older)
        onNewerBuilds = SchemaContainment.mismatches(sending: older, to: newer)
    }
}
