import EyotContract

/// A check whether the app on the phone can decode a push's values, for one Live Activity type.
///
/// iOS decodes into the app's Swift types. A caller with the types passes their decoding; a caller with a schema, the
/// check against it. With only a name, any object passes.
public struct PayloadCheck: Sendable {
    /// Returns the reason why the value does not decode; nil if it does.
    public typealias Check = @Sendable (JSONValue) -> String?

    /// The name of the attributes type, as in `attributes-type`.
    public let type: String
    /// The check of a start's `attributes`.
    public let attributes: Check
    /// The check of a `content-state`.
    public let contentState: Check

    /// A check made of two: of the attributes and of the content state.
    public init(type: String, attributes: @escaping Check, contentState: @escaping Check) {
        self.type = type
        self.attributes = attributes
        self.contentState = contentState
    }

    /// A check for a type that is known only by name: every object passes.
    public static func anyObject(type: String) -> PayloadCheck {
        PayloadCheck(type: type, attributes: mustBeObject, contentState: mustBeObject)
    }

    /// A check against a known schema.
    ///
    /// - Parameter type: the type's name, which may differ from the schema's.
    public static func schema(_ schema: ActivitySchema, type: String) -> PayloadCheck {
        PayloadCheck(
            type: type, attributes: { schema.mismatch(ofAttributes: $0)?.description },
            contentState: { schema.mismatch(ofContentState: $0)?.description })
    }

    /// Of two for one type the later counts.
    static func byType(_ checks: [PayloadCheck]) -> [String: PayloadCheck] {
        Dictionary(checks.map { ($0.type, $0) }, uniquingKeysWith: { $1 })
    }

    private static let mustBeObject: Check = { $0.object == nil ? "expected an object, found \($0.kind)" : nil }
}
