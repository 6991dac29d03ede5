#if !canImport(Darwin)
    /// A text that is localized when it is shown. Foundation's type of this name is missing on Linux. Nothing is
    /// localized here, so the key is the text.
    public struct LocalizedStringResource: Equatable, Codable, Sendable, ExpressibleByStringInterpolation {
        /// The key, which is also the text.
        public let key: String

        /// A text written in the code, interpolations filled in.
        public init(stringLiteral value: String) { key = value }
    }

    extension LocalizedStringResource: CustomStringConvertible {
        /// The text.
        public var description: String { key }
    }

    extension String {
        /// The text of a resource.
        public init(localized resource: LocalizedStringResource) { self = resource.key }
    }
#endif
