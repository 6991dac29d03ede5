#if !os(iOS) || targetEnvironment(macCatalyst)
    /// The fixed data of a Live Activity, and the type of its changing data.
    public protocol ActivityAttributes: Decodable, Encodable {
        /// The changing data.
        associatedtype ContentState: Decodable, Encodable, Hashable
    }

    /// Attributes whose name in `attributes-type` is not that of their Swift type. Not in ActivityKit: a lab has cards of
    /// types that it knows by name only.
    public protocol NamedActivityAttributes: ActivityAttributes {
        /// The name that a pushed start has in `attributes-type`.
        static var activityTypeName: String { get }
    }
#endif
