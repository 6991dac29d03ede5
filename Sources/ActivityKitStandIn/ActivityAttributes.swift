#if !os(iOS) || targetEnvironment(macCatalyst)
    /// The fixed data of a Live Activity, and the type of its changing data.
    public protocol ActivityAttributes: Decodable, Encodable {
        /// The changing data.
        associatedtype ContentState: Decodable, Encodable, Hashable
    }

    /// Attributes with a name in `attributes-type` that differs from their Swift type's. ActivityKit has no such
    /// protocol. A lab needs it because it knows the types of cards by name only.
    public protocol NamedActivityAttributes: ActivityAttributes {
        /// The name that a pushed start has in `attributes-type`.
        static var activityTypeName: String { get }
    }
#endif
