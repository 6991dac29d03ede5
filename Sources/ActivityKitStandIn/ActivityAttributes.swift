#if !canImport(ActivityKit)
    /// The fixed data of a Live Activity, and the type of its changing data.
    public protocol ActivityAttributes: Decodable, Encodable {
        /// The changing data.
        associatedtype ContentState: Decodable, Encodable, Hashable
    }
#endif
