/// What another version of a schema means for phones.
public struct SchemaDifference: Sendable, Hashable {
    /// Why what is sent for the newer version may not decode on phones that have the older one.
    public var onOlderBuilds: [SchemaMismatch]
    /// Why what was sent for the older version may not decode in the newer one: a card runs on when its app is updated.
    public var onNewerBuilds: [SchemaMismatch]

    /// No difference.
    public init() { (onOlderBuilds, onNewerBuilds) = ([], []) }

    /// Both lists, as calls and commands tell them.
    public var json: JSONValue {
        ["onOlderBuilds": .array(onOlderBuilds.map(\.json)), "onNewerBuilds": .array(onNewerBuilds.map(\.json))]
    }

    /// Compares two versions.
    public init(from older: ActivitySchema, to newer: ActivitySchema) {
        onOlderBuilds = SchemaContainment.mismatches(sending: newer, to: older)
        onNewerBuilds = SchemaContainment.mismatches(sending: older, to: newer)
    }
}
